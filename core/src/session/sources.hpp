// Workloads that the core makes itself, from a request instead of a file. One source is one function and one line in sources.cpp.
#pragma once

#include <roofline/base/result.hpp>
#include <roofline/scenario/scenario.hpp>
#include <roofline/workload/workload.hpp>
#include <string_view>

#include "base/json.hpp"

namespace roofline {

struct BuiltSource {
  std::string_view kind;  ///< "operator", "model"
  /// `scenario`: the settings in force, for what depends on the machine (the name of its link).
  Result<Workload> (*build)(const Json& request, const Scenario& scenario) = nullptr;
};

[[nodiscard]] const BuiltSource* find_source(std::string_view kind);  ///< null: there is none

}  // namespace roofline
