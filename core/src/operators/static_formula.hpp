// Formulas that are computed and shown alike: the compiler parses their text, so what is printed is what ran, at the speed of C++.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace roofline {

/// A string as a template argument.
template <std::size_t size>
struct StaticText {
  char text[size] = {};
  consteval StaticText(const char (&literal)[size]) {
    for (std::size_t i = 0; i < size; ++i) text[i] = literal[i];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text, size - 1}; }
};

/// Where `wanted` is first in `text`; the text's size: nowhere. string_view::find is no constant expression under GCC 12's sanitizers.
constexpr std::size_t index_of(std::string_view text, char wanted) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != wanted) ++at;
  return at;
}

/// The names of a formula's variables, in the order of its arguments: VariableNames<"N Ci Co">.
template <StaticText list>
struct VariableNames {
  static constexpr std::size_t count = [] {
    std::size_t spaces = 0;
    for (const char c : list.view()) spaces += c == ' ' ? 1 : 0;
    return spaces + 1;
  }();
  static constexpr std::array<std::string_view, count> names = [] {
    std::array<std::string_view, count> out;
    std::string_view rest = list.view();
    for (std::string_view& name : out) {
      const std::size_t end = index_of(rest, ' ');
      name = rest.substr(0, end);
      rest.remove_prefix(end == rest.size() ? end : end + 1);
    }
    return out;
  }();
};

/// One node of a parsed formula: a number, a variable by its index, or an operation (+ - * /) on two other nodes.
struct FormulaNode {
  char operation = 'n';  // 'n': a number, 'v': a variable
  std::size_t left = 0, right = 0;
  double number = 0;
};

/// Not constexpr, so that a faulty formula does not compile, and the compiler shows the call with what is wrong.
inline void not_a_formula(const char* /*what*/) {}

/// Sums, differences, products and quotients of names, numbers and brackets, from the left. A fault is a compiler error.
template <std::size_t capacity, std::size_t names_count>
class FormulaParser {
 public:
  constexpr FormulaParser(std::string_view text, const std::array<std::string_view, names_count>& names) : text_(text), names_(names) {
    root = sum();
    if (at_ != text_.size()) not_a_formula("a formula goes on after its end");
  }
  std::array<FormulaNode, capacity> nodes = {};
  std::size_t root = 0;

 private:
  constexpr char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  constexpr std::size_t add(FormulaNode node) {
    nodes[size_] = node;
    return size_++;
  }
  constexpr std::size_t sum() {
    std::size_t left = product();
    while (peek() == '+' || peek() == '-') left = operation(left, &FormulaParser::product);
    return left;
  }
  constexpr std::size_t product() {
    std::size_t left = operand();
    while (peek() == '*' || peek() == '/') left = operation(left, &FormulaParser::operand);
    return left;
  }
  constexpr std::size_t operation(std::size_t left, std::size_t (FormulaParser::*next)()) {
    const char sign = text_[at_++];
    const std::size_t right = (this->*next)();
    return add({sign, left, right, 0});
  }
  constexpr std::size_t operand() {
    if (peek() == '(') {
      ++at_;
      const std::size_t inner = sum();
      if (peek() != ')') not_a_formula("a bracket is not closed");
      ++at_;
      return inner;
    }
    const std::size_t begin = at_;
    constexpr std::string_view ends = " +-*/()";
    while (at_ < text_.size() && index_of(ends, text_[at_]) == ends.size()) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) not_a_formula("expected a name, a number or a bracket");
    if (word[0] >= '0' && word[0] <= '9') {
      double number = 0;
      for (const char c : word) number = number * 10 + (c - '0');
      return add({'n', 0, 0, number});
    }
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == word) return add({'v', i, 0, 0});
    not_a_formula("a name is not among the variables");
    return 0;
  }

  std::string_view text_;
  const std::array<std::string_view, names_count>& names_;
  std::size_t at_ = 0, size_ = 0;
};

/// The formula `text` over the variables that `Names` lists.
template <class Names, StaticText text>
class StaticFormula {
 public:
  static constexpr std::string_view expression = text.view();
  /// `variables`: one value for each of Names::names.
  static constexpr double value(const double* variables) { return of<parsed.root>(variables); }

 private:
  struct Tree {
    std::array<FormulaNode, text.view().size() + 1> nodes;
    std::size_t root;
  };
  static constexpr Tree parsed = [] {
    const FormulaParser<text.view().size() + 1, Names::names.size()> parser(text.view(), Names::names);
    return Tree{parser.nodes, parser.root};
  }();
  template <std::size_t index>
  static constexpr double of(const double* variables) {
    constexpr FormulaNode node = parsed.nodes[index];
    if constexpr (node.operation == 'n')
      return node.number;
    else if constexpr (node.operation == 'v')
      return variables[node.left];
    else if constexpr (node.operation == '+')
      return of<node.left>(variables) + of<node.right>(variables);
    else if constexpr (node.operation == '-')
      return of<node.left>(variables) - of<node.right>(variables);
    else if constexpr (node.operation == '*')
      return of<node.left>(variables) * of<node.right>(variables);
    else
      return of<node.left>(variables) / of<node.right>(variables);
  }
};

}  // namespace roofline
