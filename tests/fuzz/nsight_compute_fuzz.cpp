// Any bytes as Nsight Compute's .ncu-rep.
#include "one_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return roofline::check_reader(roofline::open_nsight_compute_report, data, size);
}
