#include <algorithm>
#include <roofline/base/names.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/presets.hpp>
#include <utility>

namespace roofline {
namespace {

/// What was measured on the presets of one vendor and segment; both empty: on all of them.
struct MeasuredFractions {
  std::string vendor, segment;
  std::vector<double> of_compute, of_bandwidth;
  Figure compute = {}, bandwidth = {};
};

Figure median(std::vector<double> values, const std::string& of) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const double middle = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
  return {middle, "Median of " + std::to_string(values.size()) + " measured machines" + of, "assumed", ""};
}

std::vector<MeasuredFractions> measured_fractions() {
  std::vector<MeasuredFractions> groups(1);
  const auto add = [](std::vector<double>& to, const Figure& figure, double most) {
    if (figure.basis == "measured") to.push_back(figure.value / most);  // of what the highest clock gives: others may not have it
  };
  for (const Machine& m : Machines::presets().all()) {
    const auto same = [&m](const MeasuredFractions& g) { return g.vendor == m.vendor && g.segment == m.segment; };
    if (std::none_of(groups.begin(), groups.end(), same)) groups.push_back({m.vendor, m.segment, {}, {}});
    const auto group = std::find_if(groups.begin(), groups.end(), same);
    for (MeasuredFractions* g : {&groups[0], &*group}) {
      add(g->of_compute, m.achievable_compute, m.clock_headroom());
      add(g->of_bandwidth, m.achievable_bandwidth, 1);
    }
  }
  for (MeasuredFractions& g : groups) {
    const std::string of = g.segment.empty() ? "" : " of the same vendor and segment";
    g.compute = median(g.of_compute, of);
    g.bandwidth = median(g.of_bandwidth, of);
  }
  return groups;
}

/// The median for machines like this one, or for all where none of them was measured.
const Figure& assumed(const Machine& machine, Figure MeasuredFractions::* fraction) {
  static const std::vector<MeasuredFractions> groups = measured_fractions();
  for (const MeasuredFractions& g : groups)
    if (!g.segment.empty() && g.vendor == machine.vendor && g.segment == machine.segment && (g.*fraction).known()) return g.*fraction;
  return groups[0].*fraction;
}

}  // namespace

const Memory& Machine::device_memory() const {
  static const Memory none;
  return memories.empty() ? none : memories[0];
}

const HourlyPrice* Machine::hourly_price(std::string_view part) const {
  for (const HourlyPrice& price : per_hour)
    if (!part.empty() && price.name.find(part) != std::string::npos) return &price;
  return nullptr;
}

double Machine::peak(Unit unit, FormatId format) const {
  for (const Peak& peak : unit == Unit::matrix ? matrix : vector)
    if (peak.format == format) return peak.flops.value;
  return unknown;
}

bool Machine::has_one_peak() const {
  const auto same_everywhere = [](const std::vector<Peak>& peaks) {
    return peaks.size() > 1 &&
           std::all_of(peaks.begin(), peaks.end(), [&](const Peak& p) { return p.flops.value == peaks[0].flops.value; });
  };
  return same_everywhere(matrix) && (vector.empty() || (same_everywhere(vector) && vector[0].flops.value == matrix[0].flops.value));
}

double Machine::highest_peak() const {
  double highest = unknown;
  for (const Peak& peak : matrix)
    if (!(peak.flops.value <= highest)) highest = peak.flops.value;
  return highest;
}

double Machine::clock_headroom() const {
  return rated_clock_hz.known() && highest_clock_hz.known() ? highest_clock_hz.value / rated_clock_hz.value : 1;
}

const Figure& Machine::achievable(Unit unit, FormatId format) const {
  for (const Peak& peak : unit == Unit::matrix ? matrix : vector)
    if (peak.format == format && peak.achievable.known()) return peak.achievable;
  return achievable_compute.known() ? achievable_compute : assumed(*this, &MeasuredFractions::compute);
}

const Figure& Machine::achievable_memory() const {
  return achievable_bandwidth.known() ? achievable_bandwidth : assumed(*this, &MeasuredFractions::bandwidth);
}

void Machine::set_achievable_compute(Figure fraction) {
  for (auto* peaks : {&matrix, &vector})
    for (Peak& peak : *peaks) peak.achievable = {};
  achievable_compute = std::move(fraction);
}

const Machines& Machines::presets() {
  static const Machines machines([] {
    std::vector<Machine> all;
    for (const PresetFile& file : preset_files("machines"))
      if (Result<Machine> machine = parse_machine(file.text)) all.push_back(std::move(*machine));
    return all;
  }());
  return machines;
}

const Machine* Machines::find(std::string_view id) const {
  const std::string wanted = normalised(id);
  if (wanted.empty()) return nullptr;
  const auto named = [&wanted](const Machine& machine) {
    const auto same = [&wanted](const std::string& name) { return normalised(name) == wanted; };
    return same(machine.id) || same(machine.name) || std::any_of(machine.aliases.begin(), machine.aliases.end(), same);
  };
  const auto found = std::find_if(machines_.begin(), machines_.end(), named);
  return found == machines_.end() ? nullptr : &*found;
}

std::vector<std::string> Machines::near(std::string_view id) const {
  std::vector<std::string> names;
  for (const Machine& machine : machines_) {
    names.push_back(machine.id);
    names.insert(names.end(), machine.aliases.begin(), machine.aliases.end());
  }
  return near_ids(id, names, [&](const std::string& name) { return find(name)->id; });
}

std::string Machines::unknown_name_message(std::string_view id) const { return roofline::unknown_name_message("machine", id, near(id)); }

std::optional<Machine> Machines::preset(std::string_view id) {
  for (const PresetFile& file : preset_files("machines"))
    if (file.name == id)
      if (Result<Machine> machine = parse_machine(file.text)) return std::move(*machine);
  const Machine* found = presets().find(id);
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace roofline
