// Machines from the logs of benchmarks. STREAM, BabelStream and superbench's GPU STREAM give a memory's bandwidth and no peaks; nccl-tests
// gives the link's bandwidth of a preset, whose device the log names.
#include "machine/stream_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine_import.hpp>
#include <string>
#include <vector>

namespace roofline {
namespace {

/// "Copy:   342008.3 ...", "Triad  812345.6 ..." in MB/s; "STREAM_TRIAD_double_gpu_0_buffer_4294967296_block_512  7295.50 ..." in GB/s.
double bandwidth_in(const std::string& line) {
  const bool gpu = line.starts_with("STREAM_") && line.find("_gpu_0_") != std::string::npos;
  bool cpu = false;
  for (const char* function : {"Copy", "Scale", "Mul", "Add", "Triad"}) {
    const std::string name = function;
    cpu = cpu || (line.starts_with(name) && line.size() > name.size() && (line[name.size()] == ':' || line[name.size()] == ' '));
  }
  if (!gpu && !cpu) return unknown;
  const std::size_t blank = line.find(' ');
  const double rate = blank == std::string::npos ? 0 : std::strtod(line.c_str() + blank, nullptr) * (gpu ? 1e9 : 1e6);
  return rate > 0 && rate < 1e18 ? rate : unknown;
}

/// Whether the log is of nccl-tests or rccl-tests.
bool is_link_log(std::string_view head) {
  return head.find("# nThread") != std::string_view::npos && head.find("busbw") != std::string_view::npos;
}

/// The larger bus bandwidth of a row "size count type redop root time algbw busbw #wrong time algbw busbw #wrong", GB/s.
double bus_bandwidth_in(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(' '); at < line.size(); at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  if (words.size() < 12 || words[0].find_first_not_of("0123456789") != std::string::npos) return unknown;
  const std::size_t last = words.size();
  return std::max(std::strtod(words[last - 2].c_str(), nullptr), std::strtod(words[last - 6].c_str(), nullptr));
}

Result<Machine> import_link_log(std::string_view text) {
  const Machine* device = nullptr;
  double most = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const std::size_t bus = line.find("] "); !device && line.find("Rank ") != std::string_view::npos && bus != std::string_view::npos)
      device = Machines::presets().find(line.substr(bus + 2));
    most = std::max(most, known_or(bus_bandwidth_in(line), 0));
  }
  if (!(most > 0)) return fail("a log of nccl-tests without a bandwidth: expected rows with a busbw");
  if (!device || device->links.empty())
    return fail("a log of nccl-tests that names no machine of the list: choose one, with --set bandwidths.NVLink=" + plain(most));
  Machine machine = *device;
  machine.id += "-nccl";
  machine.name += ", its link measured";
  machine.links[0].bandwidth = {most * 1e9, "nccl-tests: the largest busbw", "measured", ""};
  return machine;
}

}  // namespace

bool is_stream_log(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return has("STREAM version") || has("BabelStream") || has("STREAM Benchmark") || is_link_log(head);
}

Result<Machine> import_stream_log(std::string_view text) {
  if (is_link_log(text.substr(0, 4096))) return import_link_log(text);
  Figure best;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line(text.substr(at, end - at));
    at = end + 1;
    if (const double rate = bandwidth_in(line); known(rate) && !(best.value >= rate))
      best = {rate, "STREAM: " + line.substr(0, line.find_first_of(": ")), "measured", ""};
  }
  if (!best.known()) return fail("a log of STREAM without a bandwidth: expected a line such as Triad: 342008.3");
  Machine machine;
  machine.id = "stream";
  machine.name = "Machine, measured by STREAM";
  machine.memories.push_back({"DRAM", best, {}, {}, {}});
  machine.notes.emplace_back("The log has a bandwidth and no FLOP/s: nothing is bound by compute.");
  return machine;
}

}  // namespace roofline
