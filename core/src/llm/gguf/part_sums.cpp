#include "llm/gguf/part_sums.hpp"

#include "llm/model/stored_formats.hpp"

namespace roofline {

void PartSums::add(const std::vector<WeightPart>& parts, double elements, double bytes, FormatId format) {
  for (const WeightPart part : parts) {
    Sum& sum = parts_[static_cast<std::size_t>(part)];
    sum.elements += elements;
    sum.bytes += bytes;
    sum.by_format[format] += elements;
  }
}

WeightFormats PartSums::formats() const {
  std::map<FormatId, double> all;
  for (const Sum& sum : parts_)
    for (const auto& [format, elements] : sum.by_format) all[format] += elements;
  WeightFormats out;
  out.fill(most_used(all));
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const Sum& sum = parts_[i];
    if (sum.elements == 0) continue;
    const FormatId format = most_used(sum.by_format);
    const double bytes = sum.bytes / sum.elements;
    out.set(static_cast<WeightPart>(i), format, bytes == Formats::catalogue()[format].bytes() ? 0 : bytes);
  }
  return out;
}

}  // namespace roofline
