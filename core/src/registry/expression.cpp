// Expressions: running the instructions on a record.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <roofline/registry/expression.hpp>
#include <variant>

#include "base/letters.hpp"
#include "registry/program.hpp"

namespace roofline {

using namespace program;

namespace {

struct Shapes {  // a field that is a list of lists
  Key key;
};
using Operand = std::variant<double, List, std::string_view, Shapes>;

const char* kind_of(const Operand& value) {
  static constexpr const char* names[] = {"a number", "a list", "a string", "a list of lists"};
  return names[value.index()];
}

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string in_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

/// What cannot be read from the record, after the field's name.
const char* load(const Record& record, Key key, Operand& value) {
  static constexpr const char* not_all_numbers = "has an element that is not a number";
  if (key < record.key_count() && record[key].kind == Value::Kind::null) return "is not known";
  if (key >= record.key_count() || !record.has(key)) return "is not in the record";
  const Value& field = record[key];
  switch (field.kind) {
    case Value::Kind::number:
    case Value::Kind::boolean:
      if (!std::isfinite(field.number)) return "is not a finite number";
      value = field.number;
      return nullptr;
    case Value::Kind::string:
      value = field.string;
      return nullptr;
    case Value::Kind::list:
      if (!field.all_numbers) return not_all_numbers;
      value = record.list(key);
      return nullptr;
    case Value::Kind::shapes:
      if (!field.all_numbers) return not_all_numbers;
      value = Shapes{key};
      return nullptr;
    default:
      return "is neither a number, a string nor a list";
  }
}

/// A bound of a slice, counted from the end where negative and cut to the list.
std::size_t slice_bound(double bound, std::size_t size) {
  const double limit = static_cast<double>(size);
  return static_cast<std::size_t>(std::clamp(bound < 0 ? bound + limit : bound, 0.0, limit));
}

/// "input_mat1" of "input_mat1[1:]"; empty where the text is not that of a field.
std::string_view field_in(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_name_start(text[end]) || (end > 0 && is_digit(text[end])))) ++end;
  return end == text.size() || text[end] == '[' ? text.substr(0, end) : std::string_view();
}

/// The values at hand. The compiler has counted them: never more than there is room for, never too few, numbers where numbers are needed.
class Stack {
 public:
  void push(Operand value) { values_[size_++] = value; }
  Operand& top() { return values_[size_ - 1]; }
  double& number() { return *std::get_if<double>(&top()); }
  Operand pop() { return values_[--size_]; }
  double pop_number() { return *std::get_if<double>(&values_[--size_]); }

 private:
  std::array<Operand, Expression::max_values> values_;
  std::size_t size_ = 0;
};

}  // namespace

std::vector<std::string_view> Expression::fields() const {
  std::vector<std::string_view> names;
  for (const Instruction& step : code_)
    if (step.op == Op::field || step.op == Op::has) names.push_back(std::string_view(text_).substr(step.begin, step.end - step.begin));
  return names;
}

