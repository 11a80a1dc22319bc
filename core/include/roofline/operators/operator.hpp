// Operators: what work an operation of a given shape is. One derivation per operator, in core/src/operators.
#pragma once

#include <roofline/base/result.hpp>
#include <roofline/workload/record.hpp>
#include <roofline/workload/symbol.hpp>
#include <roofline/workload/work.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A tensor that an operation reads, as its record writes it: under the name of a key ("input_mat1").
struct TensorRead {
  std::string_view name;
  std::vector<double> shape;
};

/// The named quantities of one derivation ("N" = 1, "Co" = 128), for showing its formula with the numbers put in.
/// `note` says what was assumed (SAME padding, a broadcast).
struct Trace {
  std::vector<std::pair<std::string_view, double>> symbols;
  std::vector<std::string> notes;
  std::vector<TensorRead> reads;  ///< in the order of the derivation, parameters among them
  std::vector<double> output;     ///< the shape of what it writes; empty: its derivation does not tell
  void add(std::string_view symbol, double value) { symbols.emplace_back(symbol, value); }
};

/// A formula in the trace's symbols, e.g. {"matrix_flops", "2 * N * Co * Po * (Ci / g) * Kp"}.
struct Formula {
  std::string_view quantity;
  std::string_view expression;
};

/// A parameter of an operator as a user writes it.
struct Parameter {
  std::string_view key;       ///< "input_shape"
  std::string_view meaning;   ///< "[N, Ci, spatial...]"
  std::string_view fallback;  ///< what applies where it is absent; empty: it is required
};

struct Operator {
  std::string_view id;    ///< "conv"
  std::string_view name;  ///< "Convolution"
  OpFamily family = OpFamily::other;
  Symbol symbol = Symbol::diamond;
  std::span<const std::string_view> names;  ///< how users write it, normalised() and without "id_", "aten::" and the like
  std::span<const Parameter> parameters;
  std::span<const Formula> formulas;
  std::string_view note;  ///< conventions, in a sentence or two
  /// The work of one record, or what is wrong with it (Error.path names the field). `trace` may be null.
  Result<Work> (*derive)(const Record& record, Trace* trace) = nullptr;
};

/// Every operator, in the order `roofline list operators` prints.
[[nodiscard]] std::span<const Operator* const> operators();

/// By id or by any name a user may write: "ID_CONV", "conv2d", "aten::convolution", "Conv". Null where unknown.
[[nodiscard]] const Operator* find_operator(std::string_view type);

/// Operator ids close to an unknown type, best first, at most three.
[[nodiscard]] std::vector<std::string> near_operators(std::string_view type);

/// "2 * N * Co = 2 * 1 * 128 = 256": a formula's expression with the trace's numbers put in and its value.
[[nodiscard]] std::string with_numbers(std::string_view expression, const Trace& trace, double value);

}  // namespace roofline
