// A TFLite (LiteRT) model as its file has it: subgraphs, tensors, operators. Weights are not read, only how many bytes they take.
// The format: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <vector>

#include "network/sized.hpp"
#include "network/tflite/flatbuffer.hpp"

namespace roofline::tflite {

inline constexpr std::int32_t custom_code = 32;
inline constexpr std::uint64_t followed_values = 64;  ///< integers of a constant that are read: axes, paddings

struct Tensor {
  std::string name;
  TensorType type;
  std::vector<double> shape;
  std::uint64_t buffer = 0;          ///< 0: none
  std::uint64_t external = 0;        ///< its buffer in another file; 0: none
  std::vector<std::int64_t> values;  ///< of a small constant of whole numbers
  bool variable = false;             ///< state from one run to the next
  bool open = false;                 ///< a length beyond the first is left open, and stored as 1
  bool text = false;                 ///< of texts, resources and the like, which are not in the memory of activations
};

struct Operator {
  std::int32_t code = 0;
  std::string custom;                         ///< of code 32
  std::vector<std::int32_t> inputs, outputs;  ///< tensors of the subgraph; -1: left out
  Table options;                              ///< of its own kind; options that older files lack are as the schema has them
};

struct Subgraph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<std::int32_t> inputs, outputs;
};

struct Signature {
  std::string name;
  std::uint32_t subgraph = 0;
};

struct Model {
  std::string description;  ///< "MLIR Converted."
  std::vector<Subgraph> subgraphs;
  std::vector<Signature> signatures;
  std::vector<std::uint64_t> buffer_begin;                                ///< where in the file
  std::vector<std::uint64_t> buffer_bytes;                                ///< by a tensor's buffer
  std::vector<std::pair<std::uint64_t, std::uint64_t>> external_buffers;  ///< id and bytes
};

[[nodiscard]] Result<Model> read_model(FlatBuffer& file);

}  // namespace roofline::tflite