std::vector<std::string> parts_of(std::string_view field) {
  const std::string_view name = field.substr(0, field.find_first_of(" \t\n\r["));
  std::vector<std::string> parts{std::string(name)};
  for (std::size_t at = name.size(); (at = field.find_first_of("'\"", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(field.find(field[at], at + 1), field.size());
    parts.emplace_back(field.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return parts;
}

Result<double> Expression::evaluate(const Record& record, std::span<const double> variables) const {
  Stack stack;
  for (std::size_t next = 0; next < code_.size();) {
    const Instruction& step = code_[next++];
    const std::string_view about = std::string_view(text_).substr(step.begin, step.end - step.begin);
    const auto fault = [&](std::string message) {
      Error error = error_at(text_, step.begin, std::move(message));
      error.path = field_in(about);
      return Unexpected(std::move(error));
    };
    const auto wrong_kind = [&](const char* expected) {
      return fault(std::string("expected ") + expected + ", " + std::string(about) + " is " + kind_of(stack.top()));
    };
    const auto not_finite = [&](std::string_view what) { return fault("the result of " + std::string(what) + " is not a finite number"); };

    switch (step.op) {
      case Op::number:
        stack.push(step.number);
        break;
      case Op::string:
        stack.push(about.substr(1, about.size() - 2));
        break;
      case Op::variable:
        if (!std::isfinite(variables[step.operand])) return fault(std::string(about) + " is not known");
        stack.push(variables[step.operand]);
        break;
      case Op::field: {
        stack.push(0.0);
        if (const char* wrong = load(record, step.operand, stack.top())) return fault(std::string(about) + " " + wrong);
        break;
      }
      case Op::has:
        stack.push(step.operand < record.key_count() && record.has(step.operand) ? 1.0 : 0.0);
        break;

      case Op::unary:
        stack.number() = unaries[step.operand].apply(stack.number());
        break;
      case Op::binary: {
        const Binary& operation = binaries[step.operand];
        const double b = stack.pop_number();
        if (operation.divides && b == 0) return fault("division by zero");
        stack.number() = operation.apply(stack.number(), b);
        if (!std::isfinite(stack.number())) return not_finite(operation.name);
        break;
      }
      case Op::over_list: {
        const OverList& function = over_lists[step.operand];
        const List* list = std::get_if<List>(&stack.top());
        if (!list) return wrong_kind("a list");
        if (list->empty() && !function.of_empty) return fault(std::string(about) + " is empty");
        stack.top() = function.apply(*list);
        if (!std::isfinite(stack.number())) return not_finite(function.name);
        break;
      }
      case Op::length: {
        const List* list = std::get_if<List>(&stack.top());
        const Shapes* shapes = std::get_if<Shapes>(&stack.top());
        if (!list && !shapes) return wrong_kind("a list");
        stack.top() = static_cast<double>(list ? list->size() : record.shape_count(shapes->key));
        break;
      }
      case Op::equal:
      case Op::not_equal: {
        const Operand b = stack.pop(), a = stack.top();
        const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
        const auto *s = std::get_if<std::string_view>(&a), *t = std::get_if<std::string_view>(&b);
        if (!(x || s) || !(y || t)) return fault("lists cannot be compared");
        const bool same = (x && y && *x == *y) || (s && t && same_text(*s, *t));
        stack.top() = same == (step.op == Op::equal) ? 1.0 : 0.0;
        break;
      }
      case Op::index: {
        const double wanted = stack.pop_number();
        const List* list = std::get_if<List>(&stack.top());
        const Shapes* shapes = std::get_if<Shapes>(&stack.top());
        if (!list && !shapes) return wrong_kind("a list");
        const std::size_t size = list ? list->size() : record.shape_count(shapes->key);
        const double at = wanted < 0 ? wanted + static_cast<double>(size) : wanted;
        const auto element = [&] { return std::string(about) + "[" + in_digits(wanted) + "]"; };
        if (at != std::floor(at)) return fault(element() + ": an index is a whole number");
        if (at < 0 || at >= static_cast<double>(size))
          return fault(element() + " is out of range: the list has " + std::to_string(size) + (size == 1 ? " element" : " elements"));
        const auto i = static_cast<std::size_t>(at);
        if (list && !std::isfinite((*list)[i])) return fault(element() + " is not a finite number");
        if (list) {
          stack.top() = (*list)[i];
        } else {
          stack.top() = record.shape(shapes->key, i);
        }
        break;
      }
      case Op::slice: {
        const double stop = step.operand & has_stop ? stack.pop_number() : HUGE_VAL;
        const double start = step.operand & has_start ? stack.pop_number() : 0;
        const List* list = std::get_if<List>(&stack.top());
        if (!list) return wrong_kind("a list");
        if (start != std::floor(start) || stop != std::floor(stop)) return fault("the bounds of a slice are whole numbers");
        const std::size_t first = slice_bound(start, list->size()), last = slice_bound(stop, list->size());
        stack.top() = list->subspan(first, last > first ? last - first : 0);
        break;
      }
      case Op::expect_number:
        if (!std::holds_alternative<double>(stack.top())) return wrong_kind("a number");
        break;

      case Op::jump:
        next = step.operand;
        break;
      case Op::jump_if_false:
        if (stack.pop_number() == 0) next = step.operand;
        break;
      case Op::keep_if_false:
      case Op::keep_if_true: {
        const bool jumps_on = step.op == Op::keep_if_true;
        if ((stack.pop_number() != 0) != jumps_on) break;
        stack.push(jumps_on ? 1.0 : 0.0);
        next = step.operand;
        break;
      }
    }
  }
  return stack.number();
}

}  // namespace roofline
