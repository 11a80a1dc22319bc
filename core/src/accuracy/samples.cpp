// The samples: a generator, a logarithm and a rejection method that need no more than + - * / and square roots, which every machine
// rounds alike.
#include <cmath>
#include <roofline/accuracy/accuracy.hpp>

#include "accuracy/arithmetic.hpp"

namespace roofline {
namespace {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Uniform in (-1, 1), 53 bits.
  double symmetric() { return static_cast<double>(static_cast<std::int64_t>(next() >> 10) - (std::int64_t{1} << 53)) * 0x1p-53; }

  /// Marsaglia's polar method; it gives two, the second waits.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u = 0, v = 0, s = 0;
    do {
      u = symmetric(), v = symmetric();
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double factor = std::sqrt(-2 * natural_log(s) / s);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

std::vector<double> draw(Sample sample) {
  Random random(1 + static_cast<std::uint64_t>(sample));
  std::vector<double> values(sample_size);
  for (std::size_t i = 0; i < sample_size; ++i) {
    double value = random.normal();
    if (sample == Sample::student_t5) {  // a normal over the root of a chi-squared of 5 degrees over 5
      double squares = 0;
      for (int k = 0; k < 5; ++k) {
        const double other = random.normal();
        squares += other * other;
      }
      value /= std::sqrt(squares / 5);
    }
    if (sample == Sample::outlier_channels && i % 1024 == 512) value *= 20;
    values[i] = value;
  }
  return values;
}

}  // namespace

std::span<const double> sample_values(Sample sample) {
  static const std::array<std::vector<double>, sample_count> drawn = {draw(Sample::gaussian), draw(Sample::student_t5),
                                                                      draw(Sample::outlier_channels)};
  return drawn[static_cast<std::size_t>(sample)];
}

}  // namespace roofline
