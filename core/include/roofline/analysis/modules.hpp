// Work and time by module, for sources whose operations state a module path ("layers.3.attention").
#pragma once

#include <cstdint>
#include <roofline/analysis/op_set.hpp>
#include <string>
#include <vector>

namespace roofline {

/// Sums of the work and the predicted times of a module and its submodules.
struct ModuleWork {
  std::size_t ops = 0, nodes = 0, not_counted = 0;  ///< nodes: of a network's file; not_counted: those whose work is not known
  double matrix_macs = 0;                           ///< of products and convolutions
  double flops = 0, bytes = 0;                      ///< sums of what is known; bytes of the device memory
  double read_bytes = 0, written_bytes = 0;         ///< activations in and out of its operations
  double parameters = 0, weights_bytes = 0;         ///< as in the network's file; NaN: the source is not a network's file
  double predicted_time_s = 0, typical_time_s = 0;  ///< sums of the bounds, and of the estimates

  ModuleWork& operator+=(const ModuleWork& other);
};

/// Sums over a module and its submodules. Siblings that differ only in an index and do the same work ("layers.0" to "layers.11") are
/// listed once, with the sums of one of them and their count.
struct ModuleSums : ModuleWork {
  std::string path;                  ///< "layers.*.attention"; empty: the whole network
  std::vector<std::string> indices;  ///< for each * in it: "0-11", "0, 2"
  std::string name;                  ///< path from the listed parent, with indices: "layers.0-11"
  std::string body;                  ///< of the body of a node, for one run of it: "body of loop"; empty: of the main graph
  std::size_t depth = 0;             ///< number of listed ancestors
  std::size_t count = 1;             ///< equal modules

  double time_s = unknown;              ///< measured, the mean of the equal modules; NaN: nothing is measured
  std::uint8_t bound_by = no_resource;  ///< what bounds most of the predicted time

  [[nodiscard]] std::string path_with_indices() const;  ///< "layers.0-11.attention"
};

/// The whole network first, then each module before its submodules, in the order of the operations; then the bodies of nodes likewise. A
/// module without operations that only wraps one submodule, or several equal ones, is not listed.
[[nodiscard]] std::vector<ModuleSums> sum_by_module(const OpSet& ops);

/// "layers.0-11, 12 equal modules, take 94% of the predicted time." Empty where there are no modules.
[[nodiscard]] std::string modules_finding(const std::vector<ModuleSums>& modules);

}  // namespace roofline
