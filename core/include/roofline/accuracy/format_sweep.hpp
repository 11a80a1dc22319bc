// A format for each of many tensors: the least noise within a cost, by one Lagrange multiplier for all of them.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/machine/format.hpp>
#include <vector>

namespace roofline {

/// What a tensor is in one format. Costs and noise of several tensors add up.
struct FormatOption {
  FormatId format = no_format;
  double bytes = 0;   ///< as stored
  double time_s = 0;  ///< share of a run's time; only differences between options count
  double noise = 0;   ///< share of the loss in quality
};

/// One of the most accurate plans at its cost.
struct SweepPoint {
  double cost = 0, noise = 0;
};

/// Under a multiplier, every tensor takes the option with the least noise + multiplier x cost. All multipliers together give the corners of
/// the convex front of all plans. From corner to corner one tensor moves to a costlier option, the one that removes most noise per cost
/// first. Source: Y. Shoham, A. Gersho, "Efficient bit allocation for an arbitrary set of quantizers", IEEE Trans. ASSP 36 (9), 1988.
class FormatSweep {
 public:
  /// Of each tensor, the index of its option.
  using Choice = std::vector<std::size_t>;

  /// `tensors`: the options of each, at least one; kept by reference. `cost`: &FormatOption::bytes or &FormatOption::time_s.
  FormatSweep(const std::vector<std::vector<FormatOption>>& tensors, double FormatOption::* cost);

  /// The least noise at a cost of at most `most`: the corner below it, then each further step that the rest still pays for. The
  /// cheapest plan if none is so cheap.
  [[nodiscard]] Choice within_cost(double most) const;
  /// The least cost at a noise of at most `most`, likewise. The most accurate plan if none is so accurate.
  [[nodiscard]] Choice within_noise(double most) const;

  /// The corners, the cheapest first; of more than `most_points` evenly spread ones.
  [[nodiscard]] std::vector<SweepPoint> front(std::size_t most_points = 64) const;

  /// Sums over the tensors.
  [[nodiscard]] SweepPoint at(const Choice& choice) const;

 private:
  struct Step {
    std::size_t tensor = 0, from = 0, to = 0;
    double cost = 0, noise = 0;  ///< added, removed
  };
  [[nodiscard]] const FormatOption& option(std::size_t tensor, std::size_t index) const { return tensors_[tensor][index]; }

  const std::vector<std::vector<FormatOption>>& tensors_;
  double FormatOption::* cost_;
  Choice cheapest_;
  std::vector<Step> steps_;  ///< by falling noise / cost
};

}  // namespace roofline
