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

Accuracy measure_accuracy(const Values& values) {
  const Formats& formats = Formats::catalogue();
  Accuracy result;
  result.elements = values.size;
  result.sqnr_db.assign(formats.size(), unknown);
  if (values.size == 0) return result;

  const Pieces pieces(values);
  std::vector<double> buffer, rounded;
  const auto read = [&](std::uint64_t piece) {  // the number of values that are not finite
    buffer.resize(pieces.length(piece));
    values.read(pieces.first(piece), buffer);
    std::uint64_t bad = 0;
    for (double& x : buffer)
      if (!(x - x == 0)) x = 0, ++bad;
    return bad;
  };

  Extent tensor;
  double squares = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::uint64_t i = 0; i < pieces.count; ++i) {
    result.not_finite += read(i);
    for (const double x : buffer) {
      least = std::min(least, x);
      most = std::max(most, x);
      tensor.mean_abs += std::fabs(x);
      squares += x * x;
    }
  }
  const auto finite = static_cast<double>(values.size - result.not_finite);
  tensor.mean_abs /= static_cast<double>(values.size);  // of what is rounded: those taken as 0 are among them
  tensor.min = std::min(0.0, least), tensor.max = std::max(0.0, most);
  result.min = least, result.max = most, result.rms = std::sqrt(squares / finite);

  std::vector<FormatId> quantising;
  std::vector<Quantiser> quantisers;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    if (!formats.all()[f].quantises()) continue;
    quantising.push_back(static_cast<FormatId>(f));
    quantisers.emplace_back(formats.all()[f], tensor);
  }
  std::vector<double> noise(quantisers.size());
  double signal = 0;
  const std::uint64_t stride = (values.size + most_measured - 1) / most_measured;
  for (std::uint64_t i = 0; i < pieces.count; i += stride) {
    read(i);
    result.measured += buffer.size();
    for (const double x : buffer) signal += x * x;
    rounded.resize(buffer.size());
    for (std::size_t q = 0; q < quantisers.size(); ++q) {
      quantisers[q].quantise(buffer, static_cast<std::size_t>(std::min(values.row, pieces.length(i))), rounded);
      double sum = 0;
      for (std::size_t k = 0; k < buffer.size(); ++k) {
        const double error = buffer[k] - rounded[k];
        sum += error * error;
      }
      noise[q] += sum;
    }
  }
  for (std::size_t q = 0; q < quantisers.size(); ++q) {
    const double ratio = signal / noise[q];  // infinite: exact; NaN: all zero, or beyond a double's range
    result.sqnr_db[quantising[q]] = ratio - ratio == 0 ? decibels(ratio) : ratio;
  }
  return result;
}

const std::vector<double>& sqnr_table(Sample sample) {
  const auto table = [](Sample s) {
    const std::span<const double> drawn = sample_values(s);
    return measure_accuracy({drawn.size(), sample_row,
                             [drawn](std::uint64_t first, std::span<double> out) {
                               std::copy_n(drawn.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
                             }})
        .sqnr_db;
  };
  static const std::array<std::vector<double>, sample_count> tables = {table(Sample::gaussian), table(Sample::student_t5),
                                                                       table(Sample::outlier_channels)};
  return tables[static_cast<std::size_t>(sample)];
}

double sqnr_db(FormatId format, Sample sample) { return sqnr_table(sample)[format]; }

}  // namespace roofline
