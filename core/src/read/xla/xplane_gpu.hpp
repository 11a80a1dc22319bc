// The kernels of a GPU's plane, on its lines "Stream #2(...)": times, since XLA states no work for them.
#pragma once

#include <vector>

#include "base/interner.hpp"
#include "read/trace/stream_times.hpp"
#include "read/xla/xplane_plane.hpp"

namespace roofline {
class WorkloadBuilder;
}

namespace roofline::xplane {

class GpuKernels {
 public:
  void add(const Plane& plane);
  [[nodiscard]] bool empty() const { return kernels_.empty(); }
  /// A row for each kernel's name, summed over the GPUs: time only.
  void put_into(WorkloadBuilder& rows) const;

 private:
  struct Kernel {
    double count = 0, time_s = 0;
  };
  Interner names_;
  std::vector<Kernel> kernels_;  // by their name
  StreamTimes times_;
  std::size_t gpus_ = 0;
};

}  // namespace roofline::xplane
