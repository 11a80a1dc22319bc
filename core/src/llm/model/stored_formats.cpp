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

Json stored_json(const StoredWeights& stored) {
  Json elements = Json::object();
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (stored.elements[i] > 0) elements[names_of<WeightPart>[i]] = stored.elements[i];
  return {{"elements", std::move(elements)},
          {"other_elements", stored.other_elements},
          {"other_bytes", stored.other_bytes},
          {"mtp_bytes", stored.mtp_bytes}};
}

std::optional<StoredWeights> stored_weights(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto amount = [](const Json& object, const char* key) {
    const double n = number_of(member(object, key));
    return n > 0 && n < 1e18 ? n : 0;
  };
  StoredWeights out;
  for (std::size_t i = 0; i < weight_parts; ++i) out.elements[i] = amount(member(json, "elements"), names_of<WeightPart>[i]);
  out.other_elements = amount(json, "other_elements");
  out.other_bytes = amount(json, "other_bytes");
  out.mtp_bytes = amount(json, "mtp_bytes");
  return out;
}

std::string not_modelled_note(double bytes, const std::string& tensor) {
  return with_unit(bytes, "B") + " of tensors belong to operators that are not modelled, such as " + tensor + ".";
}

}  // namespace roofline
