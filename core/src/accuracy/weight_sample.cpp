#include <algorithm>
#include <cmath>
#include <limits>
#include <roofline/accuracy/weight_sample.hpp>

namespace roofline {
namespace {

ElementType element_of(const Format& format) {
  ElementType out;
  out.floating = true;
  out.bytes = static_cast<int>(format.bits) / 8;
  out.exponent_bits = format.exponent_bits;
  out.mantissa_bits = format.mantissa_bits;
  return out;
}

/// Reads numbers that are next to each other in a file.
struct FloatReader {
  const ByteSource& file;
  FormatId format;

  Result<void> read(std::uint64_t offset, std::vector<double>& values) const {
    TensorInfo info;
    info.element = element_of(Formats::catalogue()[format]);
    info.shape = {1, values.size()};
    info.bytes = values.size() * static_cast<std::uint64_t>(info.element.bytes);
    const Result<std::string> text = file.read(offset, info.bytes);
    if (!text) return Unexpected(text.error());
    tensor_values(info, *text).read(0, values);
    for (double& v : values) v = std::isfinite(v) ? v : 0;
    return {};
  }
};

/// Adjacent columns from the middle of a matrix: each of its rows is read once.
Result<WeightSample> read_columns(const FloatReader& reader, const StoredFloats& tensor, std::uint64_t most) {
  const std::uint64_t matrix_rows = tensor.elements / tensor.row, length = std::min(matrix_rows, most);
  if (length == 0) return WeightSample{};
  const std::uint64_t columns = std::clamp<std::uint64_t>(most / length, 1, tensor.row), first = (tensor.row - columns) / 2;
  const auto bytes = static_cast<std::uint64_t>(Formats::catalogue()[tensor.format].bits) / 8;
  WeightSample out{std::vector<double>(columns * length), static_cast<std::size_t>(length)};
  std::vector<double> values(columns);
  for (std::uint64_t row = 0; row < length; ++row) {
    if (const auto read = reader.read(tensor.offset + (row * tensor.row + first) * bytes, values); !read) return Unexpected(read.error());
    for (std::uint64_t column = 0; column < columns; ++column) out.values[column * length + row] = values[column];
  }
  return out;
}

}  // namespace

Result<WeightSample> sample_weights(const ByteSource& file, const StoredFloats& tensor, std::uint64_t most) {
  if (tensor.format == no_format) return fail("the tensor's format is not known: expected fp32, fp16 or bf16");
  const Format& format = Formats::catalogue()[tensor.format];
  if (format.family != FormatFamily::floating || (format.bits != 16 && format.bits != 32))
    return fail("the tensor is in " + format.name + ": expected fp32, fp16 or bf16");
  const FloatReader reader{file, tensor.format};
  if (tensor.sample_columns) return read_columns(reader, tensor, most);
  const std::uint64_t piece = std::min({tensor.row, tensor.elements, most});
  if (piece == 0) return WeightSample{};
  const auto bytes = static_cast<std::uint64_t>(format.bits) / 8;
  const std::uint64_t rows = tensor.elements / tensor.row, taken = std::clamp<std::uint64_t>(most / piece, 1, rows);
  WeightSample out{{}, static_cast<std::size_t>(piece)};
  out.values.reserve(taken * piece);
  std::vector<double> values(piece);
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t row = i * rows / taken;
    if (const auto read = reader.read(tensor.offset + row * tensor.row * bytes, values); !read) return Unexpected(read.error());
    out.values.insert(out.values.end(), values.begin(), values.end());
  }
  return out;
}

double sqnr_db(const WeightSample& sample, FormatId id) {
  const Format& format = Formats::catalogue()[id];
  if (!format.quantises() || sample.values.empty()) return unknown;
  const std::vector<double> rounded = quantised(format, sample.values, sample.row);
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    signal += sample.values[i] * sample.values[i];
    noise += (sample.values[i] - rounded[i]) * (sample.values[i] - rounded[i]);
  }
  if (signal == 0) return unknown;
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

}  // namespace roofline
