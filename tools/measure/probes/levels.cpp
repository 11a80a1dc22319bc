#include "levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofline::measure {
namespace {

constexpr std::size_t most_levels = 4, fewest_points = 2;
constexpr double price = 1;  // of one more step, in doublings of one point
constexpr double least_step = 1.25;

double median(const std::vector<SetRate>& curve, std::size_t first, std::size_t last) {
  std::vector<double> rates;
  for (std::size_t i = first; i <= last; ++i) rates.push_back(curve[i].rate);
  std::sort(rates.begin(), rates.end());
  const std::size_t middle = rates.size() / 2;
  return rates.size() % 2 == 1 ? rates[middle] : std::sqrt(rates[middle - 1] * rates[middle]);
}

double deviation(const std::vector<SetRate>& curve, std::size_t first, std::size_t last) {
  const double level = median(curve, first, last);
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) sum += std::abs(std::log2(curve[i].rate / level));
  return sum;
}

}  // namespace

std::vector<Level> find_levels(const std::vector<SetRate>& curve) {
  const std::size_t count = curve.size();
  if (count == 0) return {};
  // least[n][i]: the cost of the first i points in n steps; from[n][i]: where the last of these begins.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> least(most_levels + 1, std::vector<double>(count + 1, never));
  std::vector<std::vector<std::size_t>> from(most_levels + 1, std::vector<std::size_t>(count + 1, 0));
  least[0][0] = 0;
  const std::size_t shortest = std::min(fewest_points, count);
  for (std::size_t n = 1; n <= most_levels; ++n)
    for (std::size_t end = shortest; end <= count; ++end)
      for (std::size_t begin = 0; begin + shortest <= end; ++begin) {
        if (!(least[n - 1][begin] < never)) continue;
        const double cost = least[n - 1][begin] + deviation(curve, begin, end - 1) + price;
        if (cost < least[n][end]) least[n][end] = cost, from[n][end] = begin;
      }
  std::size_t best = 1;
  for (std::size_t n = 2; n <= most_levels; ++n)
    if (least[n][count] < least[best][count]) best = n;

  std::vector<Level> levels;
  for (std::size_t n = best, end = count; n > 0; end = from[n][end], --n)
    levels.push_back({{}, from[n][end], end - 1, median(curve, from[n][end], end - 1)});
  std::reverse(levels.begin(), levels.end());
  for (std::size_t i = 1; i < levels.size();) {
    if (levels[i - 1].rate >= levels[i].rate * least_step) {
      ++i;
      continue;
    }
    levels[i - 1].last = levels[i].last;
    levels[i - 1].rate = median(curve, levels[i - 1].first, levels[i - 1].last);
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(i));
    if (i > 1) --i;  // the joined level may be near the one before
  }
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i].name = i + 1 == levels.size() ? "DRAM" : "L" + std::to_string(i + 1);
  return levels;
}

}  // namespace roofline::measure
