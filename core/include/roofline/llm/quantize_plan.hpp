// A quantisation of one's own: the type of each tensor of a language model within a budget.
#pragma once

#include <functional>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/llm/quality_table.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/network/byte_source.hpp>
#include <span>
#include <unordered_map>

namespace roofline {

/// By name of a tensor, its own error relative to what is usual in its class: 1 is usual.
using OwnErrors = std::unordered_map<std::string, double>;

struct QuantizePlanOptions {
  Budget budget;
  std::vector<FormatId>
      formats;          ///< to choose from; empty: GGUF's types, or with `serving_modules` INT4 and INT8 in groups of 128, and BF16
  bool imatrix = true;  ///< made with an importance matrix: without one, types that need it are left out
  bool serving_modules = false;  ///< for safetensors: tensors that servers fuse (q, k and v; gate and up) share a format, embeddings stay
  OwnErrors own_errors = {};     ///< of tensors that it does not name, the usual
  const QualityTable* quality = nullptr;  ///< null: the built-in one
};

/// Budgets that a language model has.
inline constexpr BudgetKind model_budgets[] = {BudgetKind::bytes, BudgetKind::memory, BudgetKind::tpot, BudgetKind::kld};

/// The plan with the least KL divergence within the budget; of a KLD the smallest. Noise of a tensor: its share in the divergence, by class
/// and depth, times the divergence of the model in the type, times its own error. A format that was not measured (INT4 in groups) has
/// the divergence of Q4_0 times the ratio of both errors on normally distributed weights.
/// Fails where a format of `options.formats` has no known error.
[[nodiscard]] Result<FormatPlan> plan_quantization(const LlmRequest& request, const Scenario& scenario, const QuantizePlanOptions& options);

/// Own errors of the tensors in a GGUF file of 16- or 32-bit floats, read by ranges, from evenly spread rows of each: the error of INT4
/// with a scale per 32 weights, relative to the median of the tensor's class. Empty if the file's weights are quantised, or if it ends
/// before them. Fails where the header is malformed, or a tensor cannot be read.
[[nodiscard]] Result<OwnErrors> gguf_own_errors(const ByteSource& file, const std::string& name);

/// A GGUF file that is read by ranges; `source` must outlive the call that it is for.
struct GgufSource {
  std::string name;
  const ByteSource* source = nullptr;
};
/// The same for all files of a split model. Errors are relative to the medians of the whole model's classes.
[[nodiscard]] Result<OwnErrors> gguf_own_errors(std::span<const GgufSource> files);

}  // namespace roofline
