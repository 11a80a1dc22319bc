#include "network/memory/row_window.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/operators/operator.hpp>

#include "network/record_work.hpp"

namespace roofline {
namespace {

double product(const Json& lengths, std::size_t end) {
  double out = 1;
  for (std::size_t i = 0; i < end; ++i) out *= number_of(lengths[i]);
  return out;
}

/// The first spatial length of a list that has one for each, or `otherwise`.
double first_of(const Json& list, double otherwise) { return list.is_array() && !list.empty() ? number_of(list[0]) : otherwise; }

/// Of a convolution or a pool.
std::optional<RowWindow> sliding(const Json& record, double kernel) {
  const Json& input = member(record, "input_shape");
  if (!input.is_array() || input.size() < 3) return std::nullopt;
  RowWindow out;
  out.in_rows = number_of(input[2]);
  out.reach = first_of(member(record, "dilation"), 1) * (kernel - 1) + 1;
  out.stride = first_of(member(record, "stride"), 1);
  const Json& padding = member(record, "padding");
  const Json& ends = padding.is_array() && !padding.empty() ? padding[0] : padding;
  double after = 0;
  if (ends.is_array() && ends.size() == 2) out.before = number_of(ends[0]), after = number_of(ends[1]);
  const double steps = (out.in_rows + out.before + after - out.reach) / out.stride;
  out.out_rows = (member(record, "ceil_mode") == true ? std::ceil(steps) : std::floor(steps)) + 1;
  return out.out_rows >= 1 ? std::optional(out) : std::nullopt;
}

RowWindow tokens(double rows) {
  RowWindow out;
  out.in_rows = out.out_rows = rows;
  return out;
}

std::optional<RowWindow> window_of(const SizedNetwork& network, const SizedNode& node, TensorId from, const Operator& op,
                                   const Json& record) {
  const auto computed = std::find_if(node.reads.begin(), node.reads.end(), [&](TensorId id) { return !network.tensors[id].constant; });
  const auto others = std::count_if(node.reads.begin(), node.reads.end(), [&](TensorId id) { return !network.tensors[id].constant; });
  const bool first = computed != node.reads.end() && *computed == from;
  const Json &input = member(record, "input_shape"), &left = member(record, "input_mat1");
  if (op.family == OpFamily::elementwise || op.id == "batch_norm") {
    const bool same = network.tensors[from].elements() == network.tensors[node.writes[0]].elements();
    return same && op.id != "cumsum" ? std::optional(RowWindow()) : std::nullopt;
  }
  if (!first) return std::nullopt;
  if (op.id == "conv") return sliding(record, first_of(Json::array({member(record, "weight_shape")[2]}), unknown));
  if (op.id == "pool") return sliding(record, first_of(member(record, "kernel_size"), unknown));
  if ((op.id == "linear" || op.id == "layer_norm" || op.id == "rms_norm") && input.is_array() && !input.empty()) {
    const Json& normalized = member(record, "normalized_shape");
    return tokens(product(input, input.size() - (normalized.is_array() && !normalized.empty() ? normalized.size() : 1)));
  }
  if ((op.id == "matmul" || op.id == "addmm") && others == 1 && left.is_array() && left.size() > 1)
    return tokens(product(left, left.size() - 1));
  return std::nullopt;
}

}  // namespace

RowRange RowWindow::needed(const RowRange& out) const {
  if (out.rows() == 0) return {};
  return {std::max(0.0, out.begin * stride - before), std::min(known_or(in_rows, out.end), (out.end - 1) * stride - before + reach)};
}

std::optional<RowWindow> row_window(const SizedNetwork& network, const SizedNode& node, TensorId from) {
  if (node.writes.empty() || node.records.size() > 1 || !node.not_counted.empty()) return std::nullopt;
  const SizedTensor &in = network.tensors[from], &out = network.tensors[node.writes[0]];
  if (!known(in.bytes()) || !known(out.bytes()) || in.bytes() == 0) return std::nullopt;
  // A change of format, or a view.
  if (node.records.empty()) return in.shape == out.shape ? std::optional(RowWindow()) : std::nullopt;
  const RecordText& text = node.records.front();
  const Operator* op = find_operator(text.type());
  if (!op) return std::nullopt;
  std::optional<RowWindow> window = window_of(network, node, from, *op, record_json(text));
  if (!window) return std::nullopt;
  if (const std::optional<Work> work = record_work(text)) window->macs = work->matrix_flops / 2;
  return window;
}

}  // namespace roofline
