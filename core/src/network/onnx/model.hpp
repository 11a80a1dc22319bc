// An ONNX file's content but for its weights. Format: github.com/onnx/onnx, onnx/onnx.proto.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <vector>

#include "network/sized.hpp"

namespace roofline::onnx {

/// The values of larger tensors are not followed: shapes are short.
inline constexpr std::size_t followed_values = 4096;

/// A dimension of a declared shape: a length, or what it is called, or neither.
struct DeclaredLength {
  double value = unknown;
  std::string name;
};

struct ValueInfo {
  std::string name;
  TensorType type;
  std::optional<std::vector<DeclaredLength>> shape;
};

/// A tensor that the file holds, or says where it is.
struct Constant {
  std::string name;
  TensorType type;
  std::vector<double> shape;
  double bytes = unknown;
  bool external = false, sparse = false;
  bool has_data = false;       ///< the file holds its bytes, or some of them
  std::uint64_t data = 0;      ///< where its bytes are in the file, one element after another; 0: not so
  std::vector<double> values;  ///< of small ones: what shapes may follow from; else empty
};

struct Graph;

struct Attribute {
  std::string name, refers_to;  ///< the latter in the body of a function: the call's attribute
  std::optional<double> number;
  std::optional<std::string> text;
  std::vector<double> numbers;
  std::optional<Constant> tensor;
  std::vector<std::shared_ptr<const Graph>> graphs;
};

struct Node {
  std::string name, type, domain, overload, module;
  std::vector<std::string> inputs, outputs;
  std::vector<Attribute> attributes;
  [[nodiscard]] const Attribute* find(std::string_view attribute) const;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Constant> constants;
  std::vector<ValueInfo> inputs, outputs, inner;
};

struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
};

struct Model {
  std::string producer;
  std::map<std::string, double> opsets;  ///< by domain; "": ONNX's own
  Graph graph;
  std::vector<Function> functions;
  [[nodiscard]] double opset() const;  ///< of ONNX's own operators; the newest where the file does not say
};

/// Of TensorProto.DataType, which Cast and others name, too.
[[nodiscard]] TensorType type_by_number(std::uint64_t number);

/// "" for ONNX's own operators, which are also spelt "ai.onnx".
[[nodiscard]] std::string plain_domain(std::string_view domain);

[[nodiscard]] Result<Model> read_model(const ByteSource& source);

}  // namespace roofline::onnx
