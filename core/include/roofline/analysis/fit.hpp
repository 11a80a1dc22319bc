// What a machine reaches, from measurements: the fractions of its compute peak and of its memory's bandwidth, and the launch overhead,
// that explain the times best.
#pragma once

#include <roofline/analysis/op_set.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One measurement under the fitted model.
struct FitRow {
  std::uint32_t op = 0;
  bool compute = false;  ///< the compute term is the larger one; else the memory term
  double measured_s = unknown, fitted_s = unknown;
  double residual = unknown;  ///< fitted / measured - 1
};

struct Fit {
  static constexpr double most_rms = 0.5;  ///< beyond, a fit explains nothing and is refused
  double compute = unknown;                ///< fraction of the peak, up to 1; NaN: no measurement is limited by compute
  double bandwidth = unknown;              ///< fraction of the device memory's bandwidth, up to 1; NaN: none is limited by it
  double launch_s = 0;                     ///< per occurrence
  double rms = unknown;                    ///< root mean square of the residuals
  double bound_rms = unknown;              ///< the same of the bare bound, before the fit
  std::size_t compute_rows = 0, memory_rows = 0;
  std::size_t above_roof = 0;  ///< measurements shorter than their bound: the machine is stated too slow, or the work too large
  std::vector<FitRow> rows;
};

/// Least squares of the relative residuals of  t = max(F / (c P), B / (b W)) + n L  with c, b <= 1 and L >= 0, over the operations
/// that have a time and whose bound is compute or the device memory. Which term is larger is assigned and solved in turn, from a grid of
/// starts; the assignment with the smallest sum wins. Deterministic. Fails with fewer than three such operations,
/// and where the best fit's error is above Fit::most_rms.
[[nodiscard]] Result<Fit> fit(const OpSet& ops);

/// The machine with the fit as its achievable fractions and launch time, each with `source` ("results.csv") behind it.
[[nodiscard]] Machine calibrated(const Machine& machine, const Fit& fit, std::string_view source);

}  // namespace roofline
