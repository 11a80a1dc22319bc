// How much rounding changes each tensor of a GGUF file, relative to the others of its class.
#include <algorithm>
#include <cmath>
#include <map>
#include <roofline/accuracy/weight_sample.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "llm/gguf/header.hpp"
#include "llm/gguf/tensor_names.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t first_piece = 1 << 20, most_of_header = 64 << 20;

/// Noise to signal in INT4 with a scale per 32 weights; NaN: the tensor is not stored in floats, or is all zeros.
Result<double> error_of(const ByteSource& file, const GgufHeader& header, const GgufTensorInfo& tensor) {
  const Formats& formats = Formats::catalogue();
  const FormatId format = tensor.known ? formats.find(tensor.known->format).value_or(no_format) : no_format;
  if (format == no_format || formats[format].family != FormatFamily::floating || formats[format].block > 1 || formats[format].bits < 16)
    return unknown;
  const Result<WeightSample> sample = sample_weights(file, {header.data + tensor.offset, tensor.elements, tensor.row, format});
  if (!sample) return fail("tensor \"" + std::string(tensor.name) + "\": " + sample.error().message);
  return std::pow(10, -sqnr_db(*sample, *formats.find("int4_g32")) / 10);
}

Result<OwnErrors> errors_of(const ByteSource& file, const GgufHeader& header) {
  OwnErrors out;
  if (header.file_size > file.size()) return out;  // a header alone
  std::map<std::string, std::vector<double>, std::less<>> classes;
  for (const GgufTensorInfo& tensor : header.tensors) {
    const GgufName name = gguf_name(tensor.name, false);
    if (!name.is_weight || tensor.row == tensor.elements) continue;  // norms have one row
    const Result<double> error = error_of(file, header, tensor);
    if (!error) return Unexpected(error.error());
    if (!(*error > 0)) continue;
    out.emplace(tensor.name, *error);
    classes[std::string(name.base)].push_back(*error);
  }
  for (auto& [base, errors] : classes)
    std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
  for (auto& [tensor, error] : out) {
    const std::vector<double>& errors = classes.find(gguf_name(tensor, false).base)->second;
    error /= errors[errors.size() / 2];
  }
  return out;
}

}  // namespace

Result<OwnErrors> gguf_own_errors(const ByteSource& file, const std::string& name) {
  for (std::uint64_t piece = first_piece;; piece *= 4) {
    const Result<std::string> start = file.read(0, std::min({piece, most_of_header, file.size()}));
    if (!start) return Unexpected(start.error());
    const Result<std::optional<GgufHeader>> header = read_gguf_header({name, *start, file.size()});
    if (!header) return Unexpected(header.error());
    if (*header) return errors_of(file, **header);
    if (piece >= most_of_header) return fail("the header is longer than 64 MiB: expected metadata, vocabulary and a list of tensors");
  }
}

}  // namespace roofline
