// How much rounding changes each tensor of a GGUF file, relative to the others of its class.
#include <algorithm>
#include <cmath>
#include <map>
#include <roofline/accuracy/weight_sample.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "llm/gguf/header.hpp"
#include "llm/gguf/tensor_names.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t first_piece = 1 << 20;

/// Noise to signal in INT4 with a scale per 32 weights; NaN: the tensor is not stored in floats, or is all zeros.
Result<double> error_of(const ByteSource& file, const GgufHeader& header, const GgufTensorInfo& tensor) {
  const Formats& formats = Formats::catalogue();
  const FormatId format = tensor.known ? formats.find(tensor.known->format).value_or(no_format) : no_format;
  if (format == no_format || formats[format].family != FormatFamily::floating || formats[format].block > 1 || formats[format].bits < 16)
    return unknown;
  const Result<WeightSample> sample = sample_weights(file, {header.data + tensor.offset, tensor.elements, tensor.row, format});
  if (!sample) return fail("tensor \"" + std::string(tensor.name) + "\": " + sample.error().message);
  const double db = sqnr_db(*sample, *formats.find("int4_g32"));
  return std::isinf(db) ? unknown : std::pow(10, -db / 10);
}

/// The errors of a file's tensors, not yet relative to their classes.
Result<void> add_errors(const ByteSource& file, const GgufHeader& header, OwnErrors& out) {
  if (header.file_size > file.size()) return {};  // a header alone
  for (const GgufTensorInfo& tensor : header.tensors) {
    const GgufName name = gguf_name(tensor.name, false);
    if (!name.is_weight || tensor.row == tensor.elements) continue;  // norms have one row
    const Result<double> error = error_of(file, header, tensor);
    if (!error) return Unexpected(error.error());
    if (*error > 0) out.emplace(tensor.name, *error);
  }
  return {};
}

/// A header's bytes are read in pieces of at most what a source gives at once.
Result<std::string> read_start(const ByteSource& file, std::uint64_t bytes) {
  std::string out;
  for (std::uint64_t at = 0; at < bytes; at = out.size()) {
    const Result<std::string> piece = file.read(at, std::min(bytes - at, ByteSource::most_at_once));
    if (!piece) return piece;
    out += *piece;
  }
  return out;
}

Result<void> add_errors(const GgufSource& file, OwnErrors& out) {
  const ByteSource& source = *file.source;
  for (std::uint64_t piece = first_piece; piece <= most_of_gguf_header; piece *= 4) {
    const Result<std::string> start = read_start(source, std::min(piece, source.size()));
    if (!start) return Unexpected(start.error());
    const Result<std::optional<GgufHeader>> header = read_gguf_header({file.name, *start, source.size()});
    if (!header) return Unexpected(header.error());
    if (*header) return add_errors(source, **header, out);
  }
  return fail(std::string(too_long_gguf_header));
}

/// Each error relative to the median of its class.
void make_relative(OwnErrors& all) {
  std::map<std::string, std::vector<double>, std::less<>> classes;
  for (const auto& [tensor, error] : all) classes[std::string(gguf_name(tensor, false).base)].push_back(error);
  for (auto& [base, errors] : classes)
    std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
  for (auto& [tensor, error] : all) {
    const std::vector<double>& errors = classes.find(gguf_name(tensor, false).base)->second;
    error /= errors[errors.size() / 2];
  }
}

}  // namespace

Result<OwnErrors> gguf_own_errors(std::span<const GgufSource> files) {
  OwnErrors out;
  for (const GgufSource& file : files)
    if (const Result<void> added = add_errors(file, out); !added)
      return fail(files.size() > 1 ? file.name + ": " + added.error().message : added.error().message);
  make_relative(out);
  return out;
}

Result<OwnErrors> gguf_own_errors(const ByteSource& file, const std::string& name) {
  const GgufSource one{name, &file};
  return gguf_own_errors(std::span(&one, 1));
}

}  // namespace roofline
