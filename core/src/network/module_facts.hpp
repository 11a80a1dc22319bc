// Numbers of nodes, parameters and bytes of weights by module of a network.
#pragma once

#include <string>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// Sums over a module's own nodes, without its submodules.
struct ModuleFacts {
  std::string module;  ///< its path; empty: of nodes without one
  std::string body;    ///< as SizedNode::body
  std::size_t nodes = 0, not_counted = 0;
  double parameters = 0, weights_bytes = 0;  ///< elements and bytes of its weights. NaN: the shape of one is not known
};

/// In execution order. A weight belongs to the innermost module with all nodes that read it or a constant made from it; a weight that
/// no node reads belongs to the module "". The sums over all modules are those of the network.
[[nodiscard]] std::vector<ModuleFacts> module_facts(const SizedNetwork& network);

}  // namespace roofline
