// A plan: the format of each tensor of a language model or layer of a network within a budget, and the same in the words of the tools that
// apply it. One writer per tool.
#pragma once

#include <roofline/accuracy/format_sweep.hpp>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <roofline/scenario/operands.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// What a plan has to keep to. `bytes`: of the weights; `memory`: of one machine, with cache and activations; `tpot`: seconds per token;
/// `time`: seconds per run; at most. `kld`: nats per token, at most. `sqnr`: dB, at least.
enum class BudgetKind : std::uint8_t { bytes, memory, tpot, time, kld, sqnr };
template <>
inline constexpr auto names_of<BudgetKind> = std::to_array<const char*>({"bytes", "memory", "tpot", "time", "kld", "sqnr"});

struct Budget {
  BudgetKind kind = BudgetKind::bytes;
  double value = 0;  ///< bytes, s, nats or dB
};
/// "bytes=5G", "bytes=5e9", "memory=24GiB", "tpot=20 ms", "kld=0.02", "sqnr=30dB", of the `allowed` kinds. G is 10^9, GiB 2^30. The error
/// says what was expected.
[[nodiscard]] Result<Budget> parse_budget(std::string_view text, std::span<const BudgetKind> allowed);
/// "5 GB", "20 ms", "0.02", "30 dB".
[[nodiscard]] std::string budget_text(BudgetKind kind, double value);

/// A tensor of a model, or a layer of a network.
struct PlannedTensor {
  std::string name;                 ///< "blk.0.ffn_down.weight"; of a network, the node's name
  std::string module = {};          ///< the module in the framework ("model.layers.0.mlp.down_proj"), `*` in it any name; empty: not known
  std::string weight = {};          ///< of a network, the name of the tensor with the weights; empty: not known
  std::string type = {};            ///< of a network, the node's operator
  double elements = unknown;        ///< of the weights
  FormatOption chosen = {};         ///< `format` no_format: the layer stays as it is in the file
  double sqnr_db = unknown;         ///< of the weights in this format; infinite: exact
  bool own_error = false;           ///< by the weights themselves; else what is usual in this format
  std::string shared = {};          ///< of a network: the layer with the same weights that counts their bytes and noise; empty: not shared
  std::string unnamed_output = {};  ///< of a network: the node's first output, if its file gives it no name; else empty
  std::optional<Roles> operands = {};  ///< of a network: that take the format; none: the layer stays as it is in the file
};

/// The llama-quantize mixture that a plan is compared with: the one with the least KLD among those no larger than the plan, or for
/// a time budget no slower.
struct BestMixture {
  std::string name;  ///< empty: none is as small or as fast, or the plan is for another tool
  double bytes = unknown, time_s = unknown, kld = unknown;
};

struct FormatPlan {
  std::string subject;  ///< the model's or network's name
  std::string machine;  ///< its id
  Budget budget;
  double reached = unknown;  ///< in the budget's unit; NaN: not known
  bool admissible = false;   ///< the budget is kept; else this is the nearest plan
  double bytes = 0;          ///< of all weights, those that the plan leaves alone among them
  double time_s = unknown;   ///< estimate per token of one sequence; of a network the most that a run takes (whatif_times)
  double least_s = unknown;  ///< of a network, the least that a run takes
  double today_s = unknown;  ///< of a network, a run in the formats of the file: measured, else the estimate
  double kld = unknown, kld_low = unknown, kld_high = unknown;  ///< of a language model: nats per token, and the range for 80% of models
  double sqnr_db = unknown;                                     ///< of a network: of the mean noise of its layers
  std::vector<PlannedTensor> tensors;
  BestMixture best_mixture;       ///< of a language model
  std::vector<SweepPoint> front;  ///< cost in bytes, of a time budget in seconds, over KLD, of a network over mean noise to signal
  std::string finding;            ///< in words: what the plan has, or by how much it misses
  std::string credit;             ///< whose measurements the quality follows; empty: nobody's
  bool imatrix = true;            ///< of a language model: made with an importance matrix
  bool activations = false;       ///< formats of 8 bits hold activations, too; of fewer, weights alone
};

/// Removes repeats and checks that `tool` supports every format ("llama-quantize", "ik", "llm-compressor", "onnxruntime", "nncf"; any other
/// name supports all). The error lists the formats that the tool supports.
[[nodiscard]] Result<std::vector<FormatId>> formats_for_tool(std::string_view tool, const std::vector<FormatId>& formats);

/// "roofline-format-plan/1".
[[nodiscard]] std::string plan_json(const FormatPlan& plan);
/// The finding, and how many tensors of each kind are in each format.
[[nodiscard]] std::string plan_table(const FormatPlan& plan);

/// Tools that a plan is written for, by their names in `-o`: of language models, and of networks.
inline constexpr std::string_view model_plan_tools[] = {"llama-quantize", "ik", "llm-compressor"};
inline constexpr std::string_view network_plan_tools[] = {"onnxruntime", "nncf", "llm-compressor"};

/// The plan as a command or script for `tool`; "json": plan_json(). Empty: unknown tool.
[[nodiscard]] std::string plan_for(const FormatPlan& plan, std::string_view tool);

/// Finds formats by id or alias and checks them with formats_for_tool(). The error for an unknown name suggests similar ones.
[[nodiscard]] Result<std::vector<FormatId>> plan_formats(const std::vector<std::string>& names, std::string_view tool);

/// The default formats of a network's plan: those of INT8, INT4 in groups of 128 and FP8 E4M3 that the tool supports.
[[nodiscard]] std::vector<FormatId> network_plan_formats(std::string_view tool);

/// A command line of llama.cpp's llama-quantize: --tensor-type by layer, comments with the bytes that come out.
[[nodiscard]] std::string plan_for_llama_quantize(const FormatPlan& plan);
/// The same of ik_llama.cpp's, with --custom-q.
[[nodiscard]] std::string plan_for_ik_llama(const FormatPlan& plan);
/// A recipe.yaml of llm-compressor: a group of targets per format, by the modules' names.
[[nodiscard]] std::string plan_for_llm_compressor(const FormatPlan& plan);
/// Python for onnxruntime.quantization: nodes_to_exclude and TensorQuantOverrides.
[[nodiscard]] std::string plan_for_onnx_runtime(const FormatPlan& plan);
/// Python for NNCF: compress_weights() and quantize() with an ignored_scope.
[[nodiscard]] std::string plan_for_nncf(const FormatPlan& plan);

}  // namespace roofline
