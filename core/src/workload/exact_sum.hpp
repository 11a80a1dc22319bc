// A sum of doubles that loses nothing: the same whatever the order, and whatever was summed apart before.
#pragma once

#include <vector>

namespace roofline {

/// Kept as doubles whose bits do not overlap (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997): two or three for most sums.
class ExactSum {
 public:
  static constexpr double most = 0x1p900;  ///< a term's size: no number of them overflows

  /// `term` is finite and at most `most`.
  void add(double term);
  void add(const ExactSum& other) {
    for (const double part : other.parts_) add(part);
  }
  /// The double nearest to the sum, of two the even one.
  [[nodiscard]] double value() const;
  /// The sum as doubles: the nearest to it, the nearest to what that leaves, and so on, until nothing is left. They follow from the sum
  /// alone, and added up they are the sum. Empty: 0.
  [[nodiscard]] std::vector<double> rounded() const;

 private:
  std::vector<double> parts_;  // none is 0, the smallest first
};

}  // namespace roofline
