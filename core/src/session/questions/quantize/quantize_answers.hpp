// Questions about formats: mixtures, plans within a budget, and a model shared with its host. They need settings and no open workload, so
// that modules without a session answer them (wasm/quantize.cpp, wasm/network.cpp).
#pragma once

#include <roofline/network/byte_source.hpp>
#include <roofline/network/network.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Answers a question under settings of the form of roofline_config.json; {"error"} in place of a failed answer.
///
/// "mixtures": of llama-quantize: {"request": of a language model, "imatrix": true} -> "roofline-quantize/1", its finding in parts.
/// "plan": {"request": of a language model, "budget": {"kind": one of BudgetKind, "value"}, "imatrix": true, "tool": "llama-quantize",
/// "own_errors": {tensor: error}} -> {"plan": "roofline-format-plan/1", "groups": [{"name", "format", "layers", "bytes"}], "text": the plan
/// in the tool's words}. own_errors: of gguf_own_errors(); may be absent.
/// "offload": {"request", "host": id or machine, "gpu_layers": null for the best number, "experts_on_host": false} -> offload_json() with
/// "layers", the most that the card can have.
/// "accuracy": {"sample"} -> {"sqnr_db": {format: dB, null: exact}} of GGUF's types.
[[nodiscard]] std::string answer_quantize(std::string_view question, std::string_view settings, std::string_view request);

/// A plan for an open network: {"dimensions", "budget", "tool"} -> {"plan", "text", "finding"}. `file`: what it was opened from;
/// `tool_chain`: by whose rules its operations are merged. With {"accuracy": true, "first": 0, "count"}, the SQNR of the weights of
/// "count" layers instead: {"tensors": {node: {format: dB, null: exact}}, "total": layers that have weights in the file}.
[[nodiscard]] std::string answer_network_plan(const Network& network, const ByteSource& file, std::string_view name, ToolChain tool_chain,
                                              std::string_view settings, std::string_view request);

}  // namespace roofline
