// Arm Vela's per-layer table.
#include <algorithm>
#include <cmath>
#include <roofline/base/names.hpp>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "base/joined.hpp"
#include "read/table/columns/column_solver.hpp"
#include "read/table/columns/reading.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

/// The first header that begins with `name`, capitals, blanks and signs left out; ColumnMap::none: there is none.
int column_called(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find_if(header.begin(), header.end(), [&](const std::string& h) { return normalised(h).starts_with(name); });
  return found == header.end() ? ColumnMap::none : static_cast<int>(found - header.begin());
}

/// The machine with its peaks and bandwidths at another clock.
Machine at_clock(Machine machine, double hz) {
  const double factor = hz / machine.rated_clock_hz.value;
  const std::string clock = with_unit(hz, "Hz");
  const auto scale = [&](Figure& figure) {
    if (figure.known()) figure = {figure.value * factor, figure.source, "estimate", "At " + clock + "."};
  };
  for (std::vector<Peak>* peaks : {&machine.matrix, &machine.vector})
    for (Peak& peak : *peaks) scale(peak.flops);
  for (Memory& memory : machine.memories) scale(memory.bandwidth);
  scale(machine.rated_clock_hz);
  machine.id += "-" + std::to_string(static_cast<long long>(hz / 1e6)) + "mhz";
  machine.name += " at " + clock;
  machine.aliases.clear();
  return machine;
}

}  // namespace

bool is_vela(const std::vector<std::string>& header) {
  return column_called(header, "nngoperator") != ColumnMap::none && column_called(header, "sramac") != ColumnMap::none &&
         column_called(header, "maccount") != ColumnMap::none;
}

void settle_vela(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes) {
  map.format = Formats::catalogue().find("int8").value_or(no_format);
  notes.note(Severity::info, "Vela's table names no number format: INT8 is taken, which its networks are quantised to");
  const int cycles = map.at(ColumnRole::time);
  if (cycles == ColumnMap::none || !map[cycles].cycles) return;
  const int macs = column_called(map.header, "maccount"), util = column_called(map.header, "util"),
            dram = column_called(map.header, "dramac");
  const auto number = [&](int column) {
    const CsvField* field = rows.field(column);
    return field ? rows.number(*field).value_or(unknown) : unknown;
  };
  std::vector<double> per_cycle;
  bool uses_dram = false;
  for (auto more = rows.next(); more && *more; more = rows.next()) {
    if (const double rate = number(macs) / (number(cycles) * number(util) / 100); rate > 0) per_cycle.push_back(rate);
    uses_dram = uses_dram || number(dram) > 0;
  }
  // Vela 3 and 4 know the U55 and the U65; of those with as many MACs per cycle only the larger ones have a DRAM.
  const bool regor = column_called(map.header, "originaloperator") != ColumnMap::none;
  const std::string rate = std::to_string(std::lround(known_or(median(per_cycle), 0)));
  std::vector<const Machine*> fitting;
  for (const char* family : {"ethos-u55-", "ethos-u65-", "ethos-u85-"}) {
    const Machine* machine = Machines::presets().find(family + rate);
    const std::string_view name = family;
    if (machine && !(name == "ethos-u55-" && uses_dram) && !(name == "ethos-u85-" && !regor)) fitting.push_back(machine);
  }
  if (fitting.empty()) return;
  const Machine& taken = *fitting[0];
  double& unit = map[cycles].scale;
  const bool stated = unit > 0;
  if (!stated) unit = 1 / taken.rated_clock_hz.value;
  map.use(ColumnRole::time, cycles, unit);
  std::string others;
  for (std::size_t i = 1; i < fitting.size(); ++i) others += (i > 1 ? " and " : "") + fitting[i]->name;
  notes.note(Severity::info,
             "MACs over cycles and utilisation are " + rate + " a cycle: taken for " + taken.name +
                 (others.empty() ? "" : " (" + others + " would fit too)") +
                 (stated ? ""
                         : ", at its " + with_unit(taken.rated_clock_hz.value, "Hz") + "; Vela's summary states the clock: --column " +
                               printed(map.raw_header(cycles) + "=cycles at 400 MHz")));
  const double clock = 1 / unit;
  notes.workload().machine_json =
      std::abs(clock / taken.rated_clock_hz.value - 1) < 1e-6 ? '"' + taken.id + '"' : machine_json(at_clock(taken, clock), true);
  notes.workload().simulated_by = "Vela";
}

}  // namespace roofline
