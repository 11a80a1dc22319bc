// A format for each layer of a network within a budget of accuracy, time or bytes.
#pragma once

#include <roofline/accuracy/format_plan.hpp>
#include <roofline/accuracy/weight_sample.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/network/network.hpp>

namespace roofline {

struct NetworkPlanOptions {
  Budget budget;
  std::vector<FormatId> formats;  ///< to choose from; each layer may stay as it is
};

/// Budgets that a network has.
inline constexpr BudgetKind network_budgets[] = {BudgetKind::sqnr, BudgetKind::time, BudgetKind::bytes};

/// Reads a sample of a layer's weights. Empty if the file does not hold them; an error if they cannot be read.
[[nodiscard]] Result<WeightSample> sample_layer(const NodeWeights& layer, const ByteSource& file);

/// `ops`: the network's operations. `layers`: their weights, matched by name. `file`: the network's file, of which weights are read where
/// it has them; else their error is that of normally distributed ones.
/// Nodes that have the same weights share a format.
/// Noise of a layer: noise to signal of its weights in the format, over the number of layers, so that the network's SQNR is that of the
/// mean. Time: the range that whatif_times() makes of the measured time or the estimate, with all operands in formats of 8 bits and more,
/// and the weights in formats of fewer. A budget of time is kept by the most that a run may take. An SQNR is kept to in the least time, a
/// time or bytes with the least noise. Fails where weights cannot be read, or a format has no rule to round by.
[[nodiscard]] Result<FormatPlan> plan_network(const OpSet& ops, const std::vector<NodeWeights>& layers, const ByteSource& file,
                                              const NetworkPlanOptions& options);

}  // namespace roofline
