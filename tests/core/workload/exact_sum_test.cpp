#include "workload/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "catch.hpp"

using namespace roofline;

namespace {

ExactSum sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

}  // namespace

TEST_CASE("exact sum: what plain addition loses") {
  CHECK(sum_of({}).value() == 0);
  CHECK(sum_of({}).rounded().empty());
  CHECK(sum_of({1e100, 1, -1e100}).value() == 1);
  CHECK(sum_of({1e16, 1, 1e-16}).value() == 10000000000000002.0);  // just above half of the last digit
  CHECK(sum_of({1e16, 1, 1e-16}).rounded() == std::vector<double>{1e16 + 2, -1 + 0x1p-53, 1e-16 - 0x1p-53});
  CHECK(sum_of({1e16, 1}).value() == 1e16);  // half of it: to even
  CHECK(sum_of({1e16, 3}).value() == 1e16 + 4);
  CHECK(sum_of(std::vector<double>(10, 0.1)).value() == 1);
  CHECK(sum_of({5e-324, 5e-324, 1, -1}).value() == 1e-323);
}

TEST_CASE("exact sum: any order and any grouping give the same digits") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-60, 60);
  std::vector<double> terms;
  for (int i = 0; i < 2000; ++i) terms.push_back(std::ldexp(mantissa(random), exponent(random)));
  const std::vector<double> expected = sum_of(terms).rounded();
  REQUIRE(!expected.empty());
  for (int round = 0; round < 20; ++round) {
    std::shuffle(terms.begin(), terms.end(), random);
    CHECK(sum_of(terms).rounded() == expected);
    ExactSum whole;
    for (std::size_t first = 0; first < terms.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 700, terms.size() - first);
      const auto begin = terms.begin() + static_cast<std::ptrdiff_t>(first);
      // Through what a document has of it, and directly.
      const ExactSum part = sum_of({begin, begin + static_cast<std::ptrdiff_t>(size)});
      if (round % 2 == 0)
        whole.add(part);
      else
        for (const double rounded : part.rounded()) whole.add(rounded);
      first += size;
    }
    CHECK(whole.rounded() == expected);
  }
}

TEST_CASE("exact sum: the terms and their negatives leave nothing") {
  ExactSum sum;
  for (int i = 1; i < 500; ++i) sum.add(1.0 / i);
  for (int i = 499; i > 0; --i) sum.add(-1.0 / i);
  CHECK(sum.rounded().empty());
}
