// Lengths as files name them: "batch", or an expression of names: "past_seq_len + seq_len", SymPy's "Max(1, s0//2)", or its long form
// "Mul(Integer(32), Symbol('s1', positive=True))".
#pragma once

#include <optional>
#include <roofline/registry/expression.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofline {

class LengthExpression {
 public:
  /// What is no expression is a name as it stands: "DynamicDimension.0".
  explicit LengthExpression(std::string_view text);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool is_name() const { return !expression_; }
  /// At the lengths of its names, in their order. NaN where one is not known, or the result is no whole number of at least 0.
  [[nodiscard]] double at(std::span<const double> lengths) const;
  /// At lengths by name; one that is not among them is not known.
  [[nodiscard]] double at(const std::unordered_map<std::string, double>& lengths) const;

 private:
  std::vector<std::string> names_;
  std::optional<Expression> expression_;  ///< nullopt: the one name itself
};

}  // namespace roofline
