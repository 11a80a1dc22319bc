#include "read/nsight/compute_metrics.hpp"

#include <functional>
#include <unordered_map>
#include <utility>

#include "base/letters.hpp"
#include "base/parse_number.hpp"

namespace roofline::nsight {
namespace {

enum class Kind : std::uint8_t { count, time, bytes, frequency, rate, per_cycle, share, other };

struct Unit {
  Kind kind = Kind::other;
  double scale = 1;  ///< to SI
};

/// 1000 for the K of "Kbyte"; the tool's prefixes are decimal.
double take_prefix(std::string_view& unit, std::string_view word) {
  if (unit.size() != word.size() + 1 || !unit.ends_with(word)) return 1;
  const char prefix = unit[0];
  const double scale = prefix == 'K' || prefix == 'k' ? 1e3 : prefix == 'M' ? 1e6 : prefix == 'G' ? 1e9 : prefix == 'T' ? 1e12 : 0;
  if (scale > 0) unit.remove_prefix(1);
  return scale > 0 ? scale : 1;
}

Unit unit_of(std::string_view text) {
  if (const double time = seconds_per(text); known(time)) return {Kind::time, time};
  if (text == "%") return {Kind::share, 0.01};
  const std::size_t slash = text.find('/');
  std::string_view above = text.substr(0, slash);
  double scale = 1;
  for (const std::string_view word : {"byte", "hz", "inst", "cycle", "sector", "op"}) scale *= take_prefix(above, word);
  const bool bytes = above == "byte",
             counts = above.empty() || above == "inst" || above == "cycle" || above == "sector" || above == "op" || above == "1";
  if (slash == std::string_view::npos)
    return {bytes ? Kind::bytes : above == "hz" ? Kind::frequency : counts ? Kind::count : Kind::other, scale};
  const std::string_view below = text.substr(slash + 1);
  if (below == "cycle") return {bytes || counts ? Kind::per_cycle : Kind::other, scale};
  const double time = seconds_per(below);
  if (!known(time)) return {};
  return {above == "cycle" ? Kind::frequency : bytes || counts ? Kind::rate : Kind::other, scale / time};
}

using Place = std::function<double&(Counters&, Device&)>;
using AmountOf = std::function<Amount&(Counters&)>;

struct Metric {
  Kind kind = Kind::other;
  Place place = nullptr;
  double scale = 1;  ///< on top of the unit's: what one of it counts for
};

using Metrics = std::unordered_map<std::string, Metric>;

/// What the tool appends to the name of an amount.
struct AmountEnding {
  std::string_view text;
  Kind kind;
  double Amount::* figure;
};
constexpr AmountEnding amount_endings[] = {{".sum", Kind::count, &Amount::total},
                                           {".sum.per_second", Kind::rate, &Amount::per_second},
                                           {".sum.per_cycle_elapsed", Kind::per_cycle, &Amount::per_cycle}};

/// `kind`: of the sum.
void add_amount(Metrics& metrics, const std::string& name, Kind kind, double scale, const AmountOf& of) {
  for (const AmountEnding& ending : amount_endings)
    metrics.try_emplace(name + std::string(ending.text),
                        Metric{ending.kind == Kind::count ? kind : ending.kind,
                               [of, figure = ending.figure](Counters& c, Device&) -> double& { return of(c).*figure; }, scale});
}

void add_precision(Metrics& metrics, Precision precision, const std::string& letter) {
  constexpr const char* words[instruction_count] = {"add", "mul", "fma", "add2", "mul2", "fma2"};
  const std::string before = "sass_thread_inst_executed_op_" + letter, behind = "_pred_on";
  for (std::size_t i = 0; i < instruction_count; ++i) {
    const AmountOf of = [precision, i](Counters& c) -> Amount& { return c.instructions[precision][i]; };
    for (const char* unit : {"sm__", "smsp__"}) add_amount(metrics, unit + before + words[i] + behind, Kind::count, 1, of);
    // The tool's own roofline sections state these times the FLOPs that they count for, FP16 instructions as on pairs of numbers.
    for (const auto& [factor, share] : {std::pair("_x2", 0.5), std::pair("_x4", 0.25)})
      metrics.try_emplace("derived__smsp__" + before + words[i] + behind + factor,
                          Metric{Kind::per_cycle, [of](Counters& c, Device&) -> double& { return of(c).per_cycle; }, share});
  }
  metrics.try_emplace(
      "sm__" + before + "fma" + behind + ".sum.peak_sustained",
      Metric{Kind::per_cycle, [precision](Counters&, Device& d) -> double& { return d.multiply_adds_per_cycle[precision]; }});
}

void add_level(Metrics& metrics, Level level, const std::string& unit, const std::string& bytes, const std::string& sectors) {
  constexpr double sector_bytes = 32;
  const auto both = [&](std::initializer_list<const char*> words, const AmountOf& of) {
    for (const std::string word : words) {
      add_amount(metrics, unit + bytes + word, Kind::bytes, 1, of);
      add_amount(metrics, unit + sectors + word, Kind::count, sector_bytes, of);
    }
  };
  both({""}, [level](Counters& c) -> Amount& { return c.bytes[level]; });
  both({"_read", "_op_read"}, [level](Counters& c) -> Amount& { return c.read_bytes[level]; });
  both({"_write", "_op_write"}, [level](Counters& c) -> Amount& { return c.written_bytes[level]; });
  metrics.try_emplace(unit + bytes + ".sum.peak_sustained",
                      Metric{Kind::per_cycle, [level](Counters&, Device& d) -> double& { return d.bytes_per_cycle[level]; }});
  metrics.try_emplace(unit + "__cycles_elapsed.avg.per_second",
                      Metric{Kind::frequency, [level](Counters&, Device& d) -> double& { return d.level_clock_hz[level]; }});
}

const Metrics& all_metrics() {
  static const Metrics all = [] {
    Metrics m;
    const auto in = [&m](Kind kind, const Place& place, std::initializer_list<const char*> names, double scale = 1) {
      for (const char* name : names) m.try_emplace(name, Metric{kind, place, scale});
    };
    // The names without "__" are the details page's.
    in(Kind::time, [](Counters& c, Device&) -> double& { return c.time_s; },
       {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max", "Duration"});
    in(Kind::count, [](Counters& c, Device&) -> double& { return c.cycles; },
       {"sm__cycles_elapsed.avg", "smsp__cycles_elapsed.avg", "sm__cycles_elapsed.max", "Elapsed Cycles"});
    in(Kind::frequency, [](Counters& c, Device&) -> double& { return c.clock_hz; },
       {"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second", "SM Frequency"});
    in(Kind::frequency, [](Counters& c, Device&) -> double& { return c.cluster_clock_hz; }, {"gpc__cycles_elapsed.avg.per_second"});
    in(Kind::rate, [](Counters& c, Device&) -> double& { return c.bytes[dram].per_second; }, {"Memory Throughput"});
    in(Kind::share, [](Counters& c, Device&) -> double& { return c.dram_share; },
       {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput"});
    in(Kind::share, [](Counters& c, Device&) -> double& { return c.sm_share; },
       {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput", "SM [%]", "SOL SM"});
    in(Kind::frequency, [](Counters& c, Device&) -> double& { return c.dram_clock_hz; },
       {"dram__cycles_elapsed.avg.per_second", "DRAM Frequency"});
    in(Kind::count, [](Counters& c, Device&) -> double& { return c.passes; }, {"profiler__replayer_passes"});
    for (const char* unit : {"sm", "smsp"})
      add_amount(m, std::string(unit) + "__inst_executed_pipe_tensor", Kind::count, 1,
                 [](Counters& c) -> Amount& { return c.tensor_instructions; });
    add_precision(m, fp64, "d");
    add_precision(m, fp32, "f");
    add_precision(m, fp16, "h");
    add_level(m, dram, "dram", "__bytes", "__sectors");
    add_level(m, l2, "lts", "__t_bytes", "__t_sectors");
    add_level(m, l1, "l1tex", "__t_bytes", "__t_sectors");
    const auto attribute = [&](const char* name, const Place& place, double scale = 1) {
      m.try_emplace(std::string("device__attribute_") + name, Metric{Kind::other, place, scale});
    };
    attribute("compute_capability_major", [](Counters&, Device& d) -> double& { return d.capability_major; });
    attribute("compute_capability_minor", [](Counters&, Device& d) -> double& { return d.capability_minor; });
    attribute("multiprocessor_count", [](Counters&, Device& d) -> double& { return d.multiprocessors; });
    attribute("clock_rate", [](Counters&, Device& d) -> double& { return d.clock_hz; }, 1e3);
    attribute("memory_clock_rate", [](Counters&, Device& d) -> double& { return d.memory_clock_hz; }, 1e3);
    attribute("global_memory_bus_width", [](Counters&, Device& d) -> double& { return d.memory_bus_bits; });
    attribute("total_memory", [](Counters&, Device& d) -> double& { return d.memory_bytes; });
    attribute("l2_cache_size", [](Counters&, Device& d) -> double& { return d.l2_bytes; });
    return m;
  }();
  return all;
}

TensorWork& tensor_work(Counters& counters, const std::string& metric, std::string_view format) {
  for (TensorWork& work : counters.tensor)
    if (work.metric == metric) return work;
  const auto detail = static_cast<std::uint8_t>((contains(metric, "_op_") ? 1 : 0) + (contains(metric, "_dst_") ? 2 : 0) +
                                                (contains(metric, "_sparsity_") ? 4 : 0));
  return counters.tensor.emplace_back(TensorWork{metric, std::string(format), detail, {}});
}

/// "sm__ops_path_tensor_src_fp16_dst_fp32.sum": operations, a multiply-add being two. The same work is stated whole, by result format, by
/// kind of instruction and by sparsity.
std::optional<Metric> tensor_metric(std::string_view name) {
  constexpr std::string_view path = "sm__ops_path_tensor_", source = "src_";
  if (!name.starts_with(path)) return {};
  const std::size_t at = name.find(source), dot = name.find('.');
  if (at == std::string_view::npos || dot == std::string_view::npos || dot < at) return {};
  std::string_view format = name.substr(0, dot).substr(at + source.size());
  for (const std::string_view next : {"_dst_", "_sparsity_"}) format = format.substr(0, format.find(next));
  for (const AmountEnding& ending : amount_endings)
    if (name.substr(dot) == ending.text)
      return Metric{ending.kind,
                    [metric = std::string(name.substr(0, dot)), format = std::string(format), figure = ending.figure](
                        Counters& c, Device&) -> double& { return tensor_work(c, metric, format).flops.*figure; }};
  return {};
}

/// What the tensor cores did, or how busy they were; not what they could do.
bool of_tensor_cores(std::string_view name) {
  return (name.starts_with("sm__") || name.starts_with("smsp__")) && contains(name, "tensor") &&
         (!contains(name, "peak_sustained") || contains(name, "pct_of_"));
}

/// What a number in `unit` is in SI units; empty where a metric of `kind` has no such unit.
std::optional<double> scale_of(std::string_view unit, const Metric& metric) {
  const Unit of = unit_of(unit);
  const bool same = of.kind == metric.kind;
  switch (metric.kind) {
    case Kind::other:  // attributes: older versions print them without a unit
      return of.kind == Kind::frequency || of.kind == Kind::bytes ? of.scale : metric.scale;
    case Kind::per_cycle:  // older versions leave the cycle out
      return same || of.kind == Kind::count || of.kind == Kind::bytes ? std::optional(of.scale * metric.scale) : std::nullopt;
    default:
      return same ? std::optional(of.scale * metric.scale) : std::nullopt;
  }
}

}  // namespace

bool take_number(std::string_view name, double value, std::optional<std::string_view> unit, Counters& counters, Device& device) {
  constexpr double most = 0x1p80;  // beyond what a counter can hold in any unit
  if (!(value >= 0) || value > most) return true;
  if (contains(name, "__sass_thread_inst_executed_op_")) counters.instrumented = true;
  if (of_tensor_cores(name)) counters.tensor_used = counters.tensor_used.value_or(false) || value > 0;
  const auto found = all_metrics().find(std::string(name));
  const std::optional<Metric> of_tensor = tensor_metric(name);
  if (found == all_metrics().end() && !of_tensor) return true;
  constexpr std::size_t most_tensor_metrics = 256;  // of one launch: more than the tool has; each is compared with all others
  if (of_tensor && counters.tensor.size() >= most_tensor_metrics) return true;
  const Metric& metric = of_tensor ? *of_tensor : found->second;
  const double base = metric.kind == Kind::time ? 1e-9 : metric.kind == Kind::share ? 0.01 : 1;
  const auto scale = unit ? scale_of(*unit, metric) : std::optional(base * metric.scale);
  if (!scale) return *unit == "%";  // the details page calls shares of a peak "Memory Throughput", too
  double& place = metric.place(counters, device);
  if (!known(place)) place = value * *scale;  // of several of one meaning the first
  return true;
}

void take_text(std::string_view name, std::string_view value, Device& device) {
  if (name == "device__attribute_display_name" && device.name.empty()) device.name = value;
}

}  // namespace roofline::nsight
