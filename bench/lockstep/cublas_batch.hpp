#pragma once
// Many linear systems of one size in device memory, factorized and solved together by cuBLAS, with partial
// pivoting. All matrices by columns, one behind the other. Everything is on the default stream, as are the
// kernels of this program and those of the backend. Throws std::runtime_error.

#include <cublas_v2.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/lockstep/projection_check.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"

namespace livens {

class CublasBatch {
 public:
  static constexpr const char* name = "cuBLAS getrfBatched";

  CublasBatch(int n, std::int64_t count) : n_(n), count_(count) {
    point_to(matrix_pointers_, matrices_.reserve(count * n * n, "matrices"), std::int64_t{n} * n);
    pivots_.reserve(count * n, "pivots");
    info_.reserve(count, "info");
    sides(1);
    check(cublasCreate(&cublas_), "cublasCreate");
  }
  ~CublasBatch() { cublasDestroy(cublas_); }
  CublasBatch(const CublasBatch&) = delete;
  CublasBatch& operator=(const CublasBatch&) = delete;

  CudaArray<double>& matrices() { return matrices_; }
  /// Right sides of so many columns; what they held is lost when the number changes.
  CudaArray<double>& sides(int columns = 1) {
    if (columns != columns_) {
      const std::int64_t size = std::int64_t{n_} * columns;
      point_to(side_pointers_, sides_.reserve(count_ * size, "right sides"), size);
      columns_ = columns;
    }
    return sides_;
  }
  int n() const { return n_; }
  std::int64_t count() const { return count_; }

  /// The matrices become their factors. That one is singular the solutions tell: they are not finite.
  void factorize() {
    check(cublasDgetrfBatched(cublas_, n_, matrix_pointers_.get(), n_, pivots_.get(), info_.get(), batch()),
          "cublasDgetrfBatched");
  }
  /// The right sides become the solutions.
  void solve() {
    int info = 0;
    check(cublasDgetrsBatched(cublas_, CUBLAS_OP_N, n_, columns_, matrix_pointers_.get(), n_, pivots_.get(),
                              side_pointers_.get(), n_, &info, batch()),
          "cublasDgetrsBatched");
    if (info != 0) throw std::runtime_error("cublasDgetrsBatched: argument " + std::to_string(-info));
  }
  /// The inverses of the matrices, which become their factors, by columns, on the host.
  std::vector<double> inverses() {
    const std::int64_t values = count_ * n_ * n_;
    std::vector<double> all(static_cast<std::size_t>(values));
    for (std::int64_t i = 0; i < count_; ++i)
      for (int k = 0; k < n_; ++k) all[(i * n_ + k) * n_ + k] = 1.0;
    sides(n_).upload(all.data(), values, "unit vectors");
    factorize();
    solve();
    sides(n_).download(all.data(), values, "inverses");
    return all;
  }

 private:
  static void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
  }
  int batch() const { return static_cast<int>(count_); }
  void point_to(CudaArray<double*>& pointers, double* first, std::int64_t distance) const {
    std::vector<double*> each;
    for (std::int64_t i = 0; i < count_; ++i) each.push_back(first + i * distance);
    pointers.upload(each.data(), count_, "pointers");
  }

  int n_, columns_ = 0;
  std::int64_t count_;
  CudaArray<double> matrices_, sides_;
  CudaArray<double*> matrix_pointers_, side_pointers_;
  CudaArray<int> pivots_, info_;
  cublasHandle_t cublas_ = nullptr;
};

/// The same for matrices of the host, which keep their values.
class CublasSolver : public BatchedSolver {
 public:
  void solve(int n, int columns, const std::vector<double>& matrices, std::vector<double>& sides) override {
    const auto entries = static_cast<std::int64_t>(matrices.size()),
               values = static_cast<std::int64_t>(sides.size()), count = entries / (n * n);
    if (!batch_ || batch_->n() != n || batch_->count() != count) batch_.emplace(n, count);
    batch_->matrices().upload(matrices.data(), entries, "matrices");
    batch_->sides(columns).upload(sides.data(), values, "right sides");
    batch_->factorize();
    batch_->solve();
    batch_->sides(columns).download(sides.data(), values, "solutions");
  }

 private:
  std::optional<CublasBatch> batch_;
};

}  // namespace livens
