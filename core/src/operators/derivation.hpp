// What all derivations share: reading fields, naming what is wrong with them, recording the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/operators/operator.hpp>
#include <span>
#include <string>
#include <string_view>

#include "operators/work_formulas.hpp"

namespace roofline {

/// Lengths of a tensor's dimensions: positive whole numbers, once Derivation has read them. Empty: a scalar.
using Shape = std::span<const double>;

[[nodiscard]] double product(Shape shape);
[[nodiscard]] std::string shown(Shape shape);  ///< "[1, 64, 224, 224]"

inline constexpr double largest_exact = 0x1p53;  ///< above it, doubles skip whole numbers
inline constexpr double largest_count = 0x1p63;

/// A whole number from `least` to 2^53.
[[nodiscard]] inline bool is_count(double value, double least = 1) {
  return value >= least && value <= largest_exact && static_cast<double>(static_cast<std::int64_t>(value)) == value;
}
[[nodiscard]] inline double all_elements(const Work& work) {
  return work.weight + work.activation + work.output + work.kv_read + work.kv_write;
}
/// Fewer than 2^63 FLOPs and elements.
[[nodiscard]] inline bool countable(const Work& work) {
  return work.matrix_flops + work.vector_flops < largest_count && all_elements(work) < largest_count;
}

/// An operator's derivation: its family's, called with the arguments that distinguish the operator.
template <auto derive, auto... apart>
Result<Work> derive_as(const Record& record, Trace* trace) {
  return derive(record, trace, apart...);
}

/// A setting per spatial dimension: a list, or one number for all of them.
struct PerDimension {
  Shape list;
  double scalar = 0;
  [[nodiscard]] double operator[](std::size_t i) const { return list.empty() ? scalar : list[i]; }
};

/// One derivation at work. Fields are read first; the first fault sticks, and what is read after it means nothing. So a derivation reads
/// its fields, tests failed() once before it indexes or divides by them, and ends in finish(). Allocates only for faults and the trace.
class Derivation {
 public:
  Derivation(const Record& record, Trace* trace) : record_(record), trace_(trace) {}

  [[nodiscard]] bool has(Key key) const { return record_.has(key); }
  [[nodiscard]] const Record& record() const { return record_; }

  /// A shape of at least `min_rank` dimensions. A number stands for a shape of rank 1.
  Shape shape(Key key, std::size_t min_rank = 0);

  /// The tensors of an operation: `key`, or the entry `index` of the list `inputs`, as profilers write them.
  [[nodiscard]] bool has_operand(Key key, std::size_t index) const { return has(key) || first_ + index < record_.shape_count(key::inputs); }
  Shape operand(Key key, std::size_t index, std::size_t min_rank = 0);
  /// The one tensor of an operation, under whichever of its names: input_shape, input_self, input_input, inputs.
  [[nodiscard]] Key input_key() const;
  Shape input(std::size_t min_rank = 0) { return operand(input_key(), 0, min_rank); }
  /// All tensors of `inputs`: checks them, returns how many.
  std::size_t inputs();
  /// What a backward operation lists first in `inputs`, the output's gradient, has the shape of the output: skipped.
  void skip_inputs(std::size_t count);

  double whole(Key key);  ///< a positive whole number
  double whole(Key key, double fallback) { return has(key) ? whole(key) : fallback; }
  bool flag(Key key, bool fallback);          ///< true, false, 0 or 1
  double fraction(Key key, double fallback);  ///< from 0 up to, and without, 1
  /// grad_input and grad_weight: which gradients a backward operation computes, at least one of them. 0 or 1 each.
  struct Gradients {
    double input = 1, weight = 1;
    [[nodiscard]] double count() const { return input + weight; }
  };
  Gradients gradients();
  std::string_view word(Key key);  ///< a string; empty where absent

  enum class Least : std::uint8_t { zero, one };
  void check_whole(Key key, Shape numbers, Least least);
  /// One whole number for each of `rank` dimensions.
  PerDimension per_dimension(Key key, std::size_t rank, Least least);
  PerDimension per_dimension(Key key, std::size_t rank, Least least, double fallback) {
    return has(key) ? per_dimension(key, rank, least) : PerDimension{{}, fallback};
  }

  /// An axis of a tensor of that rank; negative ones count from the end.
  std::size_t axis(double value, std::size_t rank);

  void fail(Key key, std::string message);
  void missing(Key key, std::string_view expected);
  [[nodiscard]] bool failed() const { return error_.has_value(); }

  [[nodiscard]] bool traced() const { return trace_ != nullptr; }
  /// The shape of what is written, as far as it is followed.
  void output(Shape shape) {
    if (trace_ != nullptr) trace_->output.assign(shape.begin(), shape.end());
  }
  /// A note that costs nothing to make; test traced() before building any other.
  void note(std::string_view text) {
    if (trace_ != nullptr) trace_->notes.emplace_back(text);
  }

  /// The fault, or the work by the operator's formulas at these sizes. `blame` is the field to name where a count passes 2^63.
  template <class Formulas>
  Result<Work> finish(const typename Formulas::Sizes& sizes, Key blame, const OpSizes& kept = {}) {
    for (std::size_t i = 0; trace_ != nullptr && i < sizes.size(); ++i) trace_->add(Formulas::Names::names[i], sizes[i]);
    Work work = Formulas::work(sizes);
    work.sizes = kept;
    return checked(work, blame);
  }
  Result<Work> fault() { return Unexpected(std::move(*error_)); }

 private:
  Result<Work> checked(const Work& work, Key blame);
  Shape checked(Key key, Shape shape, std::size_t min_rank);
  void trace_read(Key key, Shape shape);
  static constexpr std::size_t no_dimension = static_cast<std::size_t>(-1);
  bool is_whole(Key key, double value, Least least, std::size_t dimension = no_dimension);

  const Record& record_;
  Trace* trace_;
  std::size_t first_ = 0;  // of `inputs`
  std::optional<Error> error_;
};

}  // namespace roofline
