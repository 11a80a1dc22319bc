// Mixtures of measured models: the tensors' fitted shares against those that were measured.
#pragma once

#include <vector>

#include "kld_tables.hpp"

namespace roofline::validation {

/// For each model, row of its tensors' measurements and mixture of several types: |ln| of the divergence by the shares of a fit without the
/// model's architecture, over that by the tensors' measured shares. Both use the model's own divergence in each type.
[[nodiscard]] std::vector<double> share_errors(const std::vector<KldTable>& tables);

}  // namespace roofline::validation
