#include "read/xla/xplane_gpu.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "read/text/kernel_name.hpp"
#include "workload/builder.hpp"

namespace roofline::xplane {

void GpuKernels::add(const Plane& plane) {
  std::vector<std::pair<const Event*, std::size_t>> events;  // and their line
  for (std::size_t l = 0; l < plane.lines.size(); ++l)
    for (const Event& event : plane.lines[l].events)
      if (event.host.duration_ps > 0 && known(event.host.begin_ps)) events.emplace_back(&event, l);
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.first->host.begin_ps < b.first->host.begin_ps; });
  gpus_ += events.empty() ? 0 : 1;
  for (const auto& [event, line] : events) {
    const auto kind = plane.kinds.find(event->kind);
    const std::string name = printable(kind == plane.kinds.end() ? std::string_view("kernel") : kind->second.name);
    const auto [found, is_new] = places_.try_emplace(name, kernels_.size());
    if (is_new) kernels_.push_back({name});
    Kernel& kernel = kernels_[found->second];
    ++kernel.count;
    kernel.time_s += event->host.duration_ps * 1e-12;
    times_.add(gpus_, line, event->host.begin_ps * 1e-6, event->host.duration_ps * 1e-6);
  }
}

void GpuKernels::put_into(WorkloadBuilder& rows) const {
  KernelNames names;
  for (const Kernel& kernel : kernels_) names.add(kernel.name);
  rows.add_category("Kernel");
  for (const Kernel& kernel : kernels_) {
    OpClass traits;
    traits.type = traits.category = "kernel";
    traits.symbol = Symbol::diamond;
    traits.activation = Formats::catalogue().find("fp32").value_or(no_format);
    traits.time_only = true;
    Numbers n;
    n.matrix_flops = n.activation = n.given_bytes = unknown;
    n.time_s = kernel.time_s / kernel.count;
    rows.push({rows.op_class(traits), times(n, kernel.count), rows.keep(names.shown(kernel.name)), {}, rows.word(kernel.name)});
    rows.set_word(0, kernel.name);
  }
  rows.note(Severity::info, "kernels of " + (gpus_ == 1 ? "a GPU" : std::to_string(gpus_) + " GPUs") +
                                ": XLA states no work for them, so their times alone are read");
  times_.report(rows);
}

}  // namespace roofline::xplane
