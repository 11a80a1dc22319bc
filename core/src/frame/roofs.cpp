// What the chart draws besides points: its window, and the roofs.
#include <cmath>
#include <roofline/frame/frame.hpp>
#include <utility>

namespace roofline {

Axes chart_axes(const Machine& machine) {
  double low = unknown, high = unknown;
  for (const auto* peaks : {&machine.matrix, &machine.vector})
    for (const Peak& p : *peaks) {
      if (!(p.flops.value >= low)) low = p.flops.value;
      if (!(p.flops.value <= high)) high = p.flops.value;
    }
  double bandwidth = unknown;
  if (!machine.memories.empty()) bandwidth = machine.memories[0].rate().value;
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

bool is_integer(FormatId format) { return format != no_format && Formats::catalogue()[format].family == FormatFamily::integer; }

/// Whether all operations compute in integer formats, by the rates of today or of the what-if.
bool all_in_integers(const Plan& plan, const Plan::ClassRates& (Plan::*rates)(std::size_t) const) {
  const auto& classes = plan.workload().classes;
  bool any = false;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const Plan::ClassRates& r = (plan.*rates)(k);
    if ((classes[k].matrix_work && !is_integer(r.compute)) || (classes[k].vector_work && !is_integer(r.vector_compute))) return false;
    any = any || classes[k].matrix_work || classes[k].vector_work;
  }
  return any;
}

}  // namespace

bool integer_work(const Plan& plan) {
  return all_in_integers(plan, &Plan::rates) && (!plan.has_whatif() || all_in_integers(plan, &Plan::whatif_rates));
}

