#include "choice.hpp"

namespace roofline::measure {

const Kernels& kernels_128();
#if defined(__x86_64__)
const Kernels& kernels_avx2();
const Kernels& kernels_avx512();
const Kernels& kernels_vnni();
#endif

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> out{&kernels_128()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(&kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    out.push_back(&kernels_avx512());
    if (__builtin_cpu_supports("avx512vnni")) out.push_back(&kernels_vnni());
  }
#endif
  return out;
}

}  // namespace roofline::measure
