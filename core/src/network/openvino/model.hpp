// An OpenVINO model (IR v10, v11) as its XML has it: layers, ports, edges. Weights are in another file, of which only sizes are known.
// The format: https://docs.openvino.ai/2025/documentation/openvino-ir-format.html
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "network/sized.hpp"

namespace roofline::openvino {

inline constexpr double longest = 1e12;  ///< no length is more: products of several still count

struct Port {
  std::string id;
  TensorType type;  ///< without bits: not stated
  Lengths shape;    ///< NaN: a length that is open
};

struct Layer;

/// A network, or the body of a layer.
struct Block {
  std::vector<Layer> layers;  ///< each behind those that feed it
};

/// Where a body's parameters come from and its results go to.
struct BodyPort {
  bool input = true;
  std::string outer, inner;  ///< a port of the layer; a layer of the body
  bool sliced = false;       ///< along an axis, one part in each run
};

struct Body {
  Block block;
  std::vector<BodyPort> ports;
};

/// An output port of a layer before: their places.
struct Source {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t layer = none, port = 0;
};

/// Bounds of a Parameter's open length.
struct Bounds {
  double least = 1, greatest = unknown;
};

struct Layer {
  std::string id, name, type;
  std::vector<std::pair<std::string, std::string>> data;  ///< attributes
  std::vector<Port> inputs, outputs;
  std::vector<Source> sources;  ///< of each input
  std::vector<Body> bodies;

  [[nodiscard]] std::string_view text(std::string_view attribute, std::string_view otherwise = {}) const;
  [[nodiscard]] double number(std::string_view attribute, double otherwise) const;
  [[nodiscard]] bool flag(std::string_view attribute) const;
  [[nodiscard]] Lengths numbers(std::string_view attribute) const;
  [[nodiscard]] std::size_t input_at(std::string_view port) const;   ///< inputs.size(): there is none
  [[nodiscard]] std::size_t output_at(std::string_view port) const;  ///< outputs.size(): likewise
  /// Of a Parameter's shape, "?,3,1..224".
  [[nodiscard]] Bounds bounds(std::size_t dimension) const;
};

/// "FP32", "f32", "I8", "boolean". Without bits where a name is not known.
[[nodiscard]] TensorType precision(std::string_view name);

[[nodiscard]] Result<Block> read_model(std::string_view xml);

}  // namespace roofline::openvino
