#include "host/results/identity.hpp"

#include "host/files/bytes.hpp"

namespace livens::host {
namespace {

/// A spec without what stands behind it about the files that it names.
std::string_view without_files(std::string_view spec) { return spec.substr(0, spec.find("\n\n[files.")); }

}  // namespace

std::string difference(const Identity& a, const Identity& b) {
  const Provenance &x = a.provenance, &y = b.provenance;
  if (x.version != y.version) return "the version of livens (" + x.version + ", " + y.version + ")";
  if (without_files(x.spec) != without_files(y.spec)) return "the spec";
  if (x.spec != y.spec) return "a file that the spec names";
  if (x.overrides != y.overrides) return "the options ('" + x.overrides + "', '" + y.overrides + "')";
  if (x.system != y.system || x.scheme != y.scheme || x.form != y.form) return "the scheme";
  if (a.seed != b.seed) return "the seed";
  if (a.size != b.size) return "the size of the ensemble";
  return {};
}

std::string encode(const Identity& identity) {
  ByteWriter writer;
  const Provenance& p = identity.provenance;
  for (const std::string* text : {&p.version, &p.system, &p.scheme, &p.form, &p.spec, &p.overrides})
    writer.put(*text);
  writer.put(identity.seed);
  writer.put(identity.size);
  writer.put(identity.range);
  return writer.take();
}

Identity decode_identity(std::string_view bytes) {
  ByteReader reader(bytes);
  Identity identity;
  Provenance& p = identity.provenance;
  for (std::string* text : {&p.version, &p.system, &p.scheme, &p.form, &p.spec, &p.overrides})
    reader.get(*text);
  reader.get(identity.seed);
  reader.get(identity.size);
  reader.get(identity.range);
  reader.expect_end();
  return identity;
}

}  // namespace livens::host
