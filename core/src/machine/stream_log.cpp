// The memory bandwidth of a machine, as STREAM, BabelStream and superbench's GPU STREAM print it: a machine without peaks.
#include "machine/stream_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <roofline/machine/machine_import.hpp>

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

}  // namespace

bool is_stream_log(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return has("STREAM version") || has("BabelStream") || has("STREAM Benchmark");
}

Result<Machine> import_stream_log(std::string_view text) {
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
