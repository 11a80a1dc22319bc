// Machines from the logs of benchmarks. STREAM, BabelStream and superbench's GPU STREAM give a memory's bandwidth and no peaks; nccl-tests
// gives the link's bandwidth of a preset, whose device the log names.
#include "machine/stream_log.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine_import.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/letters.hpp"
#include "base/lines.hpp"
#include "base/parse_number.hpp"

namespace roofline {
namespace {

std::vector<std::string_view> parts_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = line.find_first_not_of(separators); at < line.size(); at = line.find_first_not_of(separators, at)) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    parts.push_back(line.substr(at, end - at));
    at = end;
  }
  return parts;
}

/// What STREAM's and BabelStream's headers say of the rates below them.
struct RateColumn {
  std::size_t index = 1;
  double unit = 1e6;
  bool commas = false;

  void read_header(std::string_view line) {
    if (contains(line, "max_mbytes_per_sec") || contains(line, "max_mibytes_per_sec")) {  // BabelStream --csv
      const std::vector<std::string_view> cells = parts_of(line, ",");
      commas = true;
      unit = contains(line, "mibytes") ? 0x1p20 : 1e6;
      index = static_cast<std::size_t>(
          std::find_if(cells.begin(), cells.end(),
                       [](std::string_view cell) { return cell.starts_with("max_mbytes") || cell.starts_with("max_mibytes"); }) -
          cells.begin());
    } else if (line.starts_with("Function")) {
      unit = contains(line, "MiB") ? 0x1p20 : contains(line, "GiB") ? 0x1p30 : contains(line, "GB") ? 1e9 : 1e6;
    }
  }
  /// B/s; NaN: no rate of a function.
  [[nodiscard]] double read_row(std::string_view line) const {
    const std::vector<std::string_view> cells = parts_of(line, commas ? "," : ": ");
    constexpr std::string_view functions[] = {"Copy", "Scale", "Mul", "Add", "Triad"};
    const bool known_function = !cells.empty() && std::find(std::begin(functions), std::end(functions), cells[0]) != std::end(functions);
    return known_function && index < cells.size() ? parse_number(cells[index]) * unit : unknown;
  }
};

/// Superbench's "STREAM_TRIAD_double_gpu_0_buffer_4294967296_block_512  7295.50 ..." in GB/s, of the first GPU.
double gpu_bandwidth_in(std::string_view line) {
  if (!line.starts_with("STREAM_") || !contains(line, "_gpu_0_")) return unknown;
  const std::vector<std::string_view> cells = parts_of(line, " \t");
  return cells.size() > 1 ? parse_number(cells[1]) * 1e9 : unknown;
}

bool is_bandwidth(double rate) { return rate > 0 && rate < 1e18; }

/// Whether the log is of nccl-tests or rccl-tests.
bool is_link_log(std::string_view head) { return contains(head, "# nThread") && contains(head, "busbw"); }

/// The larger bus bandwidth of a row "size count type redop root time algbw busbw #wrong time algbw busbw #wrong", GB/s.
double bus_bandwidth_in(std::string_view line) {
  const std::vector<std::string_view> words = parts_of(line, " \t");
  if (words.size() < 12 || words[0].find_first_not_of("0123456789") != std::string_view::npos) return unknown;
  const std::size_t last = words.size();
  return std::max(known_or(parse_number(words[last - 2]), 0), known_or(parse_number(words[last - 6]), 0));
}

/// A rank's host and device, of "#  Rank  0 Pid 1 on HOST device  0 [0x00] NAME"; empty: no such line.
std::pair<std::string_view, std::string_view> rank_in(std::string_view line) {
  const std::size_t on = line.find(" on "), device = line.find(" device "), bus = line.find("] ", std::min(device, line.size()));
  if (!contains(line, "Rank ") || on == std::string_view::npos || device == std::string_view::npos || device < on + 4 ||
      bus == std::string_view::npos)
    return {};
  return {line.substr(on + 4, device - on - 4), line.substr(bus + 2)};
}

Result<Machine> import_link_log(std::string_view text) {
  std::pair<std::string_view, std::string_view> first;
  bool several_hosts = false, several_devices = false;
  double most = 0;
  for (const std::string_view line : lines_of(text)) {
    if (const auto rank = rank_in(line); !rank.second.empty()) {
      if (first.second.empty()) first = rank;
      several_hosts = several_hosts || rank.first != first.first;
      several_devices = several_devices || rank.second != first.second;
    }
    if (const double rate = bus_bandwidth_in(line); is_bandwidth(rate)) most = std::max(most, rate);
  }
  if (!(most > 0)) return fail("a log of nccl-tests without a bandwidth: expected rows with a busbw");
  if (several_hosts)
    return fail(
        "a log of nccl-tests on several hosts: its busbw is of the network between them, not of a machine's link; expected one host");
  if (several_devices) return fail("a log of nccl-tests on different devices: expected one kind, whose link it measures");
  const Machine* device = first.second.empty() ? nullptr : Machines::presets().find(first.second);
  if (!device || device->links.empty())
    return fail("a log of nccl-tests that names no machine of the list: choose one, with --set bandwidths.NVLink=" + plain(most));
  Machine machine = *device;
  machine.id += "-nccl";
  Figure& link = machine.links[0].bandwidth;
  const double stated = link.value;
  link = {most * 1e9, "nccl-tests: the largest busbw", "measured", ""};
  machine.name += ", " + machine.links[0].name + " measured: " + with_unit(link.value, "B/s");
  if (stated > 0)
    machine.notes.push_back("The log's largest busbw, " + with_unit(link.value, "B/s") + ", is " + percent(link.value / stated) +
                            " of the " + with_unit(stated, "B/s") + " that the data sheet states for " + machine.links[0].name + '.');
  return machine;
}

}  // namespace

bool is_stream_log(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  return contains(head, "STREAM version") || contains(head, "BabelStream") || contains(head, "STREAM Benchmark") ||
         contains(head, "max_mbytes_per_sec") || contains(head, "max_mibytes_per_sec") || is_link_log(head);
}

Result<Machine> import_stream_log(std::string_view text) {
  if (is_link_log(text.substr(0, 4096))) return import_link_log(text);
  Figure best;
  RateColumn column;
  std::size_t runs = 0;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "STREAM version") || line.starts_with("BabelStream")) ++runs;
    column.read_header(line);
    double rate = gpu_bandwidth_in(line);
    if (!known(rate)) rate = column.read_row(line);
    if (is_bandwidth(rate) && !(best.value >= rate))
      best = {rate, "STREAM: " + std::string(line.substr(0, line.find_first_of(": ,"))), "measured", ""};
  }
  if (!best.known()) return fail("a log of STREAM without a bandwidth: expected a line such as Triad: 342008.3");
  Machine machine;
  machine.id = "stream";
  machine.name = "Machine, measured by STREAM";
  machine.memories.push_back({"DRAM", best, {}, {}, {}});
  machine.notes.emplace_back("The log has a bandwidth and no FLOP/s: nothing is bound by compute.");
  if (runs > 1) machine.notes.push_back("The log has " + std::to_string(runs) + " runs: the highest bandwidth of them all is taken.");
  return machine;
}

}  // namespace roofline
