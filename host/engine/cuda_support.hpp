// Errors and ownership for the CUDA runtime. Needs the CUDA Toolkit, but no CUDA compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <span>
#include <utility>

namespace grundy::cuda {

/// Throws DeviceError unless `status` is cudaSuccess: with the call, its place, and what CUDA says.
void check(cudaError_t status, const char* call, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

/// An array of plain objects in the memory of the current device; not initialised.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::uint64_t count) : count_(count) {
    if (count == 0) return;
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes()), "cudaMalloc");
    memory_.reset(static_cast<T*>(memory));
  }
  /// A copy of what is on the host.
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) {
    if (values.empty()) return;
    check(cudaMemcpy(data(), values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    settle();
  }

  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }

  void zero() {
    check(cudaMemset(data(), 0, bytes()), "cudaMemset");
    settle();
  }
  /// Copies the first `count` objects to the host.
  void read(T* to, std::uint64_t count) const {
    check(cudaMemcpy(to, data(), count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

 private:
  /// Setting and copying run in the default stream, which other streams here do not wait for, and
  /// the calls may return before the device is done.
  static void settle() { check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); }

  struct Free {
    void operator()(T* memory) const { (void)cudaFree(memory); }
  };
  std::unique_ptr<T, Free> memory_;
  std::uint64_t count_ = 0;
};

/// An array of plain objects in host memory that the device can copy to and from by itself; not
/// initialised.
template <typename T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::uint64_t count) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, count * sizeof(T)), "cudaMallocHost");
    memory_.reset(static_cast<T*>(memory));
  }

  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] T& operator[](std::size_t i) const { return memory_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const { (void)cudaFreeHost(memory); }
  };
  std::unique_ptr<T, Free> memory_;
};

class Stream {
 public:
  Stream();
  [[nodiscard]] cudaStream_t get() const { return stream_.get(); }
  void synchronize() const;

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { (void)cudaStreamDestroy(stream); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// A mark in a stream that other streams and the host can wait for.
class Event {
 public:
  Event();
  void record(const Stream& stream);
  void wait_in(const Stream& stream) const;
  void synchronize() const;

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// What `enqueue(stream)` enqueues, recorded once and launched many times.
class Graph {
 public:
  template <typename Enqueue>
  Graph(const Stream& stream, Enqueue enqueue) {
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    const cudaError_t enqueued = enqueue(stream.get());
    cudaGraph_t graph = nullptr;
    const cudaError_t captured = cudaStreamEndCapture(stream.get(), &graph);
    const Recorded recorded(graph);
    check(enqueued, "kernel launch");
    check(captured, "cudaStreamEndCapture");
    instantiate(graph);
  }

  void launch(const Stream& stream) const;

 private:
  void instantiate(cudaGraph_t graph);

  struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { (void)cudaGraphDestroy(graph); }
  };
  using Recorded = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
  struct DestroyExec {
    void operator()(cudaGraphExec_t exec) const { (void)cudaGraphExecDestroy(exec); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyExec> exec_;
};

}  // namespace grundy::cuda
