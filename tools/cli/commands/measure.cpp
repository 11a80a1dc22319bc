// roofline measure: this computer as a machine file, by its own kernels, or its GPU by clpeak.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <memory>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/machine_import.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/clpeak.hpp"
#include "io/processor.hpp"
#include "options/output.hpp"
#include "probes/levels.hpp"
#include "probes/probe.hpp"

namespace roofline::cli {
namespace {

struct Options {
  int threads = 0;
  bool gpu = false;
  std::string output = "table";
};

constexpr const char* never_together_text =
    "The threads could not be measured at the same time, because other programs ran: measure again when they have ended.";

std::string threads_text(int threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

std::string set_text(double bytes) {
  const bool large = bytes >= 1024 * 1024;
  return plain(bytes / (large ? 1024 * 1024 : 1024)) + (large ? " MiB" : " KiB");
}

std::string spread_text(const BestRate& best) {
  if (std::isnan(best.spread)) return "measured once";
  return "best of " + std::to_string(measure::repeats) + ", the median " + percent(best.spread) + " below";
}

std::vector<measure::Level> levels_of(const MeasuredProcessor& processor) {
  std::vector<measure::SetRate> curve;
  for (const MeasuredSet& set : processor.curve) curve.push_back({set.bytes, set.read.rate});
  return measure::find_levels(curve);
}

std::string range_text(const MeasuredProcessor& processor, const measure::Level& level) {
  return set_text(processor.curve[level.first].bytes) + " to " + set_text(processor.curve[level.last].bytes);
}

Machine machine_of(const MeasuredProcessor& processor) {
  Machine machine;
  machine.name = processor.name + ", " + threads_text(processor.threads) + ", measured";
  for (const char c : machine.name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      machine.id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!machine.id.empty() && machine.id.back() != '-')
      machine.id += '-';
  const std::string by = "roofline measure, " + threads_text(processor.threads) + ": ";
  const auto figure = [&](double value, const std::string& test, const BestRate& best) {
    return Figure{value, by + test + " (" + best.kernels + "), " + spread_text(best), "measured", ""};
  };
  for (const MeasuredPeak& peak : processor.peaks) {
    const auto format = Formats::catalogue().find(peak.format);
    if (!format) continue;
    const Figure flops = figure(peak.all_cores.rate, "multiply-adds in registers", peak.all_cores);
    machine.matrix.push_back({*format, flops});
    if (peak.format != "int8") machine.vector.push_back({*format, flops});
    machine.notes.push_back(Formats::catalogue()[*format].name + ": " + with_unit(peak.one_core.rate, "FLOP/s") + " by one thread (" +
                            peak.one_core.kernels + "); " + with_unit(peak.all_cores_128.rate, "FLOP/s") + " by all in 128-bit vectors (" +
                            peak.all_cores_128.kernels + ").");
  }
  const std::vector<measure::Level> levels = levels_of(processor);
  const auto memory = [&](const measure::Level& level) {
    BestRate widest = processor.curve[level.first].read;
    for (std::size_t i = level.first; i <= level.last; ++i) widest.spread = std::fmax(widest.spread, processor.curve[i].read.spread);
    return Memory{
        level.name, figure(level.rate, "reading working sets of " + range_text(processor, level) + " per thread", widest), {}, {}, {}};
  };
  machine.memories.push_back(memory(levels.back()));
  machine.memories[0].capacity = {processor.memory_bytes, "The operating system", "measured", ""};
  for (std::size_t i = levels.size() - 1; i > 0; --i) machine.memories.push_back(memory(levels[i - 1]));
  machine.notes.push_back("In the largest working set writing reaches " + with_unit(processor.write.rate, "B/s") + ", copying " +
                          with_unit(processor.copy.rate, "B/s") + " (bytes read and bytes written).");
  if (processor.never_together) machine.notes.push_back(never_together_text);
  return machine;
}

std::string table_of(const MeasuredProcessor& processor) {
  std::vector<std::vector<std::string>> rows{{"peak", "all cores", "spread", "one core", "128 bit", "instructions"}};
  for (const MeasuredPeak& peak : processor.peaks)
    rows.push_back({peak.format, with_unit(peak.all_cores.rate, "FLOP/s"), percent(peak.all_cores.spread),
                    with_unit(peak.one_core.rate, "FLOP/s"), with_unit(peak.all_cores_128.rate, "FLOP/s"), peak.all_cores.kernels});
  std::string out = processor.name + ", " + threads_text(processor.threads) + "\n\n" + align(rows, "lrrrrl") + "\n";
  rows = {{"memory", "read", "working set per thread"}};
  for (const measure::Level& level : levels_of(processor))
    rows.push_back({level.name, with_unit(level.rate, "B/s"), range_text(processor, level)});
  out += align(rows, "lrl") + "\n";
  rows = {{"working set per thread", "read", "spread"}};
  for (const MeasuredSet& set : processor.curve)
    rows.push_back({set_text(set.bytes), with_unit(set.read.rate, "B/s"), percent(set.read.spread)});
  out += align(rows, "rrr") + "\n";
  rows = {{"in the largest", "rate", "spread"},
          {"write", with_unit(processor.write.rate, "B/s"), percent(processor.write.spread)},
          {"copy", with_unit(processor.copy.rate, "B/s"), percent(processor.copy.spread)}};
  return out + align(rows, "lrr");
}

int measure_gpu(const Options& options) {
  const auto xml = run_clpeak();
  if (!xml) return report(xml.error().text(), unusable_input);
  const auto machine = import_machine(*xml);
  if (!machine) return report("clpeak: " + machine.error().text(), unusable_input);
  if (options.output == "json") return print(machine_json(*machine, true) + "\n");
  std::vector<std::vector<std::string>> rows{{machine->name, ""}};
  for (const Peak& peak : machine->vector) rows.push_back({Formats::catalogue()[peak.format].name, with_unit(peak.flops.value, "FLOP/s")});
  for (const Memory& memory : machine->memories) rows.push_back({memory.name, with_unit(memory.bandwidth.value, "B/s")});
  if (machine->launch_s.known()) rows.push_back({"launch", seconds(machine->launch_s.value)});
  return print(align(rows, "lr"));
}

int measure(const Options& options) {
  if (options.gpu) return measure_gpu(options);
  std::fputs("Measuring for about 7 s: other programs that run now lower the figures.\n", stderr);
  const auto processor = measure_processor(options.threads);
  if (!processor) return report(processor.error().text(), unusable_input);
  if (processor->never_together) std::fprintf(stderr, "%s\n", never_together_text);
  return print(options.output == "json" ? machine_json(machine_of(*processor), true) + "\n" : table_of(*processor));
}

}  // namespace

void add_measure(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("measure", "This computer's peaks and bandwidths, measured, as a machine file");
  command->add_option("--threads", options->threads, "Threads (default: one for each processor)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  command->add_flag("--gpu", options->gpu, "The GPU instead, by clpeak, which must be installed");
  add_output_option(*command, options->output, {"table", "json"});
  command->callback([options, &chosen] { chosen = [options] { return measure(*options); }; });
}

}  // namespace roofline::cli
