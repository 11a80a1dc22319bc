// Workloads that the core makes itself, from a request instead of a file. One source is one file here and one line in sources.cpp.
#pragma once

#include <roofline/result.hpp>
#include <roofline/scenario.hpp>
#include <roofline/workload.hpp>
#include <string_view>

#include "json.hpp"

namespace roofline {

struct BuiltSource {
  std::string_view kind;  ///< "operator", "model"
  /// `scenario`: the settings in force, for what depends on the machine (the name of its link).
  Result<Workload> (*build)(const Json& request, const Scenario& scenario) = nullptr;
};

Result<Workload> build_model(const Json& request, const Scenario& scenario);  ///< core/src/build/model.cpp
[[nodiscard]] Result<Workload> build_operator(const Json& request, const Scenario& scenario);

[[nodiscard]] const BuiltSource* find_source(std::string_view kind);  ///< null: there is none

}  // namespace roofline
