#include "read/xla/xplane_gpu.hpp"

#include <roofline/base/text.hpp>
#include <utility>

#include "read/text/kernel_name.hpp"
#include "workload/builder.hpp"

namespace roofline::xplane {

void GpuKernels::add(const Plane& plane) {
  std::vector<StreamWork> work;
  for (std::size_t stream = 0; stream < plane.lines.size(); ++stream)
    for (const Event& event : plane.lines[stream].events) {
      if (!(event.host.duration_ps > 0) || !known(event.host.begin_ps)) continue;
      const auto kind = plane.kinds.find(event.kind);
      const std::string name = printable(kind == plane.kinds.end() ? std::string_view("kernel") : kind->second.name);
      const std::uint32_t id = names_.intern(name);
      if (id == kernels_.size()) kernels_.emplace_back();
      ++kernels_[id].count;
      kernels_[id].time_s += event.host.duration_ps * 1e-12;
      work.push_back({event.host.begin_ps * 1e-6, event.host.duration_ps * 1e-6, gpus_, stream, id});
    }
  gpus_ += work.empty() ? 0 : 1;
  times_.add_all(std::move(work));
}

void GpuKernels::put_into(WorkloadBuilder& rows) const {
  KernelNames names;
  for (std::uint32_t i = 0; i < kernels_.size(); ++i) names.add(names_[i]);
  rows.add_category("Kernel");
  for (std::uint32_t i = 0; i < kernels_.size(); ++i) {
    const Kernel& kernel = kernels_[i];
    OpClass traits;
    traits.type = traits.category = "kernel";
    traits.symbol = Symbol::diamond;
    traits.activation = Formats::catalogue().find("fp32").value_or(no_format);
    traits.time_only = true;
    OpNumbers n;
    n.matrix_flops = n.activation = n.given_bytes = unknown;
    n.time_s = kernel.time_s / kernel.count;
    rows.push({rows.op_class(traits), times(n, kernel.count), rows.keep(names.shown(names_[i])), {}, rows.word(names_[i])});
    rows.set_word(0, names_[i]);
  }
  rows.note(Severity::info, "kernels of " + (gpus_ == 1 ? "a GPU" : std::to_string(gpus_) + " GPUs") +
                                ": XLA states no work for them, so their times alone are read");
  times_.report(rows);
}

}  // namespace roofline::xplane
