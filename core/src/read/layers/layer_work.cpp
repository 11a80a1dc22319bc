// Where a layer's operands stand in its operator's record.
#include <algorithm>
#include <cmath>

#include "operators/derivation.hpp"
#include "read/layers/layers.hpp"
#include "read/operations/json_record.hpp"

namespace roofline {
namespace {

double product_of(const std::vector<double>& shape, std::size_t from = 0) {
  double product = 1;
  for (std::size_t i = from; i < shape.size(); ++i) product *= shape[i];
  return product;
}

/// A shape as a record has it: whole numbers without a decimal point.
Json lengths(const std::vector<double>& shape, std::size_t from = 0) {
  Json out = Json::array();
  for (std::size_t i = from; i < shape.size(); ++i) out.push_back(std::llround(shape[i]));
  return out;
}

/// A stride, a padding and, of a transposed convolution, an output's padding that lead from one length to another.
struct Step {
  double stride, padding, output_padding;
};

/// A kernel that reaches over `reach` elements stands at `out` places: at the smallest such stride.
Step step_between(double in, double reach, double out) {
  const double stride = std::max(1.0, std::floor((in - reach) / out) + 1);
  return {stride, std::max(0.0, (out - 1) * stride - (in - reach)), 0};
}

Step transposed_step_between(double in, double reach, double out) {
  const double length = in - 1 + reach;
  return {1, std::max(0.0, length - out), std::max(0.0, out - length)};
}

class Placing {
 public:
  Placing(const Layer& layer, Json& record) : layer_(layer), op_(layer.op), record_(record) {}

  std::optional<Work> work() {
    if (!op_) {  // to be shown
      put_inputs(in().size());
      if (output()) record_["output_shape"] = lengths(*output());
      return std::nullopt;
    }
    const OpFamily family = op_->family;
    if (family == OpFamily::convolution) return convolution();
    if (family == OpFamily::matrix_product) return matrix_product();
    if (family == OpFamily::pooling) return pooling();
    if (family == OpFamily::elementwise || op_->id == "concat") return of_all_inputs();
    if (family == OpFamily::reduction) return reduction();
    if (op_->id == "gather" || op_->id == "embedding") return look_up();
    return of_one_input();
  }

 private:
  [[nodiscard]] const std::vector<Operand>& in() const { return layer_.inputs; }
  [[nodiscard]] const std::vector<double>* output() const { return layer_.outputs.empty() ? nullptr : &layer_.outputs[0].shape; }

  std::optional<Work> derive() {
    static const Keys keys;
    record_["type"] = std::string(op_->id);
    Record record(keys.size());
    fill(record, keys, record_);
    const Result<Work> work = op_->derive(record, nullptr);
    return work ? std::optional<Work>(*work) : std::nullopt;
  }
  /// The same, where it comes to the layer's output.
  std::optional<Work> derive_output() {
    const std::optional<Work> work = derive();
    return work && (!output() || work->output == product_of(*output())) ? work : std::nullopt;
  }

  std::optional<Work> convolution() {
    if (in().empty()) return std::nullopt;
    record_["input_shape"] = lengths(in()[0].shape);
    if (!record_.contains("kernel_size")) {
      if (in().size() < 2) return std::nullopt;
      record_["weight_shape"] = lengths(in()[1].shape);
      if (in().size() > 2 && in()[2].shape.size() == 1) record_["bias"] = true;
      if (!record_.contains("stride") && !put_steps(in()[1].shape)) return std::nullopt;
    }
    return derive_output();
  }

  bool put_steps(const std::vector<double>& weight) {
    const std::vector<double>& input = in()[0].shape;
    if (!output() || output()->size() != input.size() || weight.size() != input.size()) return false;
    std::vector<double> strides, output_paddings;
    Json paddings = Json::array();
    for (std::size_t i = 2; i < input.size(); ++i) {
      if ((*output())[i] < 1) return false;
      const bool transposed = op_->id == "conv_transpose";
      const Step step = (transposed ? transposed_step_between : step_between)(input[i], weight[i], (*output())[i]);
      strides.push_back(step.stride);
      paddings.push_back(lengths({0, step.padding}));
      output_paddings.push_back(step.output_padding);
    }
    record_["stride"] = lengths(strides);
    record_["padding"] = paddings;
    if (op_->id == "conv_transpose") record_["output_padding"] = lengths(output_paddings);
    return true;
  }

