// An ONNX model's nodes with their tensors by number: functions inlined, in execution order.
#pragma once

#include <string>
#include <vector>

#include "network/onnx/model.hpp"

namespace roofline::onnx {

struct Block;

struct PlacedNode {
  const Node* node = nullptr;
  std::string name;       ///< after the names of the functions it is in; a node without a name: its first output, or its type and index
  bool unnamed = false;   ///< a node of the main graph that the file gives no name
  bool resolved = false;  ///< it is in a function's body: `attributes` are its own and the call's
  std::vector<Attribute> attributes;
  std::vector<TensorId> inputs, outputs;  ///< no_tensor: left out
  std::vector<Block> bodies;              ///< of If, Loop and Scan

  [[nodiscard]] const Attribute* find(std::string_view attribute) const;
  [[nodiscard]] double number(std::string_view attribute, double otherwise) const;
  [[nodiscard]] std::string_view text(std::string_view attribute, std::string_view otherwise) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view attribute) const;
  [[nodiscard]] TensorId input(std::size_t i) const { return i < inputs.size() ? inputs[i] : no_tensor; }
  [[nodiscard]] TensorId output(std::size_t i) const { return i < outputs.size() ? outputs[i] : no_tensor; }
  [[nodiscard]] bool is(std::string_view type, std::string_view domain = {}) const { return node->type == type && node->domain == domain; }
};

/// A graph, or the body of a node.
struct Block {
  std::vector<PlacedNode> nodes;
  std::vector<TensorId> inputs, outputs;
};

/// Visits each tensor that a node reads, and those of its bodies.
template <class Visit>
void each_read(const PlacedNode& node, const Visit& visit) {
  for (const TensorId id : node.inputs)
    if (id != no_tensor) visit(id);
  each_read_of_bodies(node, visit);
}
/// Visits each tensor that the nodes of a node's bodies read, and what the bodies return.
template <class Visit>
void each_read_of_bodies(const PlacedNode& node, const Visit& visit) {
  for (const Block& body : node.bodies) {
    for (const PlacedNode& inner : body.nodes) each_read(inner, visit);
    for (const TensorId id : body.outputs)
      if (id != no_tensor) visit(id);
  }
}

struct GraphTensor {
  std::string name;
  const ValueInfo* declared = nullptr;  ///< null: the file does not say what it is
  const Constant* constant = nullptr;
};

struct PlacedGraph {
  Block main;
  std::vector<GraphTensor> tensors;
  std::vector<std::string> missing;  ///< tensors that are read, and that nothing makes
};

/// `model` must outlive what is made of it. Fails where a tensor is produced twice, or nodes feed each other in a circle.
[[nodiscard]] Result<PlacedGraph> place(const Model& model);

}  // namespace roofline::onnx
