// What the chart draws besides points: its window, and the roofs.
#include <algorithm>
#include <cmath>
#include <roofline/frame/frame.hpp>
#include <tuple>
#include <utility>

namespace roofline {

Axes chart_axes(const Machine& machine) {
  double low = unknown, high = unknown;
  for (const auto* peaks : {&machine.matrix, &machine.vector})
    for (const Peak& p : *peaks) {
      if (!(p.flops.value >= low)) low = p.flops.value;
      if (!(p.flops.value <= high)) high = p.flops.value;
    }
  double bandwidth = machine.device_memory().rate().value;
  Axes a;
  if (!(bandwidth > 0)) bandwidth = 1e11;
  if (!(high > 0)) low = high = 1e13;
  a.log_x0 = std::floor(std::log10(low / bandwidth)) - 4;
  a.log_x1 = std::ceil(std::log10(high / bandwidth)) + 1;
  a.log_y1 = std::ceil(std::log10(high * 1.5));
  a.log_y0 = std::floor(std::log10(bandwidth) + a.log_x0);
  return a;
}

namespace {

constexpr const char* one_peak_name = "Peak";  // names no format: all have this rate

/// Whether all operations compute in integer formats, by the rates of today or of the what-if.
bool all_in_integers(const Plan& plan, const Plan::ClassRates& (Plan::*rates)(std::size_t) const) {
  const auto& classes = plan.workload().classes;
  bool any = false;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const Plan::ClassRates& r = (plan.*rates)(k);
    if ((classes[k].matrix_work && !Formats::is_integer(r.compute)) || (classes[k].vector_work && !Formats::is_integer(r.vector_compute)))
      return false;
    any = any || classes[k].matrix_work || classes[k].vector_work;
  }
  return any;
}

}  // namespace

bool integer_work(const Plan& plan) { return all_in_integers(plan, &Plan::rates); }

namespace {

/// The peaks of the machine; those that some operation computes at are in play.
void add_compute_roofs(const Plan& plan, std::vector<Roof>& out) {
  const Machine& machine = plan.scenario().machine;
  if (machine.has_one_peak()) {
    Roof roof;
    roof.name = one_peak_name;
    roof.integer = integer_work(plan);
    roof.rate = machine.matrix[0].flops.value;
    roof.reached = plan.reached(Unit::matrix, machine.matrix[0].format);
    out.push_back(roof);
    return;
  }
  const auto& classes = plan.workload().classes;
  std::vector<std::uint8_t> matrix(Formats::catalogue().size()), vector(Formats::catalogue().size());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const Plan::ClassRates& r = plan.rates(k);
    if (classes[k].matrix_work && r.compute != no_format) matrix[r.compute] = 1;
    if (classes[k].vector_work && r.vector_compute != no_format) (r.vector_on_matrix_peak ? matrix : vector)[r.vector_compute] = 1;
  }
  for (const auto& [unit, peaks, used, suffix] :
       {std::tuple(Unit::matrix, &machine.matrix, &matrix, ""), std::tuple(Unit::vector, &machine.vector, &vector, " vector")})
    for (const Peak& p : *peaks) {
      if (!p.flops.known()) continue;
      Roof roof;
      roof.name = Formats::catalogue()[p.format].name + suffix;
      roof.rate = p.flops.value;
      roof.integer = Formats::is_integer(p.format);
      roof.in_play = (*used)[p.format] != 0;
      roof.reached = plan.reached(unit, p.format);
      out.push_back(roof);
    }
}

Roof bandwidth_roof(const std::string& name, double rate, ResourceKind kind) {
  Roof roof;
  roof.kind = kind;
  roof.name = name;
  roof.rate = rate;
  return roof;
}

/// Calls use(name, bandwidth) for each direction of a memory whose bandwidth is known.
template <class Use>
void for_each_direction(const Memory& memory, const Use& use) {
  if (!memory.split() && memory.bandwidth.known()) use(memory.name, memory.bandwidth);
  if (memory.read_bandwidth.known()) use(memory.name + " Read", memory.read_bandwidth);
  if (memory.write_bandwidth.known()) use(memory.name + " Write", memory.write_bandwidth);
}

