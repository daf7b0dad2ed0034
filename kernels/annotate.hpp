// What lets one source compile for the host alone (g++) and for host and device (nvcc).
#pragma once

#ifdef __CUDACC__
#define GRUNDY_HD __host__ __device__
#else
#define GRUNDY_HD
#endif

#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#define GRUNDY_ALWAYS_INLINE inline __attribute__((always_inline))
#define GRUNDY_ALWAYS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define GRUNDY_ALWAYS_INLINE __forceinline__
#define GRUNDY_ALWAYS_INLINE_LAMBDA
#endif
