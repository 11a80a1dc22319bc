// The work of matrix products by their sizes alone, for the operators and for tables that have a column for each size.
#pragma once

#include <roofline/operators/operator.hpp>

#include "operators/derivation.hpp"

namespace roofline {

/// `w` is 1 where the second matrix is a weight; `bw` and `ba` are elements of a bias that is a weight or an activation.
using ProductFormulas =
    WorkFormulas<"B B1 B2 M N K w bw ba", FormulaOf<&Work::matrix_flops, "2 * B * M * N * K">,
                 FormulaOf<&Work::weight, "w * B2 * K * N + bw">, FormulaOf<&Work::activation, "B1 * M * K + (1 - w) * B2 * K * N + ba">,
                 FormulaOf<&Work::output, "B * M * N">>;

/// B products of M x K by K x N. The operands may have fewer batches each, where they broadcast.
struct ProductSizes {
  double batch = 1, first_batch = 1, second_batch = 1;
  double m = 1, n = 1, k = 1;
  bool shared_weight = true;  ///< the second operand has no batches of its own

  /// All sizes are counts, and what they multiply to is too.
  [[nodiscard]] bool countable() const {
    for (const double size : {batch, m, n, k})
      if (!is_count(size)) return false;
    return roofline::countable(work());
  }
  [[nodiscard]] OpSizes sizes() const { return shared_weight ? OpSizes{batch * m, n, k, 1} : OpSizes{m, n, k, batch}; }
  [[nodiscard]] Work work() const {
    Work work = ProductFormulas::work({batch, first_batch, second_batch, m, n, k, shared_weight ? 1.0 : 0.0, 0, 0});
    work.sizes = sizes();
    return work;
  }
};

/// m, n, k and batch, as calculators write it: a second operand of one batch is a weight, otherwise each product has its own.
[[nodiscard]] inline ProductSizes products(double m, double n, double k, double batch) {
  return {batch, batch, batch, m, n, k, batch == 1};
}

}  // namespace roofline