std::vector<Roof> roofs(const Plan& plan, const Summary& summary, MemoryAxis axis, bool every_memory) {
  const Scenario& s = plan.scenario();
  const Workload& w = plan.workload();
  std::vector<Roof> out;

  // The compute peaks that some operation computes at, per unit.
  std::vector<std::uint8_t> matrix(Formats::catalogue().size()), vector(Formats::catalogue().size());
  for (std::size_t k = 0; k < w.classes.size(); ++k) {
    const Plan::ClassRates& r = plan.rates(k);
    if (w.classes[k].matrix_work && r.compute != no_format) matrix[r.compute] = 1;
    if (w.classes[k].vector_work && r.vector_compute != no_format) (r.vector_on_matrix_peak ? matrix : vector)[r.vector_compute] = 1;
  }
  const auto measured = [](const Figure& fraction) { return fraction.basis == "assumed" ? unknown : fraction.value; };
  const auto add_compute = [&](Unit unit, const std::vector<std::uint8_t>& used, std::string_view suffix) {
    const std::vector<Peak>& peaks = unit == Unit::matrix ? s.machine.matrix : s.machine.vector;
    for (const Peak& p : peaks) {
      Roof roof;
      roof.name = Formats::catalogue()[p.format].name + std::string(suffix);
      roof.rate = p.flops.value;
      roof.integer = is_integer(p.format);
      roof.in_play = used[p.format] != 0;
      roof.reached = measured(s.machine.achievable(unit, p.format));
      if (p.flops.known()) out.push_back(roof);
    }
  };
  if (s.machine.has_one_peak()) {
    Roof roof;
    roof.name = one_peak_name;
    roof.integer = all_in_integers(plan, &Plan::rates);
    roof.rate = s.machine.matrix[0].flops.value;
    roof.reached = measured(s.machine.achievable(Unit::matrix, s.machine.matrix[0].format));
    out.push_back(roof);
  } else {
    add_compute(Unit::matrix, matrix, "");
    add_compute(Unit::vector, vector, " vector");
  }
  const auto add_memory = [&](const std::string& name, const Figure& bandwidth, ResourceKind kind, bool in_play, bool whatif,
                              double scale) {
    if (!bandwidth.known()) return;
    Roof roof;
    roof.kind = kind;
    roof.name = name;
    roof.rate = bandwidth.value * scale;
    roof.in_play = in_play;
    roof.whatif = whatif;
    out.push_back(roof);
  };
  const auto bounds_some = [&](const std::string& name) {
    for (std::size_t i = 0; i < plan.resources().size(); ++i)
      if (plan.resources()[i].name == name) return summary.by_bound[i] > 0;
    return false;
  };
  const std::string on_axis = axis >= 0 ? normalised(w.channels[static_cast<std::size_t>(axis)].name) : std::string();
  bool any_memory = false;
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    any_memory = any_memory || (plan.resources()[i].kind == ResourceKind::memory && summary.by_bound[i] > 0);
  const auto in_play = [&](std::size_t memory, const std::string& name) {
    const bool device = memory == 0 && (axis == device_axis || (axis == bottleneck_axis && !any_memory));
    return every_memory || device || normalised(name) == on_axis || bounds_some(name);
  };
  for (std::size_t m = 0; m < s.machine.memories.size(); ++m) {
    const Memory& memory = s.machine.memories[m];
    const auto add = [&](const std::string& name, const Figure& bandwidth) {
      add_memory(name, bandwidth, ResourceKind::memory, in_play(m, name), false, 1);
    };
    add(memory.name, memory.split() ? Figure() : memory.bandwidth);
    add(memory.name + " Read", memory.read_bandwidth);
    add(memory.name + " Write", memory.write_bandwidth);
  }
  for (const Link& link : s.machine.links) add_memory(link.name, link.bandwidth, ResourceKind::link, bounds_some(link.name), false, 1);

  const std::size_t own = out.size();
  const double reached = measured(s.machine.achievable_memory());
  bool device = true;  // the first memory in play
  for (std::size_t i = 0; i < own; ++i) {
    Roof roof = out[i];
    if (!roof.in_play || roof.kind == ResourceKind::link) continue;
    if (roof.kind == ResourceKind::memory) roof.reached = std::exchange(device, false) ? reached : unknown;
    if (!known(roof.reached)) continue;
    roof.rate *= roof.reached;
    roof.achievable = true;
    out.push_back(roof);
  }

  if (plan.has_whatif()) {
    // The highest peak that the operations compute at.
    const auto highest = [&](const auto& rates_of) {
      struct {
        double rate = 0;
        std::string name;
        bool integer = false;
      } found;
      const auto consider = [&](bool works, double rate, FormatId format, const char* suffix) {
        if (works && format != no_format && std::isfinite(rate) && rate > found.rate)
          found = {rate, Formats::catalogue()[format].name + suffix, is_integer(format)};
      };
      for (std::size_t k = 0; k < w.classes.size(); ++k) {
        const Plan::ClassRates& r = rates_of(k);
        consider(w.classes[k].matrix_work, r.matrix, r.compute, "");
        consider(w.classes[k].vector_work, r.vector, r.vector_compute, r.vector_on_matrix_peak ? "" : " vector");
      }
      return found;
    };
    const auto today = highest([&](std::size_t k) -> const Plan::ClassRates& { return plan.rates(k); });
    const auto [peak, name, integer] = highest([&](std::size_t k) -> const Plan::ClassRates& { return plan.whatif_rates(k); });
    if (peak > 0 && peak != today.rate) {
      Roof roof;
      const bool one_peak = (s.whatif.machine ? *s.whatif.machine : s.machine).has_one_peak();
      roof.name = "what-if " + (one_peak ? one_peak_name : name);
      roof.integer = one_peak ? all_in_integers(plan, &Plan::whatif_rates) : integer;
      roof.rate = peak;
      roof.whatif = true;
      out.push_back(roof);
    }
    const auto& memories = (s.whatif.machine ? *s.whatif.machine : s.machine).memories;
    if (!memories.empty() && (s.whatif.machine || s.whatif.bandwidth_scale != 1)) {
      const Memory &m = memories[0], &now = s.machine.memories.empty() ? m : s.machine.memories[0];
      const auto add = [&](const std::string& suffix, const Figure& bandwidth, const Figure& of_today) {
        if (bandwidth.value * s.whatif.bandwidth_scale == of_today.value && m.name == now.name) return;  // drawn already
        add_memory("what-if " + m.name + suffix, bandwidth, ResourceKind::memory, true, true, s.whatif.bandwidth_scale);
      };
      add("", m.split() ? Figure() : m.bandwidth, now.bandwidth);
      add(" Read", m.read_bandwidth, now.read_bandwidth);
      add(" Write", m.write_bandwidth, now.write_bandwidth);
    }
  }
  return out;
}

}  // namespace roofline