  std::optional<Work> matrix_product() {
    if (in().size() == 1) return with_weight_inside();
    if (in().size() < 2) return std::nullopt;
    if (op_->id == "linear") {
      record_["input_shape"] = lengths(in()[0].shape);
      record_["weight_shape"] = lengths(in()[1].shape);
      if (in().size() > 2) record_["bias"] = true;
      return derive_output();
    }
    const bool stated = record_.contains("transpose_a") || record_.contains("transpose_b");
    for (const std::size_t operands : {std::size_t{3}, std::size_t{2}}) {
      if (operands > in().size()) continue;
      put_inputs(operands);
      if (stated) {
        if (const auto work = derive_output()) return work;
        continue;
      }
      for (const auto& [a, b] : {std::pair(false, false), std::pair(false, true), std::pair(true, false), std::pair(true, true)}) {
        record_["transpose_a"] = a;
        record_["transpose_b"] = b;
        if (const auto work = derive_output()) return work;
      }
    }
    return std::nullopt;
  }

  /// The weight is part of the layer: a product of what goes in and what comes out, which may be several tensors of the same rows.
  std::optional<Work> with_weight_inside() {
    double channels = 0, elements = 0;
    for (const Operand& out : layer_.outputs) {
      if (out.shape.empty()) return std::nullopt;
      channels += out.shape.back();
      elements += out.elements();
    }
    op_ = find_operator("linear");
    record_["input_shape"] = lengths(in()[0].shape);
    record_["output_channels"] = std::llround(channels);
    const std::optional<Work> work = derive();
    return work && work->output == elements ? work : std::nullopt;
  }

  std::optional<Work> pooling() {
    if (in().empty() || in()[0].shape.size() < 3) return std::nullopt;
    const std::vector<double>& input = in()[0].shape;
    record_["input_shape"] = lengths(input);
    if (op_->id == "adaptive_pool") {
      if (output() && output()->size() == input.size()) record_["output_size"] = lengths(*output(), 2);
      return derive_output();
    }
    if (!record_.contains("kernel_size")) {
      const bool global = output() && output()->size() == input.size() && product_of(*output(), 2) == 1;
      if (!global) return std::nullopt;
      record_["kernel_size"] = lengths(input, 2);
    }
    if (const auto work = derive_output()) return work;
    record_["ceil_mode"] = true;
    return derive_output();
  }

  void put_inputs(std::size_t count) {
    Json shapes = Json::array();
    for (std::size_t i = 0; i < count; ++i) shapes.push_back(lengths(in()[i].shape));
    record_["inputs"] = shapes;
  }

  std::optional<Work> of_all_inputs() {
    put_inputs(in().size());
    if (output()) record_["output_shape"] = lengths(*output());
    return derive();
  }

  /// Of the inputs further ones are parameters, or say how (a permutation, an axis, a length).
  std::optional<Work> of_one_input() {
    if (!in().empty()) record_["input_shape"] = lengths(in()[0].shape);
    if (output() && op_->family == OpFamily::data_movement) record_["output_shape"] = lengths(*output());
    return derive();
  }

  std::optional<Work> reduction() {
    if (in().empty() || !output()) return std::nullopt;
    const std::vector<double>& input = in()[0].shape;
    record_["input_shape"] = lengths(input);
    Json axes = Json::array();
    const bool kept = output()->size() == input.size();
    for (std::size_t i = 0, o = 0; i < input.size(); ++i) {
      const bool stays = o < output()->size() && (*output())[o] == input[i];
      if (!stays) axes.push_back(i);
      o += stays || kept ? 1 : 0;
    }
    if (axes.empty()) return std::nullopt;
    record_["axis"] = axes;
    return derive_output();
  }

  std::optional<Work> look_up() {
    if (in().size() < 2) return std::nullopt;
    record_["indices_shape"] = lengths(in()[1].shape);
    if (op_->id == "embedding") {
      record_["weight_shape"] = lengths(in()[0].shape);
      return derive_output();
    }
    record_["input_shape"] = lengths(in()[0].shape);
    for (std::size_t axis = 0; axis < in()[0].shape.size(); ++axis) {
      record_["axis"] = axis;
      if (const auto work = derive_output()) return work;
    }
    return std::nullopt;
  }

  const Layer& layer_;
  const Operator* op_;
  Json& record_;
};

}  // namespace

double Operand::elements() const { return product_of(shape); }

bool Operand::fixed() const {
  return std::all_of(shape.begin(), shape.end(), [](double length) { return length == 0 || is_count(length); });
}

std::optional<Work> work_of_layer(const Layer& layer, Json& record) { return Placing(layer, record).work(); }

}  // namespace roofline
