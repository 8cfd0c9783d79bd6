#include "host/files/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "host/errors.hpp"

namespace livens::host {

namespace {

using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

}  // namespace

std::string sha256_of(std::string_view bytes) { return sha256_of(std::span(&bytes, 1)); }

std::string sha256_of(std::span<const std::string_view> pieces) {
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::string_view piece : pieces)
    good = good && EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1;
  std::string digest(sha256_size, '\0');
  unsigned length = 0;
  if (!good ||
      EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.data()), &length) != 1)
    throw std::runtime_error("SHA-256 is not available");
  return digest;
}

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string sha256_from(const std::string& path, std::int64_t offset, std::int64_t length) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  if (!file) throw FileError(path, std::strerror(errno));
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> part(1 << 20);
  while (good && file && length > 0) {
    file.read(part.data(), std::min(length, static_cast<std::int64_t>(part.size())));
    length -= file.gcount();
    good = EVP_DigestUpdate(context.get(), part.data(), static_cast<std::size_t>(file.gcount())) == 1;
  }
  if (file.bad()) throw FileError(path, std::strerror(errno));
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest, &size) == 1;
  if (!good) throw FileError(path, "SHA-256 is not available in libcrypto");
  return hexadecimal({reinterpret_cast<const char*>(digest), size});
}

}  // namespace livens::host
