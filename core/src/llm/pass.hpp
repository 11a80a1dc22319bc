// The operators of one pass, and what the estimate takes from it.
#pragma once

#include <roofline/llm/llm.hpp>
#include <string>
#include <vector>

#include "llm/row_formulas.hpp"
#include "machine/all_reduce.hpp"

namespace roofline {

/// A row, and the sizes that its formulas had in a pass.
struct SizesOfRow {
  LlmOp op{};
  bool windowed = false;
  LlmSizes sizes = {};
};

/// Every operator of one pass with its work. `tile_rows`: query rows of one flash tile. `traced` may be null.
void lay_out(const LlmSetup& setup, const LlmPass& pass, double tile_rows, LlmRows& out, SizesOfRow* traced = nullptr);

/// Elements of the experts' format that one bias of an expert takes: it is kept in the norms' format. 0: no biases.
[[nodiscard]] double expert_bias_elements(const LlmSetup& setup);

/// Of a layer's own time, what one occurrence of an operator stands for: layers over the occurrences of a pass.
[[nodiscard]] double layer_share(const LlmSetup& setup);

/// Tokens that a pass over a prompt takes on one machine; 0: the pass is of no prompt.
[[nodiscard]] double prompt_tokens(const LlmSetup& setup, const LlmPass& pass);

/// The channels of a setup's rows: the first link, and the scale-out link if machines in several scale-up domains use it. Without a link:
/// none.
[[nodiscard]] std::vector<Channel> link_channels(const LlmSetup& setup, const Machine& machine);

/// How a row's link_bytes are on these channels.
[[nodiscard]] LinkShares link_shares(const LlmSetup& setup, LlmOp op, const Machine& machine);

/// The rows of a pass as a workload's, in their order, all of one step; without fill_bytes().
[[nodiscard]] Workload pass_workload(const LlmPlan& plan, const LlmRows& rows, const std::string& step, double prompt_tokens);

/// What is taken for granted of a model beyond its sizes, in sentences for the diagnostics.
[[nodiscard]] std::vector<std::string> assumptions(const Model& model);

}  // namespace roofline
