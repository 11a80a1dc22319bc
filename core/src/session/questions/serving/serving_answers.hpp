// Questions about serving. They need settings and no open workload, so that a module without a session answers them (wasm/serving.cpp).
#pragma once

#include <roofline/session/session.hpp>
#include <string_view>

namespace roofline {

/// Answers a question under settings of the form of roofline_config.json; as Session::ask(), {"error"} in place of a failed answer.
///
/// "serving": keys of parse_serving_request() -> "roofline-serving/1".
/// "frontier": keys of parse_frontier_request() -> "roofline-frontier/1" without its points, and those as columns: "tp0" (of machine 0),
/// ..., "weights0" (index into the request's), "bound_by0" (as ServingLimit), "flags0" (1 attention_dp, 2 meets_limits, 4 pareto).
/// "frontier_json", "frontier_csv": the same request -> the documents of `roofline frontier`; CSV as a JSON string.
/// "serving_runs": {"text": a benchmark's result} -> serving_runs_json().
[[nodiscard]] Answer answer_serving(std::string_view question, std::string_view settings, std::string_view request);

}  // namespace roofline
