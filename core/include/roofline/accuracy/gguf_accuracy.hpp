// Quantisation error of GGUF's types. The scales of blocks, and in some types their minima, are quantised, too; elements are integers,
// entries of a code book, or points of a grid.
#pragma once

#include <roofline/accuracy/accuracy.hpp>
#include <span>
#include <vector>

namespace roofline {

/// The types that gguf_sqnr_db() knows, in the catalogue's order.
[[nodiscard]] const std::vector<FormatId>& gguf_types();

/// SQNR in dB of whole rows of `row` values, every value with the same weight, as without an importance matrix. Scales are searched for the
/// least squared error, so that llama-quantize, which searches less, can be below. Infinite: every value is exact. NaN: the format is not
/// among gguf_types(), rows are not whole blocks, or all values are 0.
/// Source: github.com/ggml-org/llama.cpp, ggml/src/ggml-common.h (blocks) and ggml-quants.c (how they decode).
[[nodiscard]] double gguf_sqnr_db(FormatId format, std::span<const double> values, std::size_t row);

inline constexpr std::size_t gguf_sample = std::size_t{1} << 15;  ///< values of a tensor or a sample that are quantised

/// SQNR in dB of a sample's first values, by FormatId. NaN: not a GGUF type.
[[nodiscard]] std::vector<double> gguf_sqnr_db(Sample sample);

/// SQNR in dB of a tensor, by FormatId, from about gguf_sample of its values: evenly spaced rows, as in sample_weights(). NaN: as above, or
/// not a GGUF type. Values that are not finite count as 0.
[[nodiscard]] std::vector<double> gguf_sqnr_db(const Values& values);

/// The samples in every format, GGUF's types included.
[[nodiscard]] std::vector<AccuracyColumn> sample_columns();

/// Measures the accuracy of measured_formats() for a tensor. `file`: its file's name; `bytes`: the tensor's, unpacked.
[[nodiscard]] MeasuredTensor measure_tensor(std::string file, const TensorInfo& tensor, std::string_view bytes);

/// The formats that these two have figures for: quantising_formats(), then gguf_types().
[[nodiscard]] std::vector<FormatId> measured_formats();

}  // namespace roofline
