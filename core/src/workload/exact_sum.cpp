#include "workload/exact_sum.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace roofline {

void ExactSum::add(double term) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    double part = parts_[i];
    if (std::abs(term) < std::abs(part)) std::swap(term, part);
    const double high = term + part, low = part - (high - term);  // exactly term + part
    if (low != 0) parts_[kept++] = low;
    term = high;
  }
  parts_.resize(kept);
  if (term != 0) parts_.push_back(term);
}

double ExactSum::value() const {
  std::size_t n = parts_.size();
  if (n == 0) return 0;
  double sum = parts_[--n], left = 0;
  while (n > 0 && left == 0) {
    const double part = parts_[--n], high = sum + part;
    left = part - (high - sum);
    sum = high;
  }
  // `left` may be half of the last digit, which rounds to even; what is below it says that it is more than half.
  if (n > 0 && left != 0 && (left < 0) == (parts_[n - 1] < 0)) {
    const double up = sum + 2 * left;
    if (up - sum == 2 * left) sum = up;
  }
  return sum;
}

std::vector<double> ExactSum::rounded() const {
  std::vector<double> out;
  ExactSum rest = *this;
  while (!rest.parts_.empty()) {
    out.push_back(rest.value());
    rest.add(-out.back());
  }
  return out;
}

}  // namespace roofline
