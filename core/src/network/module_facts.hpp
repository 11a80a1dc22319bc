// What the modules of a network hold beside the work of their operations.
#pragma once

#include <string>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// Of the nodes of one module alone, not of the modules within it.
struct ModuleFacts {
  std::string module;  ///< its path; empty: of nodes without one
  std::string body;    ///< as SizedNode::body
  std::size_t nodes = 0, not_counted = 0;
  double parameters = 0, weights_bytes = 0;  ///< elements and bytes of its weights. NaN: the shape of one is not known
};

/// In execution order. A weight belongs to the innermost module with all nodes that read it, or read what is made of it alone; one that no
/// node reads to the module "". The sums over all modules are those of the network.
[[nodiscard]] std::vector<ModuleFacts> module_facts(const SizedNetwork& network);

}  // namespace roofline
