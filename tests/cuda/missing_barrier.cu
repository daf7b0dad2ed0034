// What a race checker has to find: a kernel that runs the phases of a tile as the product does, but
// without the barrier after a step. Prints nothing; a checker's report is the result.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <string_view>
#include <vector>

#include "grundy/engine/line_map.hpp"
#include "grundy/kernels/slanted_tile.hpp"

namespace {

using grundy::LineWord;

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kWindow = 8;

template <bool Barriers>
__global__ void __launch_bounds__(grundy::kBandRows)
    run_band(const __grid_constant__ grundy::TableJob job, grundy::ValueStrip strip) {
  __shared__ grundy::BandMemory<kWidth, kWindow> memory;
  const std::uint32_t t = threadIdx.x;
  for (std::int64_t k = 0; k < job.grid.tiles(0).last; ++k) {
    grundy::SlantedTile<kWidth, kWindow> tile(job, memory, 0, k, k == 0);
    tile.find_lines(t);
    __syncthreads();
    tile.stage(t);
    __syncthreads();
    for (std::uint32_t s = 0; s < kWidth; ++s) {
      tile.step(t, s);
      if (Barriers) __syncthreads();
    }
    __syncthreads();
    tile.store(t, strip);
    __syncthreads();
  }
}

// A table of one band.
template <bool Barriers>
cudaError_t run() {
  const grundy::Extent extent{grundy::kBandRows, 128};
  const grundy::SlantedGrid grid{extent, false, kWidth};
  const std::uint64_t words =
      grundy::LineMap::words_needed(extent, false, grundy::kStagedLineStride);
  const std::uint64_t stride = static_cast<std::uint64_t>(grid.waves()) * kWidth;
  LineWord* memory = nullptr;
  std::uint32_t* values = nullptr;
  LineWord** tables = nullptr;
  // What fails here fails the launch too.
  cudaMalloc(&memory, words * sizeof(LineWord));
  cudaMemset(memory, 0, words * sizeof(LineWord));
  cudaMalloc(&values, grundy::kBandRows * stride * sizeof(std::uint32_t));
  const grundy::LineMap map(extent, false, grundy::kStagedLineStride, memory);
  std::vector<LineWord*> pointers;
  for (const auto lines : {map.row_lines(), map.column_lines(), map.diagonal_lines()})
    pointers.insert(pointers.end(), lines.begin(), lines.end());
  cudaMalloc(&tables, pointers.size() * sizeof(LineWord*));
  cudaMemcpy(tables, pointers.data(), pointers.size() * sizeof(LineWord*), cudaMemcpyHostToDevice);
  grundy::TableLines lines = map.lines();
  lines.rows = tables;
  lines.columns = tables + extent.rows;
  lines.diagonals = tables + extent.rows + extent.cols;
  run_band<Barriers><<<1, grundy::kBandRows>>>({grid, lines, {}}, {values, 0, 0, stride});
  return cudaDeviceSynchronize();
}

}  // namespace

// missing_barrier with | without
int main(int argc, char** argv) {
  const std::string_view how = argc == 2 ? argv[1] : "";
  if (how != "with" && how != "without") {
    std::fputs("usage: missing_barrier with | without\n", stderr);
    return 2;
  }
  const cudaError_t error = how == "with" ? run<true>() : run<false>();
  if (error == cudaSuccess) return 0;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 77 : 1;
}
