// A block of numbers that share a scale, and what its elements are at each scale.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "accuracy/elements.hpp"
#include "accuracy/gguf/grids.hpp"

namespace roofline {

/// Sums over a block's elements q at a scale s that give its error: sum (v - s q)^2 = signal - 2 s dot + s^2 squares.
struct Projection {
  double dot = 0;      ///< sum v q
  double squares = 0;  ///< sum q^2
  [[nodiscard]] double noise(double signal, double scale) const {
    return std::max(0.0, signal - 2 * scale * dot + scale * scale * squares);
  }
};

inline double signal_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return sum;
}

inline double largest_of(std::span<const double> values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::fabs(v));
  return most;
}

/// Elements that are rounded one by one: whole numbers, or entries of a code book.
template <class Elements>
class ScalarBlock {
 public:
  ScalarBlock(const Elements& elements, std::span<const double> values)
      : elements_(elements), values_(values), signal(signal_of(values)), covering(largest_of(values) / -elements.low) {}

  [[nodiscard]] Projection at(double scale) const {
    Projection out;
    for (const double v : values_) {
      const double q = elements_(v / scale);
      out.dot += v * q;
      out.squares += q * q;
    }
    return out;
  }

 private:
  const Elements& elements_;
  std::span<const double> values_;

 public:
  double signal;    ///< sum of squares
  double covering;  ///< the scale at which no element is beyond the lowest
};

/// The signs that a grid's elements have.
enum class GridSigns {
  none,  ///< those of the points
  free,  ///< any
  even   ///< of 8 elements an even number is negative
};

/// Elements that are points of a grid. The points that are best at some scale are found once: one for each length.
class GridBlock {
 public:
  /// `grids`: one of them holds for the whole block.
  GridBlock(std::span<const GgufGrid* const> grids, GridSigns signs, std::span<const double> values) : signal(signal_of(values)) {
    double highest = 0;
    for (const GgufGrid* grid : grids) {
      std::vector<Eight> eights;
      for (std::size_t first = 0; first < values.size(); first += 8) eights.push_back(eight(*grid, signs, values.subspan(first, 8)));
      choices_.push_back(std::move(eights));
      for (const double x : grid->points) highest = std::max(highest, std::fabs(x));
    }
    covering = largest_of(values) / highest;
  }

  [[nodiscard]] Projection at(double scale) const {
    Projection best;
    double best_noise = std::numeric_limits<double>::infinity();
    for (const std::vector<Eight>& eights : choices_) {
      Projection sum;
      for (const Eight& each : eights) {
        const Projection one = of(each, scale);
        sum.dot += one.dot;
        sum.squares += one.squares;
      }
      const double noise = scale * scale * sum.squares - 2 * scale * sum.dot;
      if (noise < best_noise) best = sum, best_noise = noise;
    }
    return best;
  }

 private:
  /// Points that are candidates for some elements: of each length the one with the greatest product.
  using Candidates = std::vector<Projection>;
  /// 8 elements: one point or two. `flipped`: with the sign of one element changed.
  struct Eight {
    std::vector<Candidates> plain, flipped;
    bool odd = false;  ///< one sign has to change
  };

  static Eight eight(const GgufGrid& grid, GridSigns signs, std::span<const double> values) {
    Eight out;
    std::size_t negative = 0;
    for (const double v : values) negative += v < 0 ? 1 : 0;
    out.odd = signs == GridSigns::even && negative % 2 == 1;
    for (std::size_t first = 0; first < values.size(); first += grid.dimension) {
      std::array<double, 8> v{};
      for (std::size_t k = 0; k < grid.dimension; ++k) v[k] = signs == GridSigns::none ? values[first + k] : std::fabs(values[first + k]);
      constexpr double none = -std::numeric_limits<double>::infinity();
      std::vector<double> plain(grid.lengths.size(), none), flipped(out.odd ? grid.lengths.size() : 0, none);
      for (std::size_t i = 0; i < grid.size(); ++i) {
        const double* const point = &grid.points[i * grid.dimension];
        double dot = 0;
        for (std::size_t k = 0; k < grid.dimension; ++k) dot += v[k] * point[k];
        double& best = plain[grid.length_of[i]];
        best = std::max(best, dot);
        if (!out.odd) continue;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < grid.dimension; ++k) least = std::min(least, v[k] * point[k]);
        double& best_flipped = flipped[grid.length_of[i]];
        best_flipped = std::max(best_flipped, dot - 2 * least);
      }
      out.plain.push_back(candidates(grid, plain));
      if (out.odd) out.flipped.push_back(candidates(grid, flipped));
    }
    return out;
  }

  static Candidates candidates(const GgufGrid& grid, const std::vector<double>& dots) {
    Candidates out;
    for (std::size_t i = 0; i < dots.size(); ++i)
      if (dots[i] > 0) out.push_back({dots[i], grid.lengths[i]});
    if (out.empty())  // no point has a positive product: the shortest point adds the least error
      out.push_back({0, *std::min_element(grid.lengths.begin(), grid.lengths.end())});
    return out;
  }

  static Projection best_of(const Candidates& candidates, double scale) {
    const Projection* best = &candidates.front();
    double least = std::numeric_limits<double>::infinity();
    for (const Projection& p : candidates) {
      const double noise = scale * p.squares - 2 * p.dot;
      if (noise < least) best = &p, least = noise;
    }
    return *best;
  }

  static Projection of(const Eight& each, double scale) {
    Projection best;
    double least = std::numeric_limits<double>::infinity();
    const std::size_t ways = each.odd ? each.plain.size() : 1;  // the part whose sign changes
    for (std::size_t way = 0; way < ways; ++way) {
      Projection sum;
      for (std::size_t part = 0; part < each.plain.size(); ++part) {
        const Projection one = best_of(each.odd && part == way ? each.flipped[part] : each.plain[part], scale);
        sum.dot += one.dot;
        sum.squares += one.squares;
      }
      const double noise = scale * sum.squares - 2 * sum.dot;
      if (noise < least) best = sum, least = noise;
    }
    return best;
  }

  std::vector<std::vector<Eight>> choices_;  ///< by grid

 public:
  double signal = 0;
  double covering = 0;  ///< the scale at which the largest value is the grid's largest element
};

}  // namespace roofline
