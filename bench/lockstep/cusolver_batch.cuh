#pragma once
// Many linear systems with the same zeros, solved together by the sparse QR of cuSOLVER (csrqrsvBatched),
// which orders the columns itself and pivots in no other way. The interface is that of CublasBatch. Throws
// std::runtime_error.

// cuSOLVER has announced the end of its sparse part; nothing else in the toolkit solves batches of sparse
// systems.
#define DISABLE_CUSOLVER_DEPRECATED
#include <cusolverSp.h>
#include <cusparse.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"

namespace livens {

/// One entry a thread: values[i * entries + k] = the matrix of instance i, by columns, at places[k].
template <class Scalar>
__global__ void take_entries(std::int64_t count, int entries, int matrix, const int* places,
                             const Scalar* matrices, Scalar* values) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at < count * entries) values[at] = matrices[at / entries * matrix + places[at % entries]];
}

template <class Pattern>
class CusolverBatch {
 public:
  static constexpr const char* name = "cuSOLVER csrqrsvBatched";

  CusolverBatch(int n, std::int64_t count) : n_(n), count_(count) {
    std::vector<int> rows = {0}, columns, places;
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column)
        if (Pattern::nonzero(row, column)) {
          columns.push_back(column);
          places.push_back(column * n + row);
        }
      rows.push_back(static_cast<int>(columns.size()));
    }
    entries_ = static_cast<int>(columns.size());
    rows_.upload(rows.data(), n + 1, "rows");
    columns_.upload(columns.data(), entries_, "columns");
    places_.upload(places.data(), entries_, "places");
    matrices_.reserve(count * n * n, "matrices");
    values_.reserve(count * entries_, "entries");
    sides_.reserve(count * n, "right sides");
    solutions_.reserve(count * n, "solutions");

    check(cusolverSpCreate(&cusolver_), "cusolverSpCreate");
    check(cusolverSpCreateCsrqrInfo(&info_), "cusolverSpCreateCsrqrInfo");
    if (cusparseCreateMatDescr(&description_) != CUSPARSE_STATUS_SUCCESS)
      throw std::runtime_error("cusparseCreateMatDescr failed");
    check(cusolverSpXcsrqrAnalysisBatched(cusolver_, n_, n_, entries_, description_, rows_.get(),
                                          columns_.get(), info_),
          "cusolverSpXcsrqrAnalysisBatched");
    std::size_t kept = 0, workspace = 0;
    check(cusolverSpDcsrqrBufferInfoBatched(cusolver_, n_, n_, entries_, description_, values_.get(),
                                            rows_.get(), columns_.get(), batch(), info_, &kept, &workspace),
          "cusolverSpDcsrqrBufferInfoBatched");
    workspace_.reserve(static_cast<std::int64_t>(workspace), "the workspace of cuSOLVER");
  }
  ~CusolverBatch() {
    cusparseDestroyMatDescr(description_);
    cusolverSpDestroyCsrqrInfo(info_);
    cusolverSpDestroy(cusolver_);
  }
  CusolverBatch(const CusolverBatch&) = delete;
  CusolverBatch& operator=(const CusolverBatch&) = delete;

  CudaArray<double>& matrices() { return matrices_; }
  /// One right side for each matrix; solve() makes the solutions of them.
  CudaArray<double>& sides() { return sides_; }

  /// Factors and solutions are one call of cuSOLVER; this brings the matrices into its form.
  void factorize() {
    const std::int64_t all = count_ * entries_;
    take_entries<<<static_cast<unsigned>((all + 255) / 256), 256>>>(count_, entries_, n_ * n_, places_.get(),
                                                                    matrices_.get(), values_.get());
    cuda_check(cudaGetLastError(), "lockstep: entries");
  }
  void solve() {
    check(cusolverSpDcsrqrsvBatched(cusolver_, n_, n_, entries_, description_, values_.get(), rows_.get(),
                                    columns_.get(), sides_.get(), solutions_.get(), batch(), info_,
                                    workspace_.get()),
          "cusolverSpDcsrqrsvBatched");
    cuda_check(cudaMemcpyAsync(sides_.get(), solutions_.get(), sizeof(double) * count_ * n_,
                               cudaMemcpyDeviceToDevice),
               "lockstep: solutions");
  }
  /// The inverses of the matrices, by columns, on the host.
  std::vector<double> inverses() {
    std::vector<double> all(static_cast<std::size_t>(count_ * n_ * n_)),
        column(static_cast<std::size_t>(count_ * n_));
    factorize();
    for (int k = 0; k < n_; ++k) {
      for (std::int64_t i = 0; i < count_; ++i)
        for (int row = 0; row < n_; ++row) column[i * n_ + row] = row == k ? 1.0 : 0.0;
      sides_.upload(column.data(), count_ * n_, "unit vectors");
      solve();
      sides_.download(column.data(), count_ * n_, "inverses");
      for (std::int64_t i = 0; i < count_; ++i) std::copy_n(&column[i * n_], n_, &all[(i * n_ + k) * n_]);
    }
    return all;
  }

 private:
  static void check(cusolverStatus_t status, const char* what) {
    if (status != CUSOLVER_STATUS_SUCCESS)
      throw std::runtime_error(std::string(what) + ": status " + std::to_string(static_cast<int>(status)));
  }
  int batch() const { return static_cast<int>(count_); }

  int n_, entries_ = 0;
  std::int64_t count_;
  CudaArray<int> rows_, columns_, places_;
  CudaArray<double> matrices_, values_, sides_, solutions_;
  CudaArray<char> workspace_;
  cusolverSpHandle_t cusolver_ = nullptr;
  csrqrInfo_t info_ = nullptr;
  cusparseMatDescr_t description_ = nullptr;
};

}  // namespace livens
