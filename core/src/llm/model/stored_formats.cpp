#include "llm/model/stored_formats.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

namespace roofline {

FormatId most_used(const std::map<FormatId, double>& amounts) {
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(amounts.begin(), amounts.end(), less);
  return most == amounts.end() ? no_format : most->first;
}

FormatId nearest_weight_format(double bits) {
  const Formats& formats = Formats::catalogue();
  const auto distance = [&](FormatId f) { return std::abs(formats[f].effective_bits() - bits); };
  FormatId nearest = no_format;
  for (FormatId f = 0; f < formats.size(); ++f)
    if (formats[f].weights_only && (nearest == no_format || distance(f) < distance(nearest))) nearest = f;
  return nearest;
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

std::string not_modelled_note(double bytes, const std::string& tensor) {
  return with_unit(bytes, "B") + " of tensors belong to operators that are not modelled, such as " + tensor + ".";
}

}  // namespace roofline
