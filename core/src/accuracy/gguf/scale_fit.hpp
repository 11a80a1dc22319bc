// Scales of blocks that share an FP16 scale: each block's scale is one of a few multipliers times the shared one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "accuracy/gguf/blocks.hpp"
#include "accuracy/quantiser.hpp"

namespace roofline {

/// How scales are searched. Both signs are tried where `both_signs`.
struct ScaleSearch {
  std::vector<double> multipliers;  ///< of a block's scale, ascending
  double lowest = 0.3;              ///< of the covering scale, where the search ends
  double highest = 1.08;            ///< where it begins: above 1 for grids, whose points are mostly of small elements
  bool both_signs = false;
};

inline double fp16(double x) {
  static const Format& format = Formats::catalogue()[*Formats::catalogue().find("fp16")];
  return round_to(format, x);
}

/// The scale with the least squared error among those tried, before it is quantised. 0: all values are 0.
template <class Block>
double real_scale(const Block& block, const ScaleSearch& search) {
  constexpr int steps = 32;
  double best = 0, most_signal = 0;  // signal that the elements hold
  if (block.covering > 0)
    for (int i = 0; i <= steps; ++i)
      for (const double sign : {1.0, -1.0}) {
        if (sign < 0 && !search.both_signs) continue;
        const double tried = block.covering * (search.highest - (search.highest - search.lowest) * i / steps);
        const Projection p = block.at(sign * tried);
        if (p.squares > 0 && p.dot * p.dot / p.squares > most_signal) most_signal = p.dot * p.dot / p.squares, best = p.dot / p.squares;
      }
  return best;
}

struct ChosenScale {
  double multiplier = 0, noise = std::numeric_limits<double>::infinity();
  Projection elements;
};

/// A block at the multiplier near `wanted` with the least error. `unit`: what multipliers are multiplied by.
template <class Block>
ChosenScale chosen_scale(const Block& block, const std::vector<double>& multipliers, double unit, double wanted) {
  const auto at = std::lower_bound(multipliers.begin(), multipliers.end(), wanted);
  const auto first = at - std::min<std::ptrdiff_t>(2, at - multipliers.begin());
  const auto last = at + std::min<std::ptrdiff_t>(2, multipliers.end() - at);
  ChosenScale best;
  for (auto multiplier = first; multiplier != last; ++multiplier) {
    const double scale = *multiplier * unit;
    const Projection elements = scale == 0 ? Projection() : block.at(scale);
    const double noise = elements.noise(block.signal, scale);
    if (noise < best.noise) best = {*multiplier, noise, elements};
  }
  return best;
}

/// The least squared error that is found of blocks with a common scale in FP16.
template <class Block>
double least_noise(const std::vector<Block>& blocks, const ScaleSearch& search) {
  std::vector<double> wanted;
  double signal = 0, widest = 0;
  for (const Block& block : blocks) {
    wanted.push_back(real_scale(block, search));
    signal += block.signal;
    if (std::fabs(wanted.back()) > std::fabs(widest)) widest = wanted.back();
  }
  if (widest == 0) return signal;
  double best = signal;
  Projection of_unit;  // of the multipliers times the elements
  const auto noise_at = [&](double unit) {
    double noise = 0;
    of_unit = {};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const ChosenScale chosen = chosen_scale(blocks[i], search.multipliers, unit, wanted[i] / unit);
      noise += chosen.noise;
      of_unit.dot += chosen.multiplier * chosen.elements.dot;
      of_unit.squares += chosen.multiplier * chosen.multiplier * chosen.elements.squares;
    }
    return noise;
  };
  const auto consider = [&](double unit) {
    const double stated = fp16(unit);
    if (stated == 0 || !std::isfinite(stated)) return;
    best = std::min(best, noise_at(stated));
    const double fitted = of_unit.squares > 0 ? fp16(of_unit.dot / of_unit.squares) : 0;
    if (fitted != 0 && fitted != stated) best = std::min(best, noise_at(fitted));
  };
  std::vector<double> ends = {search.multipliers.back()};
  if (search.multipliers.front() < 0) ends.push_back(search.multipliers.front());
  for (const double end : ends)
    for (const double part : {0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15}) consider(widest / end * part);
  return best;
}

}  // namespace roofline
