// The figures of the stacks, fitted to runs: few numbers, none of a single machine, by robust relative errors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measurements.hpp"
#include "robust_fit.hpp"

namespace roofline::validation {

/// A figure that one or several stacks share.
struct Parameter {
  std::string_view key;
  std::vector<std::string> stacks;
};
/// What is fitted; the other terms of the stacks' files are what an engine does, not how fast it is.
[[nodiscard]] const std::vector<Parameter>& parameters();

[[nodiscard]] Values values_of_presets();

/// The terms of a stack under those values.
[[nodiscard]] StackTerms terms_under(const Values& values, const Stack& stack);

/// Fits to the runs, from the presets' values. A parameter that none of the runs' stacks has stays.
[[nodiscard]] Values fitted(const std::vector<const Run*>& runs);

/// For each run estimated / measured where its block was held back: runs fall into `folds` parts by their block's name.
[[nodiscard]] std::vector<double> held_back(const std::vector<std::unique_ptr<Run>>& runs,
                                            const std::function<std::string(const Run&)>& block, std::size_t folds);

}  // namespace roofline::validation
