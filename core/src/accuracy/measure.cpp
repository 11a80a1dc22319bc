#include <algorithm>
#include <cmath>
#include <roofline/accuracy/accuracy.hpp>

#include "accuracy/arithmetic.hpp"
#include "accuracy/quantiser.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t piece_size = 65536;  // a multiple of every block

/// The pieces that numbers are read in: whole rows, or where a row is long, parts of one.
struct Pieces {
  explicit Pieces(const Values& values) : size(values.size), row(values.row), rows_each(std::max<std::uint64_t>(1, piece_size / row)) {
    per_row = rows_each > 1 ? 1 : (row + piece_size - 1) / piece_size;
    count = (size / row + rows_each - 1) / rows_each * per_row;
  }
  [[nodiscard]] std::uint64_t first(std::uint64_t i) const { return i / per_row * rows_each * row + i % per_row * piece_size; }
  [[nodiscard]] std::uint64_t length(std::uint64_t i) const {
    const std::uint64_t end = per_row == 1 ? first(i) + rows_each * row : std::min(first(i) + piece_size, (i / per_row + 1) * row);
    return std::min(end, size) - first(i);
  }
  std::uint64_t size, row, rows_each, per_row = 1, count = 0;
};

}  // namespace

Accuracy measure_accuracy(const Values& values, std::uint64_t to_round) {
  const Formats& formats = Formats::catalogue();
  Accuracy result;
  result.elements = values.size;
  result.sqnr_db.assign(formats.size(), unknown);
  if (values.size == 0) return result;

  const Pieces pieces(values);
  std::vector<double> buffer;
  const auto read = [&](std::uint64_t piece) {  // the number of values that are not finite
    buffer.resize(pieces.length(piece));
    values.read(pieces.first(piece), buffer);
    std::uint64_t bad = 0;
    for (double& x : buffer)
      if (!(x - x == 0)) x = 0, ++bad;
    return bad;
  };

  // One pass over all for the extent, which keeps what is to be rounded: at most a few times `to_round`.
  const std::uint64_t stride = (values.size + to_round - 1) / to_round;
  std::vector<double> measured;
  double squares = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::uint64_t i = 0; i < pieces.count; ++i) {
    result.not_finite += read(i);
    for (const double x : buffer) {
      least = std::min(least, x);
      most = std::max(most, x);
      squares += x * x;
    }
    if (i % stride == 0) measured.insert(measured.end(), buffer.begin(), buffer.end());
  }
  result.min = least, result.max = most;
  result.rms = std::sqrt(squares / static_cast<double>(values.size - result.not_finite));
  result.measured = measured.size();
  double signal = 0;
  for (const double x : measured) signal += x * x;

  std::vector<double> rounded;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    if (!formats.all()[f].quantises()) continue;
    const Quantiser quantiser(formats.all()[f], std::max(std::fabs(least), std::fabs(most)), measured);
    double noise = 0;
    std::size_t done = 0;
    for (std::uint64_t i = 0; i < pieces.count; i += stride) {
      const auto length = static_cast<std::size_t>(pieces.length(i));
      const std::span<const double> piece = std::span(measured).subspan(done, length);
      rounded.resize(length);
      quantiser.quantise(piece, static_cast<std::size_t>(std::min<std::uint64_t>(values.row, length)), rounded);
      for (std::size_t k = 0; k < length; ++k) noise += (piece[k] - rounded[k]) * (piece[k] - rounded[k]);
      done += length;
    }
    const double ratio = signal / noise;  // infinite: exact; NaN: all zero, or beyond a double's range
    result.sqnr_db[f] = ratio - ratio == 0 ? decibels(ratio) : ratio;
  }
  return result;
}

namespace {

/// Measured at the first call: a sample takes tenths of a second.
template <Sample sample>
const std::vector<double>& table_of() {
  static const std::vector<double> table = [] {
    const std::span<const double> drawn = sample_values(sample);
    return measure_accuracy({drawn.size(), sample_row,
                             [drawn](std::uint64_t first, std::span<double> out) {
                               std::copy_n(drawn.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
                             }})
        .sqnr_db;
  }();
  return table;
}

}  // namespace

const std::vector<double>& sqnr_table(Sample sample) {
  switch (sample) {
    case Sample::gaussian:
      return table_of<Sample::gaussian>();
    case Sample::student_t5:
      return table_of<Sample::student_t5>();
    case Sample::outlier_channels:
      break;
  }
  return table_of<Sample::outlier_channels>();
}

double sqnr_db(FormatId format, Sample sample) { return sqnr_table(sample)[format]; }

}  // namespace roofline
