#include "network/length_expression.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>

namespace roofline {
namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

/// In the words of our own expressions: SymPy's functions and its power; "_plus_" as onnxruntime's exporters spell a sum.
std::string in_our_words(std::string_view written) {
  std::string text(written);
  replace_all(text, "_plus_", " + ");
  replace_all(text, "**", "^");
  for (const auto& [theirs, ours] : {std::pair("Max(", "max("), std::pair("Min(", "min("), std::pair("ceiling(", "ceil(")}) replace_all(text, theirs, ours);
  return text;
}

}  // namespace

LengthExpression::LengthExpression(std::string_view written) {
  const std::string text = in_our_words(written);
  Variables variables;
  bool computes = false;
  for (std::size_t at = 0; at < text.size();) {
    if (!starts_name(text[at])) {
      computes = computes || std::string_view("+-*/%^(").find(text[at]) != std::string_view::npos;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && in_name(text[at])) ++at;
    const std::string name = text.substr(begin, at - begin);
    const bool call = at < text.size() && text[at] == '(';
    if (!call && variables.find(name) < 0) variables.names.push_back(name);
  }
  if (computes) {
    static Keys keys;
    Keys own = keys;
    if (auto compiled = Expression::compile(text, own, variables); compiled && compiled->fields().empty()) {
      expression_ = std::move(*compiled);
      names_ = std::move(variables.names);
      return;
    }
  }
  names_ = {std::string(written)};
}

double LengthExpression::at(std::span<const double> lengths) const {
  if (std::any_of(lengths.begin(), lengths.end(), [](double l) { return !known(l); })) return unknown;
  if (!expression_) return lengths.empty() ? unknown : lengths[0];
  const Result<double> value = expression_->evaluate(Record(), lengths);
  return value && *value >= 0 && *value == std::floor(*value) ? *value : unknown;
}

}  // namespace roofline
