#include "session/sources.hpp"

#include <vector>

#include "calculator/json.hpp"
#include "llm/request_json.hpp"

namespace roofline {
namespace {

/// A language model's inference: the request that docs/guide/llm.md describes.
Result<Workload> build_model(const Json& request, const Scenario& scenario) {
  const Result<LlmRequest> parsed = llm_request_from(request);
  if (!parsed) return Unexpected(parsed.error());
  return llm_workload(*parsed, scenario);
}

/// An operator by its shape: the request is that of calculation_from.
Result<Workload> build_operator(const Json& request, const Scenario&) {
  const auto calculation = calculation_from(request);
  if (!calculation) return Unexpected(calculation.error());
  return workload_of(*calculation);
}

}  // namespace

const BuiltSource* find_source(std::string_view kind) {
  static const std::vector<BuiltSource> sources = {
      {"model", build_model},
      {"operator", build_operator},
  };
  for (const BuiltSource& source : sources)
    if (source.kind == kind) return &source;
  return nullptr;
}

}  // namespace roofline
