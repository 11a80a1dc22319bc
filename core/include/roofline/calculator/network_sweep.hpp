// Sweeps a dimension that a network's file leaves open over a range.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/network/network.hpp>
#include <string>
#include <vector>

namespace roofline {

/// The whole network at one length.
struct NetworkSweepPoint {
  double length = 0;
  Summary total;  ///< bound_by: index into NetworkSweep::resources
  double matrix_macs = 0;
  double peak_activation_bytes = unknown;  ///< NaN: a shape is not known
  std::size_t not_counted = 0;             ///< nodes whose work is not known
};

struct NetworkSweep {
  std::string network, dimension;  ///< dimension: what is swept, "batch" or "height=width"
  std::vector<std::string> resources;
  std::vector<NetworkSweepPoint> points;  ///< rising
};

/// `axis`: the dimensions to sweep; several take the same length. The others are as in `given`. Fails as network_commands() does, and
/// if the network has no such dimension.
[[nodiscard]] Result<NetworkSweep> sweep_network(const Network& network, std::string_view name, const DimensionValues& given,
                                                 const NetworkTarget& target, const SweepAxis& axis, const Scenario& scenario);

/// "DRAM bounds; from batch = 16 up, compute. From batch = 1 to 64 the predicted time per unit of batch falls to 31%."
[[nodiscard]] std::string network_sweep_finding(const NetworkSweep& sweep);
/// "roofline-network-sweep/1".
[[nodiscard]] std::string network_sweep_json(const NetworkSweep& sweep);
[[nodiscard]] std::string network_sweep_csv(const NetworkSweep& sweep);
[[nodiscard]] std::string network_sweep_table(const NetworkSweep& sweep);

}  // namespace roofline
