// What rounding numbers to a format costs: the signal-to-quantisation-noise ratio, SQNR = 10 log10(sum x^2 / sum (x - q)^2) in dB.
// Every format is rounded to by the rules of its own file under presets/formats; docs/guide/accuracy.md gives them. Native and wasm give
// the same digits: nothing here goes through the C library's transcendental functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/tensor/tensor.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Numbers to try formats on, the same on every run: `sample_size` of them in rows of `sample_row`.
enum class Sample : std::uint8_t {
  gaussian,         ///< standard normal
  student_t5,       ///< heavy tails: Student's t with 5 degrees of freedom
  outlier_channels  ///< standard normal, 4 of the 4,096 channels times 20, as in the activations of large language models
};
template <>
inline constexpr auto names_of<Sample> = std::to_array<const char*>({"gaussian", "student_t5", "outlier_channels"});
inline constexpr std::size_t sample_count = names_of<Sample>.size(), sample_size = 65536, sample_row = 4096;
[[nodiscard]] std::span<const double> sample_values(Sample sample);

/// dB. Infinite: every value is exact. NaN: the format has no rule to round by (GGUF, INT32, INT64).
[[nodiscard]] double sqnr_db(FormatId format, Sample sample);
/// The same of all formats, by FormatId; worked out once.
[[nodiscard]] const std::vector<double>& sqnr_table(Sample sample);

/// What formats make of a tensor. Of more than `to_round` values evenly spread pieces of rows are rounded; the scales per tensor
/// are those of the whole.
struct Accuracy {
  std::uint64_t elements = 0, measured = 0;
  std::uint64_t not_finite = 0;                        ///< infinities and NaN, taken as 0
  double min = unknown, max = unknown, rms = unknown;  ///< of the finite ones
  std::vector<double> sqnr_db;                         ///< by FormatId, as above; NaN too where all values are 0
};
[[nodiscard]] Accuracy measure_accuracy(const Values& values, std::uint64_t to_round = std::uint64_t{1} << 20);

/// Rounds `values`, which are whole rows of `row`, to the format and back; the scales per tensor are theirs. For formats that quantise().
[[nodiscard]] std::vector<double> quantised(const Format& format, std::span<const double> values, std::size_t row);

/// SQNR by FormatId under a heading: a sample's name, or "tensor".
struct AccuracyColumn {
  std::string name;
  std::vector<double> sqnr_db;
};

/// "roofline-accuracy/1": of each format its SQNR in every column. `tensor`: whose numbers they are; null: the samples'.
struct MeasuredTensor {
  std::string file;
  TensorInfo info;
  Accuracy accuracy;
};
[[nodiscard]] std::string accuracy_json(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats,
                                        const MeasuredTensor* tensor);

/// The same with one row per format; "exact" where no value changes.
[[nodiscard]] std::string accuracy_csv(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats);

/// The formats that quantise(), in the catalogue's order.
[[nodiscard]] std::vector<FormatId> quantising_formats();

}  // namespace roofline
