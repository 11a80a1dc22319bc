#include <algorithm>
#include <cmath>
#include <functional>
#include <roofline/machine/format.hpp>
#include <roofline/machine/presets.hpp>
#include <utility>

#include "base/json.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

std::vector<std::string> texts(const Json& array) {
  std::vector<std::string> out;
  for (const Json& item : array) out.push_back(text_of(item));
  return out;
}

/// Reads a file of presets/formats. What is left out: block 1, no scale, stored in as many bits as it has.
Format parse_format(const Json& json) {
  const auto number = [&](std::string_view key, double otherwise) {
    const double value = number_of(member(json, key));
    return std::isnan(value) ? otherwise : value;
  };
  Format f;
  f.id = text_of(member(json, "id"));
  f.name = text_of(member(json, "name"));
  f.family = text_of(member(json, "family")) == "integer" ? FormatFamily::integer : FormatFamily::floating;
  f.bits = number("bits", 0);
  f.exponent_bits = static_cast<int>(number("exponent_bits", 0));
  f.mantissa_bits = static_cast<int>(number("mantissa_bits", 0));
  f.block = static_cast<int>(number("block", 1));
  f.scale_bits = number("scale_bits", 0);
  f.storage_bits = number("storage_bits", f.bits);
  f.max_value = number("max_value", 0);
  f.scale_format = text_of(member(json, "scale_format"));
  f.zero_point = member(json, "zero_point") == Json(true);
  f.tensor_scale = member(json, "tensor_scale") == Json(true);
  f.weights_only = member(json, "weights_only") == Json(true);
  for (const Json& code : member(json, "codes")) f.codes.push_back(number_of(code));
  f.aliases = texts(member(json, "aliases"));
  f.fallback = texts(member(json, "fallback"));
  f.note = text_of(member(json, "note"));
  f.source = text_of(member(json, "source"));
  return f;
}

/// Floating first, wide before narrow: the order of every list of formats.
bool listed_before(const Format& a, const Format& b) {
  if (a.family != b.family) return a.family < b.family;
  if (a.effective_bits() != b.effective_bits()) return a.effective_bits() > b.effective_bits();
  return a.id < b.id;
}

}  // namespace

Formats::Formats(std::vector<Format> formats) : formats_(std::move(formats)) {
  for (std::size_t i = 0; i < formats_.size(); ++i) {
    const auto id = static_cast<FormatId>(i);
    names_.emplace_back(normalised(formats_[i].id), id);
    for (const std::string& alias : formats_[i].aliases) names_.emplace_back(normalised(alias), id);
  }
  sort_stably(names_, std::less<>());
}

std::string Format::describe(std::string_view operands) const {
  const std::size_t end = name.find(", ");
  std::string out = name.substr(0, end) + (operands.empty() ? "" : " ") + std::string(operands);
  return end == std::string::npos ? out : out + " in " + name.substr(end + 2);
}

const Formats& Formats::catalogue() {
  static const Formats formats([] {
    std::vector<Format> all;
    for (const PresetFile& file : preset_files("formats"))
      if (const Result<Json> json = parse_json(file.text, "a number format")) all.push_back(parse_format(*json));
    sort_stably(all, listed_before);
    return all;
  }());
  return formats;
}

bool Formats::is_integer(FormatId format) { return format != no_format && catalogue()[format].family == FormatFamily::integer; }

const std::string& Formats::id_of(FormatId format) {
  static const std::string none;
  return format == no_format ? none : catalogue()[format].id;
}

std::optional<FormatId> Formats::find(std::string_view name) const {
  const auto look_up = [this](const std::string& key) -> std::optional<FormatId> {
    const auto found = std::lower_bound(names_.begin(), names_.end(), std::pair<std::string, FormatId>(key, 0));
    if (found == names_.end() || found->first != key) return std::nullopt;
    return found->second;
  };
  const std::optional<FormatId> whole = look_up(normalised(name));
  if (whole) return whole;
  const std::size_t qualifier = name.find_last_of(".:(");
  if (qualifier == std::string_view::npos) return std::nullopt;
  return look_up(normalised(name.substr(qualifier + 1)));
}

bool Formats::holds(FormatId outer_id, FormatId inner_id) const {
  if (outer_id == inner_id) return true;
  const Format &outer = formats_[outer_id], &inner = formats_[inner_id];
  if (outer.code_book()) return false;
  if (outer.family == FormatFamily::integer) return inner.family == FormatFamily::integer && outer.bits >= inner.bits;
  if (inner.family == FormatFamily::floating)
    return outer.exponent_bits >= inner.exponent_bits && outer.mantissa_bits >= inner.mantissa_bits;
  // A two's complement integer of n bits has n - 1 magnitude bits and reaches -2^(n-1); a significand has one hidden bit.
  return outer.mantissa_bits + 1 >= inner.bits - 1 && outer.max_value >= std::ldexp(1.0, static_cast<int>(inner.bits) - 1);
}

std::vector<std::string> Formats::near(std::string_view name) const {
  std::vector<std::string> names;
  for (const Format& format : formats_) names.push_back(format.id);
  for (const Format& format : formats_) names.insert(names.end(), format.aliases.begin(), format.aliases.end());
  return near_ids(name, names, [&](const std::string& match) { return formats_[*find(match)].id; });
}

std::string Formats::unknown_name_message(std::string_view name) const {
  return roofline::unknown_name_message("format", name, near(name));
}

}  // namespace roofline
