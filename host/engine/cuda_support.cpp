#include "grundy/engine/cuda_support.hpp"

#include <string_view>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy::cuda {

void check(cudaError_t status, const char* call, std::source_location where) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // reported here, so not to be found again by the next call
  std::string_view file = where.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  throw DeviceError(fmt::format("CUDA: {} failed in {}:{}: {} ({})", call, file, where.line(),
                                cudaGetErrorString(status), cudaGetErrorName(status)));
}

Stream::Stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  stream_.reset(stream);
}

void Stream::synchronize() const {
  check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
}

Event::Event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  event_.reset(event);
}

void Event::record(const Stream& stream) {
  check(cudaEventRecord(event_.get(), stream.get()), "cudaEventRecord");
}

void Event::wait_in(const Stream& stream) const {
  check(cudaStreamWaitEvent(stream.get(), event_.get(), 0), "cudaStreamWaitEvent");
}

void Event::synchronize() const {
  check(cudaEventSynchronize(event_.get()), "cudaEventSynchronize");
}

void Graph::launch(const Stream& stream) const {
  check(cudaGraphLaunch(exec_.get(), stream.get()), "cudaGraphLaunch");
}

void Graph::instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  exec_.reset(exec);
}

}  // namespace grundy::cuda
