#include "operators/derivation.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

const char* kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::absent:
      return "missing";
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "true or false";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::string:
      return "a string";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::shapes:
      return "a list of lists";
    case Value::Kind::other:
      return "an object or a deeper list";
  }
  return "";
}

constexpr std::string_view a_shape = "expected a shape, a list of positive whole numbers";

}  // namespace

double product(Shape shape) {
  double result = 1;
  for (const double length : shape) result *= length;
  return result;
}

std::string shown(Shape shape) {
  constexpr std::size_t most = 8;
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size() && i < most; ++i) text += (i > 0 ? ", " : "") + plain(shape[i]);
  return text + (shape.size() > most ? ", ...]" : "]");
}

void Derivation::fail(Key key, std::string message) {
  if (!error_) error_ = Error{std::move(message), 0, 0, std::string(key_name(key))};
}

void Derivation::missing(Key key, std::string_view expected) {
  const Value& value = record_[key];
  fail(key, (value.present() ? "is " : "") + std::string(kind_name(value.kind)) + ": " + std::string(expected));
}

bool Derivation::is_whole(Key key, double value, Least least, std::size_t dimension) {
  if (is_count(value, least == Least::one ? 1 : 0)) [[likely]]
    return true;
  fail(key, (dimension == no_dimension ? "" : "dimension " + std::to_string(dimension) + " ") + "is " + plain(value) +
                (value > largest_exact ? ": expected at most 9007199254740992 (2^53)"
                 : least == Least::one ? ": expected a positive whole number"
                                       : ": expected a whole number, 0 or more"));
  return false;
}

void Derivation::check_whole(Key key, Shape numbers, Least least) {
  for (std::size_t i = 0; i < numbers.size(); ++i) is_whole(key, numbers[i], least, i);
}

void Derivation::trace_read(Key key, Shape shape) {
  for (const Key no_tensor : {key::output_shape, key::output_size, key::normalized_shape, key::kernel_size})
    if (key == no_tensor) return;
  const auto once = [&](const TensorRead& known) {  // derivations may look at an operand twice
    return known.name == key_name(key) && key != key::inputs && known.shape.size() == shape.size();
  };
  if (std::none_of(trace_->reads.begin(), trace_->reads.end(), once))
    trace_->reads.push_back({key_name(key), {shape.begin(), shape.end()}});
}

void Derivation::skip_inputs(std::size_t count) {
  first_ = count;
  for (std::size_t i = 0; trace_ != nullptr && i < std::min(count, record_.shape_count(key::inputs)); ++i)
    trace_read(key::inputs, record_.shape(key::inputs, i));
}

Shape Derivation::checked(Key key, Shape shape, std::size_t min_rank) {
  check_whole(key, shape, Least::one);
  if (trace_ != nullptr) trace_read(key, shape);
  if (shape.size() >= min_rank) return shape;
  fail(key, shown(shape) + " has " + std::to_string(shape.size()) + (shape.size() == 1 ? " dimension" : " dimensions") +
                ": expected at least " + std::to_string(min_rank));
  return {};
}

Shape Derivation::shape(Key key, std::size_t min_rank) {
  const Value& value = record_[key];
  if (value.kind == Value::Kind::list) return checked(key, record_.list(key), min_rank);
  if (value.kind == Value::Kind::number) return checked(key, {&value.number, 1}, min_rank);
  missing(key, a_shape);
  return {};
}

Shape Derivation::operand(Key key, std::size_t index, std::size_t min_rank) {
  if (!has(key) && first_ + index < record_.shape_count(key::inputs))
    return checked(key::inputs, record_.shape(key::inputs, first_ + index), min_rank);
  return shape(key, min_rank);
}

Key Derivation::input_key() const {
  for (const Key key : {key::input_shape, key::input_self, key::input_input})
    if (has(key)) return key;
  return key::input_shape;
}

std::size_t Derivation::inputs() {
  const Value& value = record_[key::inputs];
  if (value.kind != Value::Kind::shapes || !value.all_numbers) {
    if (value.kind == Value::Kind::shapes)
      fail(key::inputs, "has elements that are not numbers: expected a list of shapes");
    else
      missing(key::inputs, "expected a list of shapes");
    return 0;
  }
  for (std::size_t i = 0; i < value.size; ++i) checked(key::inputs, record_.shape(key::inputs, i), 0);
  return value.size;
}

double Derivation::whole(Key key) {
  const Value& value = record_[key];
  if (value.kind != Value::Kind::number)
    missing(key, "expected a positive whole number");
  else if (is_whole(key, value.number, Least::one))
    return value.number;
  return 1;
}

bool Derivation::flag(Key key, bool fallback) {
  const Value& value = record_[key];
  if (!value.present()) return fallback;
  if (value.kind == Value::Kind::boolean || (value.kind == Value::Kind::number && (value.number == 0 || value.number == 1)))
    return value.number != 0;
  if (value.kind == Value::Kind::number)
    fail(key, "is " + plain(value.number) + ": expected true or false");
  else
    missing(key, "expected true or false");
  return fallback;
}

double Derivation::fraction(Key key, double fallback) {
  const Value& value = record_[key];
  if (!value.present()) return fallback;
  if (value.kind != Value::Kind::number)
    missing(key, "expected a number from 0 to 1");
  else if (!(value.number >= 0 && value.number < 1))
    fail(key, "is " + plain(value.number) + ": expected a number from 0 up to 1, 1 excluded");
  else
    return value.number;
  return fallback;
}

Derivation::Gradients Derivation::gradients() {
  const Gradients wanted = {flag(key::grad_input, true) ? 1.0 : 0.0, flag(key::grad_weight, true) ? 1.0 : 0.0};
  if (wanted.count() == 0) fail(key::grad_weight, "is false, and grad_input is: expected one gradient at least");
  return wanted;
}

std::string_view Derivation::word(Key key) {
  const Value& value = record_[key];
  if (!value.present()) return {};
  if (value.kind == Value::Kind::string) return value.string;
  missing(key, "expected a string");
  return {};
}

PerDimension Derivation::per_dimension(Key key, std::size_t rank, Least least) {
  const Value& value = record_[key];
  if (value.kind == Value::Kind::number) {
    is_whole(key, value.number, least);
    return {{}, value.number};
  }
  const std::string_view expected = "expected a whole number, or one for each spatial dimension";
  if (value.kind != Value::Kind::list) {
    missing(key, expected);
    return {};
  }
  const Shape list = record_.list(key);
  check_whole(key, list, least);
  if (list.size() != rank)
    fail(key, shown(list) + " has " + std::to_string(list.size()) + " numbers: expected " + std::to_string(rank) +
                  ", one for each spatial dimension");
  return {list, 0};
}

std::size_t Derivation::axis(double value, std::size_t rank) {
  const auto r = static_cast<double>(rank);
  if (value >= -r && value < r && std::trunc(value) == value) return static_cast<std::size_t>(value < 0 ? value + r : value);
  fail(key::axis, "is " + plain(value) + ": expected a whole number from " + plain(-r) + " to " + plain(r - 1));
  return 0;
}

Result<Work> Derivation::checked(const Work& work, Key blame) {
  if (!error_ && !countable(work)) {
    const double flops = work.matrix_flops + work.vector_flops;
    const bool by_flops = !(flops < largest_count);
    fail(blame, "the shapes multiply to " + plain(by_flops ? flops : all_elements(work)) + (by_flops ? " FLOPs" : " elements") +
                    ": expected fewer than 2^63 (9.2e18)");
  }
  if (error_) return fault();
  return work;
}

}  // namespace roofline
