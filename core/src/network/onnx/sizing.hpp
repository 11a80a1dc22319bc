// An ONNX graph at chosen lengths: shapes forwards through it, and each node's work.
#pragma once

#include <roofline/network/network.hpp>

#include "network/onnx/graph.hpp"

namespace roofline::onnx {

/// The name of an open length: the file's own, else of the input and its place ("images.0").
[[nodiscard]] std::string dimension_name(const std::string& input, std::size_t place, const DeclaredLength& length);

[[nodiscard]] SizedNetwork size_network(const PlacedGraph& graph, const Model& model, const std::vector<Dimension>& dimensions);

}  // namespace roofline::onnx
