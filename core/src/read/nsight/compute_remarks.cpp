#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/joined.hpp"
#include "base/letters.hpp"
#include "read/nsight/compute_launches.hpp"

namespace roofline::nsight {
namespace {

/// What is true of how many launches.
struct Tally {
  std::size_t launches = 0, slowed = 0, replayed = 0, untimed = 0, tensor_uncounted = 0, mixed = 0, without_clock = 0, without_time = 0;
  double most_passes = 1, clock_hz = unknown;
  std::array<bool, precision_count> precision{};
  bool dram = false, by_share = false, shares = false, tensor = false, has_tensor_metrics = false, half = false;
  std::string grouped;  ///< formats of one instruction, where a launch has most FLOPs by it

  Tally(const std::vector<Run>& runs, const Device& device) {
    for (const Run& run : runs)
      for (const Launch& launch : run.launches) add(launch.counters, flops_of(launch.counters, device));
  }

 private:
  void add(const Counters& c, const Flops& flops) {
    ++launches;
    untimed += known(time_of(c)) ? 0 : 1;
    slowed += c.instrumented && !known(c.time_s) && known(time_of(c)) ? 1 : 0;
    replayed += c.passes > 1 ? 1 : 0;
    if (c.passes > most_passes) most_passes = c.passes;
    if (const double clock = clock_of(c); clock > 0 && !(clock <= clock_hz)) clock_hz = clock;
    double all = 0, most = 0;
    const auto count = [&](double f) {
      if (known(f)) all += f, most = std::max(most, f);
    };
    for (std::size_t p = 0; p < precision_count; ++p) {
      precision[p] = precision[p] || known(flops.vector[p]);
      count(flops.vector[p]);
    }
    count(flops.tensor);
    mixed += most < 0.99 * all ? 1 : 0;
    dram = dram || known(bytes_of(c, nsight::dram));
    by_share = by_share || c.bytes_by_share;
    shares = shares || known(c.dram_share);
    tensor = tensor || flops.tensor > 0;
    has_tensor_metrics = has_tensor_metrics || c.tensor_used.has_value() || any_known(c.tensor_instructions) || !c.tensor.empty();
    if (flops.tensor > 0 && contains(flops.tensor_format, '_')) grouped = flops.tensor_format;
    if (states_rates_only(c, flops)) ++(known(time_of(c)) ? without_clock : without_time);
    tensor_uncounted += known(flops.tensor) || !c.tensor.empty() ? 0 : 1;
    half = half || flops.vector[fp16] > 0;
  }

  /// FLOPs per second or per cycle, and no time or clock that would make them a sum.
  static bool states_rates_only(const Counters& c, const Flops& flops) {
    if (!c.tensor.empty() && !known(flops.tensor)) return true;
    for (std::size_t p = 0; p < precision_count; ++p)
      if (!known(flops.vector[p]) && std::all_of(c.instructions[p].begin(), c.instructions[p].begin() + add_pair, any_known)) return true;
    return false;
  }
};

}  // namespace

void remark(const std::vector<Run>& runs, const Device& device, WorkloadBuilder& rows) {
  const Tally tally(runs, device);
  const auto say = [&](Severity severity, std::string text) { rows.note(severity, std::move(text)); };
  const auto of_launches = [&](std::size_t n) { return with_commas(n) + " of " + quantity(tally.launches, "launch", "launches"); };
  if (tally.slowed > 0)
    say(Severity::warning, "the time of " + of_launches(tally.slowed) +
                               " is of a pass that counted instructions, which can make a kernel a hundred times slower: append the CSV of "
                               "a run without such metrics, and its times are taken");
  if (tally.untimed > 0)
    say(Severity::info, of_launches(tally.untimed) + (tally.untimed == 1 ? " has" : " have") + " no time: collect gpu__time_duration.sum");
  if (tally.replayed > 0)
    say(Severity::info, "each kernel ran up to " + number(tally.most_passes) +
                            " times to collect its metrics, with caches flushed before each run unless --cache-control none was given: "
                            "the time is of one run");
  if (tally.clock_hz < 0.95 * device.clock_hz)
    say(Severity::warning, "the kernels ran at up to " + with_unit(tally.clock_hz, "Hz") + " of the device's " +
                               with_unit(device.clock_hz, "Hz") +
                               ": Nsight Compute holds the clock at its base, which makes times longer than in the program, unless "
                               "--clock-control none is given");
  std::vector<const char*> counted, missing;
  constexpr const char* names[] = {"FP64", "FP32", "FP16"};
  for (std::size_t p = 0; p < precision_count; ++p) (tally.precision[p] ? counted : missing).push_back(names[p]);
  if (tally.tensor) counted.push_back("the tensor cores");
  if (tally.without_clock > 0)
    say(Severity::warning, "FLOPs of " + of_launches(tally.without_clock) +
                               " are per cycle and the clock is missing: collect sm__cycles_elapsed.avg.per_second");
  if (tally.without_time > 0)
    say(Severity::warning,
        "FLOPs of " + of_launches(tally.without_time) + " are rates and the time is missing: collect gpu__time_duration.sum");
  if (counted.empty() && tally.without_clock + tally.without_time == 0)
    say(Severity::info, "no metric counts FLOPs: collect them with --set roofline, or state M, N and K in a table of your own");
  if (!counted.empty())
    say(Severity::info,
        "FLOPs are those of " + joined(counted, " and ") + (missing.empty() ? "" : "; not counted: " + joined(missing, " and ")));
  if (tally.tensor_uncounted > 0)
    say(Severity::warning, "the tensor cores worked in " + of_launches(tally.tensor_uncounted) +
                               ", and no metric says how many FLOPs they did: those launches' FLOPs are not known; collect "
                               "sm__ops_path_tensor_src_*.sum");
  else if (!counted.empty() && !tally.has_tensor_metrics)
    say(Severity::info, "no metric is about the tensor cores: their FLOPs, if any, are not counted");
  if (!tally.grouped.empty())
    say(Severity::info, "one metric counts the tensor cores' FLOPs in several formats (" + tally.grouped + "): compared with the " +
                            Formats::catalogue()[slowest_format(tally.grouped)].name + " peak, the slowest of them");
  if (tally.half)
    say(Severity::info, "an FP16 instruction on a pair of numbers is counted as on one: FLOPs in FP16 may be up to twice as many");
  if (tally.mixed > 0)
    say(Severity::info, of_launches(tally.mixed) + " compute in several formats: each is held against the peak of the one with most FLOPs");
  if (tally.by_share)
    say(Severity::info,
        "bytes are the DRAM's share of its peak (dram__throughput) times its clock, its bus width and the time: a small share has few "
        "digits");
  if (!tally.dram)
    say(Severity::info,
        tally.shares ? "no metric counts the bytes of DRAM, and this page lacks the bus width that its share of the peak needs: collect "
                       "dram__bytes.sum, or export with --page raw"
                     : "no metric counts the bytes of DRAM: collect dram__bytes.sum");
}

}  // namespace roofline::nsight
