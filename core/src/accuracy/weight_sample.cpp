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

}  // namespace

Result<WeightSample> sample_weights(const ByteSource& file, const StoredFloats& tensor, std::uint64_t most) {
  if (tensor.format == no_format) return fail("the tensor's format is not known: expected fp32, fp16 or bf16");
  const Format& format = Formats::catalogue()[tensor.format];
  if (format.family != FormatFamily::floating || (format.bits != 16 && format.bits != 32))
    return fail("the tensor is in " + format.name + ": expected fp32, fp16 or bf16");
  const std::uint64_t piece = std::min({tensor.row, tensor.elements, most});
  if (piece == 0) return WeightSample{};
  const auto bytes = static_cast<std::uint64_t>(format.bits) / 8;
  const std::uint64_t rows = tensor.elements / tensor.row, taken = std::clamp<std::uint64_t>(most / piece, 1, rows);
  WeightSample out{{}, static_cast<std::size_t>(piece)};
  out.values.reserve(taken * piece);
  TensorInfo info;
  info.element = element_of(format);
  info.shape = {1, piece};
  info.bytes = piece * bytes;
  std::vector<double> values(piece);
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t row = i * rows / taken;
    const Result<std::string> text = file.read(tensor.offset + row * tensor.row * bytes, info.bytes);
    if (!text) return Unexpected(text.error());
    tensor_values(info, *text).read(0, values);
    for (const double v : values) out.values.push_back(std::isfinite(v) ? v : 0);
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
