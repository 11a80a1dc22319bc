// Recurrent layers. Each step multiplies the input and the last state by the weights, which a layer that keeps them near reads once. The
// state and the gates' own outputs stay in the layer.
#include "network/tflite/rules.hpp"

namespace roofline::tflite {
namespace {

/// The memory traffic of a product besides its weights.
struct Traffic {
  bool reads_input = true;
  double outputs_per_row = unknown;  ///< elements; NaN: its whole result
};

/// Rows of one input times `weights`, several matrices with the same inner length, as one product. `bias`: it has one for each output.
void products(const Operation& op, SizedNode& out, double rows, std::size_t data, std::size_t first, std::size_t count, bool bias,
              std::string_view part, const Traffic& traffic = {}) {
  double n = 0, k = 0;
  std::size_t some = first;
  for (std::size_t i = first; i < first + count; ++i) {
    if (op.shape(i).size() != 2) continue;
    n += op.length(i, 0);
    k = op.length(i, 1);
    some = i;
  }
  const std::size_t before = out.records.size();
  const work::Types types{op.type(data), op.type(some), op.out_type()};
  if (n > 0) work::linear(out, {rows, k}, n, k, bias, types, part);
  if (out.records.size() == before || !known(traffic.outputs_per_row)) return;
  const double read = traffic.reads_input ? rows * k * types.data.bits : 0, weights = (n * k + (bias ? n : 0)) * types.weight.bits;
  out.records.back().set("bytes", (read + weights + rows * traffic.outputs_per_row * types.output.bits) / 8);
}

/// Steps times batch: all of the input but its last dimension.
double rows_of(const Operation& op) {
  const Lengths& input = op.shape(0);
  return input.empty() ? unknown : elements_of(Lengths(input.begin(), input.end() - 1));
}

/// The weights of one direction stand from `first` on: those of the input, of the state, for each of four gates. Some have no input gate.
void lstm_direction(const Operation& op, SizedNode& out, std::size_t first, std::size_t projection, const std::string& prefix,
                    bool reads_state = false) {
  products(op, out, rows_of(op), 0, first, 4, true, prefix + "input", {true, op.length(first + 1, 0)});
  products(op, out, rows_of(op), 0, first + 4, 4, false, prefix + "state", {reads_state, 0});
  products(op, out, rows_of(op), 0, projection, 1, op.has(projection + 1), prefix + "projection");
}

void sequence_lstm(const Operation& op, const OperatorRule&, SizedNode& out) { lstm_direction(op, out, 1, 16, {}); }

/// One step. The basic kind has input and state side by side, and the weights of all gates in one.
void lstm(const Operation& op, const OperatorRule&, SizedNode& out) {
  constexpr std::uint64_t kernel_type = 3;
  constexpr std::int8_t basic = 1;
  if (op.options().number<std::int8_t>(kernel_type) == basic)
    products(op, out, rows_of(op), 0, 2, 1, op.has(3), {}, {true, op.length(2, 0) / 4});
  else
    lstm_direction(op, out, 1, 16, {}, true);
}

/// The auxiliary input has weights of its own, from `auxiliary` on.
void bidirectional_lstm(const Operation& op, const OperatorRule&, SizedNode& out) {
  lstm_direction(op, out, 1, 16, "forward/");
  lstm_direction(op, out, 18, 33, "backward/");
  if (op.has(39)) {
    products(op, out, rows_of(op), 39, 40, 4, false, "forward/auxiliary", {true, 0});
    products(op, out, rows_of(op), 39, 44, 4, false, "backward/auxiliary", {true, 0});
  }
}

/// Weights of the input from `first` on, then of the state.
void rnn_direction(const Operation& op, SizedNode& out, std::size_t first, const std::string& prefix, bool reads_state = false) {
  products(op, out, rows_of(op), 0, first, 1, true, prefix + "input", {true, op.length(first, 0)});
  products(op, out, rows_of(op), 0, first + 1, 1, false, prefix + "state", {reads_state, 0});
}

/// Input, weights of the input and of the state, bias.
void sequence_rnn(const Operation& op, const OperatorRule&, SizedNode& out) { rnn_direction(op, out, 1, {}); }
void rnn_step(const Operation& op, const OperatorRule&, SizedNode& out) { rnn_direction(op, out, 1, {}, true); }

void bidirectional_rnn(const Operation& op, const OperatorRule&, SizedNode& out) {
  rnn_direction(op, out, 1, "forward/");
  rnn_direction(op, out, 5, "backward/");
  if (op.has(9)) {
    products(op, out, rows_of(op), 9, 10, 1, false, "forward/auxiliary", {true, 0});
    products(op, out, rows_of(op), 9, 11, 1, false, "backward/auxiliary", {true, 0});
  }
}

/// A filter over features, [filters, k], then one over time, [filters, memory], which every filter applies to the steps that it keeps.
void svdf(const Operation& op, const OperatorRule&, SizedNode& out) {
  products(op, out, rows_of(op), 0, 1, 1, op.has(3), "features");
  const double filters = op.length(2, 0), memory = op.length(2, 1);
  work::matrix_product(out, {filters, rows_of(op), memory}, {filters, memory, 1}, {op.type(0), op.type(2), op.out_type()}, "time");
}

constexpr OperatorRule recurrent_table[] = {
    {16, "LSTM", lstm},
    {24, "RNN", rnn_step},
    {27, "SVDF", svdf},
    {35, "UNIDIRECTIONAL_SEQUENCE_RNN", sequence_rnn},
    {44, "UNIDIRECTIONAL_SEQUENCE_LSTM", sequence_lstm},
    {46, "BIDIRECTIONAL_SEQUENCE_RNN", bidirectional_rnn},
    {52, "BIDIRECTIONAL_SEQUENCE_LSTM", bidirectional_lstm},
};

}  // namespace

std::span<const OperatorRule> recurrent_rules() { return recurrent_table; }

}  // namespace roofline::tflite
