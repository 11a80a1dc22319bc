#include <array>
#include <limits>
#include <roofline/scenario/settings.hpp>
#include <tuple>

#include "base/json.hpp"
#include "scenario/values.hpp"

namespace roofline {
namespace {

/// The member at the end of a path of members.
template <auto... path>
constexpr auto& at(Scenario& s) {
  return (s.*....*path);
}

constexpr double positive = std::numeric_limits<double>::denorm_min(), unlimited = std::numeric_limits<double>::max();

constexpr Quantity percent{"%", "percent, 0 to 100", 0, 100, 100};
constexpr Quantity reached{"%", "percent of the peak, from 0.1 to 100", 0.1, 100, 100};
constexpr Quantity microseconds{"µs", "microseconds, 0 to 1000000", 0, 1e6, 1e6};
constexpr Quantity amount{"", "a number, 0 to 1000000", 0, 1e6};
constexpr Quantity yes{"", "0 or 1", 0, 1, 1, true};
constexpr Quantity share{"%", "percent, from 0.1 to 100", 0.1, 100, 100};
constexpr Quantity tops{"TOPS", "a positive number of TOPS", positive, unlimited};
constexpr Quantity bandwidth{"GB/s", "a positive number of GB/s", positive, unlimited};
constexpr Quantity launch{"µs", "microseconds to launch one kernel, 0 to 1000000", 0, 1e6, 1e6};
constexpr Quantity factor{"×", "a positive factor", positive, unlimited};
constexpr Quantity units{"", "a whole number of units, 1 to 1000000000", 1, 1e9, 1, true};
constexpr Quantity ops_per_mac{"", "1 or 2", 1, 2, 1, true};

/// The page's slider: logarithmic where `step` is 0. What is typed may lie beyond it.
struct SliderRange {
  double from = 0, to = 0, step = 0;
};

constexpr SliderRange any_percent{0, 100, 1}, some_percent{1, 100, 1}, few_us{0, 50, 0.5}, some_units{1, 512, 1};
constexpr SliderRange any_peak{0.1, 10000}, any_bandwidth{1, 20000}, any_factor{0.125, 16}, any_batch{0.125, 64};  // logarithmic
constexpr std::string_view the_machines = "the machine's own", as_they_are = "unchanged";
constexpr std::string_view the_stacks = "the stack's own";

/// A setting with its texts, which only settings_json() reads: a program that does not call it is linked without them.
struct SettingRow {
  std::string_view key;
  SettingMember member;
  std::string_view label;     ///< on the page
  std::string_view unset;     ///< what holds where it is not set; "" where it always has a value
  std::string_view sentence;  ///< what it is: in the documentation, and as the page's tooltip
  Quantity quantity = {};
  SliderRange slider = {};
};

constexpr SettingRow table[] = {
    {"machine", at<&Scenario::base>, "Machine", "the file's machine, else npu-32t50",
     "An id or alias that `roofline list machines` prints or, in a file only, a machine as JSON; another one forgets typed rates"},
    {"machine_basis", at<&Scenario::basis>, "Machine basis", "chosen",
     "How the machine was determined: guessed from words in the file, or assumed because none is named. Documents and reports say so"},
    {"peak_tops", at<&Scenario::typed, &TypedRates::peak_tops>, "Peak", the_machines, "Peak of every format, for matrix and vector units",
     tops, any_peak},
    {"mem_bw", at<&Scenario::typed, &TypedRates::mem_bw>, "Bandwidth", the_machines, "Bandwidth of the device memory", bandwidth,
     any_bandwidth},
    {"mem_thresh", at<&Scenario::memory_threshold>, "Low-bandwidth threshold", "",
     "Limited by a memory or a link and below this share of its bandwidth: well below the roof", percent, some_percent},
    {"comp_thresh", at<&Scenario::compute_threshold>, "Low-compute threshold", "",
     "Limited by compute and below this share of the peak: well below the roof", percent, some_percent},
    {"bound_thresh", at<&Scenario::bound_threshold>, "Near-roof threshold", "",
     "Above this efficiency an operation counts as near the roof", percent, some_percent},
    {"advice_thresh", at<&Scenario::advice_threshold>, "Advice threshold", "",
     "Below this efficiency overhead, waiting or a poor kernel limits a measured operation: no format or machine is advised", percent,
     some_percent},
    {"ops_per_mac", at<&Scenario::ops_per_mac>, "Units", "",
     "How typed peaks and shown units count a multiply-accumulate: 2 where they are FLOP, 1 where they are MAC", ops_per_mac},
    {"peaks.matrix", at<&Scenario::typed, &TypedRates::matrix_peaks>, "Matrix peaks", the_machines,
     "Peaks of matrix work by format, over peak_tops", tops, any_peak},
    {"peaks.vector", at<&Scenario::typed, &TypedRates::vector_peaks>, "Vector peaks", the_machines,
     "Peaks of vector work by format, over peak_tops", tops, any_peak},
    {"bandwidths", at<&Scenario::typed, &TypedRates::bandwidths>, "Bandwidths", the_machines,
     "Bandwidths by memory or link, over mem_bw; one to read and one to write where a memory has two channels", bandwidth, any_bandwidth},
    {"assumed_format", at<&Scenario::assumed_format>, "Assumed format", "INT8 for records, FP32 for tables and traces",
     "Format of operations whose source names none"},
    {"stack", at<&Scenario::stack>, "Stack", "machine default",
     "Software stack of the estimates: an id that `roofline list stacks` prints"},
    {"estimate.compute", at<&Scenario::terms, &StackTerms::compute>, "Products reach", the_stacks,
     "Fraction of the machine's achievable matrix rate that this stack reaches", share},
    {"estimate.bandwidth", at<&Scenario::terms, &StackTerms::bandwidth>, "Memory reached", the_stacks,
     "Share of what the machine's memory achieves that this stack's kernels reach", share},
    {"estimate.run_us", at<&Scenario::terms, &StackTerms::run_s>, "Per run", the_stacks,
     "Time per run of a network: the call, and what goes in and out", microseconds},
    {"estimate.layer_us", at<&Scenario::terms, &StackTerms::layer_s>, "Per layer", the_stacks,
     "Time per layer of a model and pass: launches, waits and the host", microseconds},
    {"estimate.moe_layer_us", at<&Scenario::terms, &StackTerms::moe_layer_s>, "Per expert layer", the_stacks,
     "Time per layer of experts and pass, beside the time per layer", microseconds},
    {"estimate.experts", at<&Scenario::terms, &StackTerms::experts>, "Experts reach", the_stacks,
     "Fraction of the rates of other products that those of experts reach", share},
    {"estimate.prompt_layer_us", at<&Scenario::terms, &StackTerms::prompt_layer_s>, "Per layer of prompts", the_stacks,
     "Serving: time per layer and pass with prompts, for launches that no recorded graph hides", microseconds},
    {"estimate.sequence_us", at<&Scenario::terms, &StackTerms::sequence_s>, "Per sequence", the_stacks,
     "Serving: time per sequence and decode step for scheduling and sampling", microseconds},
    {"estimate.request_us", at<&Scenario::terms, &StackTerms::request_s>, "Per request", the_stacks,
     "Serving: time of a request before its first token beside its prefill", microseconds},
    {"estimate.burst", at<&Scenario::terms, &StackTerms::burst>, "Start burst", the_stacks,
     "Serving: factor on the mean wait of requests that all come at the start", amount},
    {"estimate.all_reduce_us", at<&Scenario::terms, &StackTerms::all_reduce_s>, "Per all-reduce", the_stacks, "Latency of one all-reduce",
     microseconds},
    {"estimate.nvlink", at<&Scenario::terms, &StackTerms::nvlink>, "NVLink reached", the_stacks,
     "Share of NVLink's rate that an all-reduce reaches", share},
    {"estimate.pcie", at<&Scenario::terms, &StackTerms::pcie>, "PCIe reached", the_stacks,
     "Share of PCIe's rate that an all-reduce reaches", share},
    {"estimate.other_link", at<&Scenario::terms, &StackTerms::other_link>, "Link reached", the_stacks,
     "Share of any other link's rate that an all-reduce reaches", share},
    {"estimate.widen", at<&Scenario::terms, &StackTerms::dequantise>, "Dequantising", the_stacks,
     "Vector instructions per weight that is narrower than the activations", amount},
    {"estimate.widen_memory", at<&Scenario::terms, &StackTerms::dequantise_memory>, "Dequantised in memory", the_stacks,
     "1 where a prompt's narrow weights are first dequantised into memory", yes},
    {"estimate.native", at<&Scenario::terms, &StackTerms::native>, "Native narrow weights", the_stacks,
     "1 where weights in a format that the matrix units take are not dequantised", yes},
    {"estimate.elementwise", at<&Scenario::terms, &StackTerms::elementwise>, "Element-wise", the_stacks,
     "Factor on the bytes of element-wise operators; 1: fused", amount},
    {"estimate.score_bytes", at<&Scenario::terms, &StackTerms::score_bytes>, "Scores", the_stacks,
     "Bytes to and from memory per attention score: 0 where attention is fused", amount},
    {"estimate.prefill_chunk", at<&Scenario::terms, &StackTerms::prefill_chunk>, "Chunk", the_stacks,
     "Tokens of a prompt that one pass takes; 0: all of them", amount},
    {"estimate.head_once", at<&Scenario::terms, &StackTerms::head_once>, "Head once", the_stacks,
     "1: the head runs only in the last pass of a prompt", yes},
    {"estimate.accumulate_fp16", at<&Scenario::terms, &StackTerms::accumulate_fp16>, "Accumulate FP16", the_stacks,
     "1 where FP16 products accumulate in FP16, which GeForce does at twice the rate", yes},
    {"estimate.tile_edge", at<&Scenario::terms, &StackTerms::tile_edge>, "Tile edge", the_stacks,
     "Tile size at which edges take as long as the interior; 0: tiles and waves are ignored", amount},
    {"estimate.tile_us", at<&Scenario::terms, &StackTerms::tile_s>, "Per tile", the_stacks, "Time to fill and drain a tile's pipeline",
     microseconds},
    {"estimate.misaligned", at<&Scenario::terms, &StackTerms::misaligned>, "Misaligned", the_stacks,
     "Slowdown of products whose inner dimension is not a multiple of 16 bytes", amount},
    {"estimate.attention", at<&Scenario::terms, &StackTerms::attention>, "Attention reaches", the_stacks,
     "Share of the machine's achievable matrix rate that a single kernel of attention reaches", share},
    {"estimate.attention_us", at<&Scenario::terms, &StackTerms::attention_s>, "Per attention", the_stacks,
     "Time per kernel of attention, in place of its launch", microseconds},
    {"overhead.launch_us", at<&Scenario::overhead, &Overhead::launch_s>, "Launch", the_machines,
     "Time to launch one kernel. OpenXLA's GPU cost model had 5 µs, and has 1 µs for replayed graphs", launch, few_us},
    {"overhead.compute", at<&Scenario::overhead, &Overhead::compute>, "Peak reached", the_machines,
     "Share of the compute peaks that kernels reach", reached, some_percent},
    {"overhead.bandwidth", at<&Scenario::overhead, &Overhead::bandwidth>, "Bandwidth", the_machines,
     "Share of the device memory's bandwidth that kernels reach", reached, some_percent},
    {"overhead.units", at<&Scenario::overhead, &Overhead::units>, "Units", the_machines,
     "Matrix units that work on one tile each, side by side", units, some_units},
    {"overhead.overlap", at<&Scenario::overhead, &Overhead::overlap>, "Overlap", the_stacks,
     "Share of the shorter of compute and transfer time that overlaps with the longer. OpenXLA's GPU cost model takes 95%", percent,
     any_percent},
    {"overhead.tile", at<&Scenario::overhead, &Overhead::tile>, "Tile", the_stacks,
     "Rows and columns of a matrix product's tile. One unit works on one tile at a time: few tiles leave units idle"},
    {"overhead.network", at<&Scenario::overhead, &Overhead::network>, "Network in", "each operation's formats",
     "Format of activations between operations. Separate kernels convert to narrower formats and back; narrow weights are dequantised on "
     "chip at no cost"},
    {"overhead.accumulator", at<&Scenario::overhead, &Overhead::accumulator>, "Accumulator", "INT32 of integers, FP32 of others",
     "Format of accumulators, read when a result is converted back"},
    {"whatif.weight", at<&Scenario::whatif, &WhatIf::weight>, "Weights", as_they_are, "Format of the weights"},
    {"whatif.activation", at<&Scenario::whatif, &WhatIf::activation>, "Activations", as_they_are, "Format of the activations"},
    {"whatif.output", at<&Scenario::whatif, &WhatIf::output>, "Output", as_they_are, "Format of the output"},
    {"whatif.kv", at<&Scenario::whatif, &WhatIf::kv>, "KV cache", as_they_are, "Format of the KV cache"},
    {"whatif.batch_scale", at<&Scenario::whatif, &WhatIf::batch_scale>, "Batch", "", "Factor on FLOPs, activations, outputs and KV cache",
     factor, any_batch},
    {"whatif.peak_scale", at<&Scenario::whatif, &WhatIf::peak_scale>, "Peaks", "", "Factor on every compute peak", factor, any_factor},
    {"whatif.bandwidth_scale", at<&Scenario::whatif, &WhatIf::bandwidth_scale>, "Bandwidth", "", "Factor on every memory and link", factor,
     any_factor},
    {"whatif.machine", at<&Scenario::whatif, &WhatIf::machine>, "Machine", "the same machine", "Another machine, before the factors"},
};

constexpr auto without_texts =
    std::apply([](const auto&... row) { return std::array{Setting{row.key, row.member, row.quantity}...}; }, std::to_array(table));

}  // namespace

std::string_view Setting::kind() const {
  constexpr std::string_view kinds[] = {"number",  "number",          "format",        "tile",  "machine",
                                        "machine", "rates by format", "rates by name", "stack", "machine basis"};
  static_assert(std::size(kinds) == std::variant_size_v<SettingMember>);
  return kinds[member.index()];
}

std::span<const Setting> settings() { return without_texts; }

bool is_settings_key(std::string_view key) {
  for (const Setting& setting : without_texts)
    if (setting.key.substr(0, setting.key.find('.')) == key) return true;
  return false;
}

std::string settings_json() {
  Scenario fresh;
  std::string out = "{";
  for (const SettingRow& texts : table) {
    const Setting setting{texts.key, texts.member, texts.quantity};
    Json row = {{"kind", setting.kind()}, {"label", texts.label}, {"unset", texts.unset}, {"sentence", texts.sentence}};
    if (const Quantity& q = setting.quantity; !q.expected.empty()) {
      const SliderRange& slider = texts.slider;
      row.update({{"unit", q.unit},
                  {"least", q.least},
                  {"most", q.most},
                  {"whole", q.whole},
                  {"from", slider.from},
                  {"to", slider.to},
                  {"step", slider.step}});
    }
    if (texts.unset.empty()) row["default"] = written(setting, fresh);
    out += (out.size() > 1 ? ",\n  \"" : "\n  \"") + std::string(setting.key) + "\": " + compact(row);
  }
  return out + "\n}";
}

}  // namespace roofline
