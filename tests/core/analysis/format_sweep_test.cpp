// The Lagrange sweep against all plans of small examples.
#include <algorithm>
#include <cmath>
#include <limits>
#include <roofline/accuracy/format_sweep.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

using Tensors = std::vector<std::vector<FormatOption>>;

/// The least noise of all plans at a cost of at most `most`; infinite: none is so cheap.
double least_noise(const Tensors& tensors, double most, std::size_t from = 0) {
  if (from == tensors.size()) return most >= 0 ? 0 : std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  for (const FormatOption& o : tensors[from]) best = std::min(best, o.noise + least_noise(tensors, most - o.bytes, from + 1));
  return best;
}

/// Five tensors of different sizes and sensitivities in four formats, at a quarter of the noise per bit.
Tensors example() {
  Tensors out;
  for (const double elements : {8.0, 16.0, 40.0, 64.0, 100.0}) {
    std::vector<FormatOption> options;
    for (const double bits : {2.0, 3.0, 4.0, 8.0})
      options.push_back({no_format, elements * bits / 8, 0, (3 + static_cast<int>(elements) % 7) * std::pow(4, -bits)});
    out.push_back(options);
  }
  return out;
}

}  // namespace

TEST_CASE("format sweep: at every corner no plan has less noise", "[accuracy]") {
  const Tensors tensors = example();
  const FormatSweep sweep(tensors, &FormatOption::bytes);
  const std::vector<SweepPoint> front = sweep.front(1000);
  REQUIRE(front.size() > 5);
  for (const SweepPoint& corner : front) {
    INFO(corner.cost);
    CHECK_THAT(corner.noise, WithinRel(least_noise(tensors, corner.cost + 1e-9), 1e-9));
    CHECK_THAT(sweep.at(sweep.within_cost(corner.cost)).noise, WithinRel(corner.noise, 1e-9));
    CHECK(sweep.at(sweep.within_noise(corner.noise * (1 + 1e-12))).cost <= corner.cost + 1e-9);
  }
}

TEST_CASE("format sweep: between corners it keeps to the budget and comes close to the best", "[accuracy]") {
  const Tensors tensors = example();
  const FormatSweep sweep(tensors, &FormatOption::bytes);
  for (double most = sweep.front().front().cost; most < sweep.front().back().cost; most += 1.7) {
    INFO(most);
    const SweepPoint found = sweep.at(sweep.within_cost(most));
    CHECK(found.cost <= most);
    CHECK(found.noise <= 1.6 * least_noise(tensors, most));
  }
  for (const double noise : {0.5, 0.1, 0.02, 0.001}) CHECK(sweep.at(sweep.within_noise(noise)).noise <= noise);
}

TEST_CASE("format sweep: the nearest plan where none is admissible", "[accuracy]") {
  const Tensors tensors = example();
  const FormatSweep sweep(tensors, &FormatOption::bytes);
  CHECK(sweep.at(sweep.within_cost(0)).cost == sweep.front().front().cost);
  CHECK_THAT(sweep.at(sweep.within_noise(0)).noise, WithinRel(sweep.front(1000).back().noise, 1e-9));
}

TEST_CASE("format sweep: options that cost more for no less noise are never taken", "[accuracy]") {
  const Tensors tensors = {{{no_format, 1, 0, 1}, {no_format, 2, 0, 1}, {no_format, 3, 0, 0.9}, {no_format, 4, 0, 0}}};
  const FormatSweep sweep(tensors, &FormatOption::bytes);
  CHECK(sweep.within_cost(2.5)[0] == 0);
  CHECK(sweep.within_cost(100)[0] == 3);
  CHECK(sweep.front(10).size() == 2);  // the third is above the line from the first to the fourth
}
