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
  using enum WeightPart;
  static const std::vector<Group> all = {{"attention", {q, k, v, o, kv_b, linear, indexer}}, {"mlp", {gate, up, down}}};
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
    if (!format) return fail(known.unknown_name_message(id));
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
  if (rest != no_format)
    for (std::size_t i = 0; i < weight_parts; ++i)
      if (stated.formats_[i] == no_format) stated.set(static_cast<WeightPart>(i), rest);
  apply(stated);
  return {};
}

void WeightFormats::apply(const WeightFormats& other) {
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (other.formats_[i] != no_format) set(static_cast<WeightPart>(i), other.formats_[i], other.mixed_bytes_[i]);
  name_ = other.name_;
}

FormatId WeightFormats::most_usual() const {
  FormatId most = formats_[0];
  for (const FormatId format : formats_)
    if (std::count(begin(), end(), format) > std::count(begin(), end(), most)) most = format;
  return most;
}

std::string WeightFormats::text() const {
  if (!name_.empty()) return name_;
  const Formats& known = Formats::catalogue();
  const FormatId rest = std::find(begin(), end(), no_format) == end() ? most_usual() : no_format;
  std::string out;
  const auto add = [&](std::string_view name, FormatId format) {
    out += (out.empty() ? "" : ",") + std::string(name) + "=" + known[format].id;
  };
  std::array<bool, weight_parts> done{};
  for (const Group& group : groups()) {
    const FormatId format = (*this)[group.parts.front()];
    if (!std::all_of(group.parts.begin(), group.parts.end(), [&](WeightPart part) { return (*this)[part] == format; })) continue;
    if (format != rest && format != no_format) add(group.name, format);
    for (const WeightPart part : group.parts) done[static_cast<std::size_t>(part)] = true;
  }
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (!done[i] && formats_[i] != rest && formats_[i] != no_format) add(names_of<WeightPart>[i], formats_[i]);
  if (rest == no_format) return out;
  return out.empty() ? known[rest].id : out + ",rest=" + known[rest].id;
}

std::string format_names(std::string_view text) {
  constexpr std::string_view rest = "rest=";
  if (text.starts_with(rest) && text.find(',') == std::string_view::npos) text.remove_prefix(rest.size());
  std::string out;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t id_at = item.find('=') + 1;  // npos + 1 is 0: a format alone
    const std::string_view part = item.substr(0, id_at > 0 ? id_at - 1 : 0), id = item.substr(id_at);
    if (!out.empty()) out += ", ";
    if (!part.empty()) out += std::string(part == "rest" ? "the rest" : part) + ' ';
    const auto format = Formats::catalogue().find(id);
    out += format ? Formats::catalogue()[*format].name : std::string(id);
  }
  return out;
}

}  // namespace roofline
