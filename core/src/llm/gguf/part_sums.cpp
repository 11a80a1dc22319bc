#include "llm/gguf/part_sums.hpp"

#include <algorithm>

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
  const auto most = [](const std::map<FormatId, double>& elements) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto found = std::max_element(elements.begin(), elements.end(), fewer);
    return found == elements.end() ? no_format : found->first;
  };
  std::map<FormatId, double> all;
  for (const Sum& sum : parts_)
    for (const auto& [format, elements] : sum.by_format) all[format] += elements;
  WeightFormats out;
  out.fill(most(all));
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const Sum& sum = parts_[i];
    if (sum.elements == 0) continue;
    const FormatId format = most(sum.by_format);
    const double bytes = sum.bytes / sum.elements;
    out.set(static_cast<WeightPart>(i), format, bytes == Formats::catalogue()[format].bytes() ? 0 : bytes);
  }
  return out;
}

Json formats_json(const WeightFormats& formats) {
  const Formats& known = Formats::catalogue();
  const FormatId rest = formats.most_usual();
  Json out = {{"rest", known[rest].id}};
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    const std::string& id = known[formats[part]].id;
    if (const double mixed = formats.mixed_bytes(part); mixed > 0)
      out[names_of<WeightPart>[i]] = {{"format", id}, {"bits_per_weight", 8 * mixed}};
    else if (formats[part] != rest)
      out[names_of<WeightPart>[i]] = id;
  }
  return out;
}

}  // namespace roofline
