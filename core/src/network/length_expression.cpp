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

/// SymPy's and PyTorch's functions in the words of our own expressions.
struct Function {
  std::string_view name;
  enum { joined, from_left, called } kind;  ///< a op b op c; f(f(a, b), c); a pattern with the arguments as $1, $2, $3
  std::string_view as;
};
constexpr Function functions[] = {{"Add", Function::joined, "+"},
                                  {"Mul", Function::joined, "*"},
                                  {"Max", Function::from_left, "max"},
                                  {"max", Function::from_left, "max"},
                                  {"Min", Function::from_left, "min"},
                                  {"min", Function::from_left, "min"},
                                  {"Integer", Function::called, "($1)"},
                                  {"Rational", Function::called, "($1 / $2)"},
                                  {"Float", Function::called, "($1)"},
                                  {"Pow", Function::called, "($1 ^ $2)"},
                                  {"PowByNatural", Function::called, "($1 ^ $2)"},
                                  {"FloorDiv", Function::called, "($1 // $2)"},
                                  {"CleanDiv", Function::called, "($1 // $2)"},
                                  {"CeilDiv", Function::called, "ceil($1 / $2)"},
                                  {"IntTrueDiv", Function::called, "($1 / $2)"},
                                  {"FloatTrueDiv", Function::called, "($1 / $2)"},
                                  {"TrueDiv", Function::called, "($1 / $2)"},
                                  {"Mod", Function::called, "($1 % $2)"},
                                  {"PythonMod", Function::called, "($1 % $2)"},
                                  {"ModularIndexing", Function::called, "(($1 // $2) % $3)"},
                                  {"ceiling", Function::called, "ceil($1)"},
                                  {"CeilToInt", Function::called, "ceil($1)"},
                                  {"FloorToInt", Function::called, "floor($1)"},
                                  {"TruncToInt", Function::called, "floor($1)"},
                                  {"RoundToInt", Function::called, "floor($1 + 0.5)"},
                                  {"Abs", Function::called, "abs($1)"},
                                  {"Identity", Function::called, "($1)"},
                                  {"ToFloat", Function::called, "($1)"}};

/// Translates one expression; what it does not know it leaves as it stands.
class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text) {}

  /// Up to a comma or a closing bracket that belongs to what is around it, or the end.
  std::string expression(int depth = 0) {
    std::string out;
    int open = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (open == 0 && (c == ',' || c == ')')) break;
      if (starts_name(c)) {
        out += named(depth);
        continue;
      }
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      out += c;
      ++at_;
    }
    return out;
  }

 private:
  static constexpr int deepest = 64;

  std::string named(int depth) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (at_ == text_.size() || text_[at_] != '(' || depth == deepest) return std::string(name);
    ++at_;
    if (name == "Symbol") return symbol();
    std::vector<std::string> arguments;
    do arguments.push_back(expression(depth + 1));
    while (at_ < text_.size() && text_[at_++] == ',');
    for (const Function& function : functions)
      if (function.name == name) return call(function, arguments);
    std::string out = std::string(name) + '(';
    for (std::size_t i = 0; i < arguments.size(); ++i) out += (i > 0 ? "," : "") + arguments[i];
    return out + ')';
  }

  /// "'s0', positive=True)": the name, and what is assumed of it.
  std::string symbol() {
    const std::size_t end = std::min(text_.find(')', at_), text_.size()), open = text_.find('\'', at_), close = text_.find('\'', open + 1);
    at_ = std::min(end + 1, text_.size());
    return open < close && close < end ? std::string(text_.substr(open + 1, close - open - 1)) : std::string();
  }

  static std::string call(const Function& function, const std::vector<std::string>& arguments) {
    std::string out;
    if (function.kind == Function::called) {
      for (std::size_t i = 0; i < function.as.size(); ++i) {
        if (function.as[i] != '$') {
          out += function.as[i];
          continue;
        }
        const auto which = static_cast<std::size_t>(function.as[++i] - '1');
        out += which < arguments.size() ? '(' + arguments[which] + ')' : std::string();
      }
      return out;
    }
    for (const std::string& argument : arguments) {
      if (out.empty())
        out = argument;
      else if (function.kind == Function::joined)
        out.append(" ").append(function.as).append(" ").append(argument);
      else
        out = std::string(function.as) + '(' + out + ',' + argument + ')';
    }
    return function.kind == Function::joined ? '(' + out + ')' : out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// In the words of our own expressions; "_plus_" is onnxruntime's exporters' sum.
std::string in_our_words(std::string_view written) {
  std::string text(written);
  replace_all(text, "_plus_", " + ");
  replace_all(text, "**", "^");
  return Translator(text).expression();
}

}  // namespace

LengthExpression::LengthExpression(std::string_view written) {
  if (written.size() > Expression::max_text) {
    names_ = {std::string(written)};
    return;
  }
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
  names_ = {variables.names.size() == 1 && text == variables.names[0] ? text : std::string(written)};
}

double LengthExpression::at(const std::unordered_map<std::string, double>& lengths) const {
  std::vector<double> values;
  for (const std::string& name : names_) {
    const auto found = lengths.find(name);
    values.push_back(found == lengths.end() ? unknown : found->second);
  }
  return at(values);
}

double LengthExpression::at(std::span<const double> lengths) const {
  if (std::any_of(lengths.begin(), lengths.end(), [](double l) { return !known(l); })) return unknown;
  if (!expression_) return lengths.empty() ? unknown : lengths[0];
  const Result<double> value = expression_->evaluate(Record(), lengths);
  if (!value) return unknown;
  const double whole = std::round(*value);  // a factor such as 1/3 is not exact
  return whole >= 0 && std::abs(*value - whole) <= 1e-9 * std::max(1.0, whole) ? whole : unknown;
}

}  // namespace roofline