/// Memories and links; those that bound some operation, or are on the axis, are in play.
void add_bandwidth_roofs(const Plan& plan, const Summary& summary, MemoryAxis axis, bool every_memory, std::vector<Roof>& out) {
  const Machine& machine = plan.scenario().machine;
  const auto bounds_some = [&](const std::string& name) {
    for (std::size_t i = 0; i < plan.resources().size(); ++i)
      if (plan.resources()[i].name == name) return summary.by_bound[i] > 0;
    return false;
  };
  const std::string on_axis = axis >= 0 ? normalised(plan.workload().channels[static_cast<std::size_t>(axis)].name) : std::string();
  bool any_memory = false;
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    any_memory = any_memory || (plan.resources()[i].kind == ResourceKind::memory && summary.by_bound[i] > 0);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const bool device = m == 0 && (axis == device_axis || (axis == bottleneck_axis && !any_memory));
    for_each_direction(machine.memories[m], [&](const std::string& name, const Figure& bandwidth) {
      out.push_back(bandwidth_roof(name, bandwidth.value, ResourceKind::memory));
      out.back().in_play = every_memory || device || normalised(name) == on_axis || bounds_some(name);
    });
  }
  for (const Link& link : machine.links) {
    if (!link.bandwidth.known()) continue;
    out.push_back(bandwidth_roof(link.name, link.bandwidth.value, ResourceKind::link));
    out.back().in_play = bounds_some(link.name);
  }
}

/// Adds below each roof in play what estimates assume to be reached of it, of memories only for the first; nothing if the machine's
/// fractions of peak and memory are both assumed.
void add_achievable_roofs(const Plan& plan, std::vector<Roof>& out) {
  const Machine& machine = plan.scenario().machine;
  const auto assumed = [](const Figure& fraction) { return fraction.basis == "assumed"; };
  if (assumed(machine.achievable_memory()) && assumed(machine.achievable(Unit::matrix, no_format))) return;
  const std::size_t own = out.size();
  const double reached = std::min(plan.reached_bandwidth(), 1.0);
  bool first_memory = true;
  for (std::size_t i = 0; i < own; ++i) {
    Roof roof = out[i];
    if (!roof.in_play || roof.kind == ResourceKind::link) continue;
    if (roof.kind == ResourceKind::memory) roof.reached = std::exchange(first_memory, false) ? reached : unknown;
    if (!known(roof.reached)) continue;
    roof.rate *= roof.reached;
    roof.achievable = true;
    out.push_back(roof);
  }
}

/// The highest peak that the operations compute at, by the rates of today or of the what-if.
Roof highest_peak(const Plan& plan, const Plan::ClassRates& (Plan::*rates)(std::size_t) const) {
  Roof found;
  const auto consider = [&](bool works, double rate, FormatId format, const char* suffix) {
    if (!works || format == no_format || !std::isfinite(rate) || !(rate > found.rate)) return;
    found.rate = rate;
    found.name = Formats::catalogue()[format].name + suffix;
    found.integer = Formats::is_integer(format);
  };
  const auto& classes = plan.workload().classes;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const Plan::ClassRates& r = (plan.*rates)(k);
    consider(classes[k].matrix_work, r.matrix, r.compute, "");
    consider(classes[k].vector_work, r.vector, r.vector_compute, r.vector_on_matrix_peak ? "" : " vector");
  }
  return found;
}

/// The what-if's peak and device memory, where they differ from today's.
void add_whatif_roofs(const Plan& plan, std::vector<Roof>& out) {
  const Scenario& s = plan.scenario();
  const Machine& machine = s.whatif_machine();
  Roof peak = highest_peak(plan, &Plan::whatif_rates);
  if (peak.rate > 0 && peak.rate != highest_peak(plan, &Plan::rates).rate) {
    const bool one_peak = machine.has_one_peak();
    peak.name = "what-if " + (one_peak ? one_peak_name : peak.name);
    if (one_peak) peak.integer = integer_work(plan);
    peak.whatif = true;
    out.push_back(peak);
  }
  if (machine.memories.empty() || (!s.whatif.machine && s.whatif.bandwidth_scale == 1)) return;
  std::vector<Roof> today;
  if (!s.machine.memories.empty())
    for_each_direction(s.machine.memories[0], [&](const std::string& name, const Figure& bandwidth) {
      today.push_back(bandwidth_roof(name, bandwidth.value, ResourceKind::memory));
    });
  for_each_direction(machine.memories[0], [&](const std::string& name, const Figure& bandwidth) {
    const double rate = bandwidth.value * s.whatif.bandwidth_scale;
    for (const Roof& roof : today)
      if (roof.name == name && roof.rate == rate) return;  // drawn already
    out.push_back(bandwidth_roof("what-if " + name, rate, ResourceKind::memory));
    out.back().whatif = true;
  });
}

}  // namespace

std::vector<Roof> roofs(const Plan& plan, const Summary& summary, MemoryAxis axis, bool every_memory) {
  std::vector<Roof> out;
  add_compute_roofs(plan, out);
  add_bandwidth_roofs(plan, summary, axis, every_memory, out);
  add_achievable_roofs(plan, out);
  if (plan.has_whatif()) add_whatif_roofs(plan, out);
  return out;
}

}  // namespace roofline
