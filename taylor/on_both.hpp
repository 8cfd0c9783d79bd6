#pragma once
// LIVENS_BOTH: compiled for the processor and for a device, and inlined where the compiler finds it worth it.

#if defined(__CUDACC__)
#define LIVENS_BOTH __host__ __device__
#else
#define LIVENS_BOTH
#endif
