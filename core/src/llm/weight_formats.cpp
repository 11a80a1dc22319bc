#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/weight_formats.hpp>
#include <vector>

namespace roofline {
namespace {

struct Group {
  std::string_view name;
  std::vector<WeightPart> parts;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {{"attention", {WeightPart::q, WeightPart::k, WeightPart::v, WeightPart::o, WeightPart::kv_b}},
                                         {"mlp", {WeightPart::gate, WeightPart::up, WeightPart::down}}};
  return all;
}

std::vector<WeightPart> parts_named(std::string_view name) {
  for (const Group& group : groups())
    if (group.name == name) return group.parts;
  if (const auto part = named<WeightPart>(name)) return {*part};
  return {};
}

}  // namespace

Result<void> WeightFormats::apply(std::string_view text) {
  const Formats& known = Formats::catalogue();
  WeightFormats stated;
  FormatId rest = no_format;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end), key = item.substr(0, item.find('='));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (key.size() == item.size())
      return fail("\"" + printable(item) + "\" names no part: expected a list such as experts=mxfp4,head=bf16,rest=fp8_e4m3");
    const std::string id(item.substr(key.size() + 1));
    const auto format = known.find(id);
    if (!format) return fail("unknown format \"" + printable(id) + '"' + did_you_mean(known.near(id)));
    if (key == "rest") {
      rest = *format;
      continue;
    }
    const std::vector<WeightPart> parts = parts_named(key);
    if (parts.empty()) {
      std::vector<std::string> names = {"rest"};
      for (const Group& group : groups()) names.emplace_back(group.name);
      names.insert(names.end(), names_of<WeightPart>.begin(), names_of<WeightPart>.end());
      return fail("\"" + printable(key) + "\" is no part of a model's weights" + did_you_mean(near_matches(key, names)));
    }
    for (const WeightPart part : parts) stated.set(part, *format);
  }
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (const FormatId format = stated.formats_[i] != no_format ? stated.formats_[i] : rest; format != no_format)
      set(static_cast<WeightPart>(i), format);
  return {};
}

std::string WeightFormats::text() const {
  if (!name_.empty()) return name_;
  const Formats& known = Formats::catalogue();
  const auto id = [&](FormatId format) { return format == no_format ? std::string() : known[format].id; };
  // The rest is what most parts have, of those that have a format; the first of them where several are as many.
  FormatId rest = no_format;
  for (const FormatId format : formats_)
    if (format != no_format && (rest == no_format || std::count(begin(), end(), format) > std::count(begin(), end(), rest))) rest = format;
  std::string out;
  const auto add = [&](std::string_view name, FormatId format) { out += std::string(name) + "=" + id(format) + ","; };
  std::array<bool, weight_parts> done{};
  for (const Group& group : groups()) {
    const FormatId format = (*this)[group.parts.front()];
    if (!std::all_of(group.parts.begin(), group.parts.end(), [&](WeightPart part) { return (*this)[part] == format; })) continue;
    if (format != rest && format != no_format) add(group.name, format);
    for (const WeightPart part : group.parts) done[static_cast<std::size_t>(part)] = true;
  }
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (!done[i] && formats_[i] != rest && formats_[i] != no_format) add(names_of<WeightPart>[i], formats_[i]);
  return out.empty() ? id(rest) : out + "rest=" + id(rest);
}

}  // namespace roofline
