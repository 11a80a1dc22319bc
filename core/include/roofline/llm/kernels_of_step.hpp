// A model beside a trace of its inference: what each of its operators should have taken in the very step that was recorded, and the kernels
// that ran it. Works for a CUDA graph that is replayed whole, where a trace knows no operators.
#pragma once

#include <roofline/llm/llm.hpp>
#include <roofline/workload/workload.hpp>
#include <string_view>

namespace roofline {

/// A model as an engine served it.
struct ServedModel {
  LlmSetup setup;
  double context = unknown;  ///< tokens of each sequence at the end of a step, for steps that do not state it (SGLang's step[DECODE bs=32])
};

/// From the JSON of a model's request (parse_llm_request()); the context is known only where it is stated.
[[nodiscard]] Result<ServedModel> parse_served_model(std::string_view json);

/// The model's operators, measured. `launches`: a trace read with ReadOptions::each_launch, with an inference engine's steps (vLLM,
/// SGLang). Operators that one kernel runs, or that kernels do not tell apart, are one row ("gate_proj + up_proj"); an operator without a
/// kernel is predicted alone, and kernels without an operator are time only. Diagnostics say how much was matched. An error where it is no
/// such trace, where that is less than half of the time, where the context is neither stated nor given, or where the model has not as many
/// layers as a step has attentions.
[[nodiscard]] Result<Workload> place_kernels(const Workload& launches, const ServedModel& model, const Scenario& scenario);

}  // namespace roofline
