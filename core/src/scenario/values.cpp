#include "scenario/values.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/machine/presets.hpp>

namespace roofline {
namespace {

std::string shown(const Json& value) { return dump(value).substr(0, 40); }

bool is_empty_text(const Json& value) { return value.is_string() && text_of(value).empty(); }

/// Puts a value into a member of a scenario. Nothing but the path is known of what stands around it.
struct ValueReader {
  const Quantity& quantity;
  Scenario& scenario;
  const Json& value;
  const std::string& path;

  [[nodiscard]] Unexpected expected(std::string_view what) const {
    return fail("expected " + std::string(what) + ", found " + shown(value), path);
  }

  template <class Visit>
  Result<void> each(const Visit& visit) const {
    if (!value.is_object()) return fail(std::string("expected an object, found ") + kind_of(value), path);
    for (const auto& [name, inner] : value.items()) {
      const std::string inner_path = path + '.' + name;
      if (auto ok = visit(ValueReader{quantity, scenario, inner, inner_path}, name); !ok) return ok;
    }
    return {};
  }

  Result<void> into(double& target) const {
    const double v = number_of(value);
    if (!(v >= quantity.least && v <= quantity.most) || (quantity.whole && v != std::floor(v))) return expected(quantity.expected);
    target = v / quantity.per;
    return {};
  }

  Result<void> into(std::optional<double>& target) const {
    target.reset();
    return value.is_null() ? Result<void>() : into(target.emplace());
  }

  Result<FormatId> format(std::string_view name) const {
    const Formats& formats = Formats::catalogue();
    if (const auto found = formats.find(name)) return *found;
    return fail("unknown format \"" + std::string(name) + '"' + did_you_mean(formats.near(name), "`roofline list formats` lists them"),
                path);
  }

  Result<void> into(std::optional<FormatId>& target) const {
    target.reset();
    if (is_empty_text(value)) return {};
    if (!value.is_string()) return fail(std::string("expected a format's id, found ") + kind_of(value), path);
    const auto found = format(text_of(value));
    if (!found) return Unexpected(found.error());
    target = *found;
    return {};
  }

  /// "128x256": rows and columns.
  Result<void> into(Tile& tile) const {
    tile = {};
    if (is_empty_text(value)) return {};
    const std::string text = text_of(value);
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto length = [](std::string_view digits) {
      if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string_view::npos) return 0;
      int n = 0;
      for (const char digit : digits) n = 10 * n + (digit - '0');
      return n;
    };
    tile = {length(std::string_view(text).substr(0, cross)), length(std::string_view(text).substr(std::min(cross + 1, text.size())))};
    if (tile.rows == 0 || tile.columns == 0) return expected("a tile's rows and columns such as \"128x256\"");
    return {};
  }

  Result<Machine> machine() const {
    if (value.is_string()) {
      const std::string id = text_of(value);
      if (auto preset = preset_machine(id)) return std::move(*preset);
      return fail("unknown machine \"" + id + '"' + did_you_mean(Machines::presets().near(id), "`roofline list machines` lists them"),
                  path);
    }
    if (!value.is_object()) return fail(std::string("expected a machine's id or an object, found ") + kind_of(value), path);
    auto parsed = parse_machine(dump(value));
    if (!parsed) return fail(parsed.error().message, path + (parsed.error().path.empty() ? "" : "." + parsed.error().path));
    return parsed;
  }

  /// The scenario's own: rates that were typed for another go.
  Result<void> into(Machine&) const {
    auto chosen = machine();
    if (!chosen) return Unexpected(chosen.error());
    scenario.use(std::move(*chosen));
    return {};
  }

  Result<void> into(std::optional<Machine>& target) const {
    target.reset();
    if (is_empty_text(value)) return {};
    auto chosen = machine();
    if (!chosen) return Unexpected(chosen.error());
    target = std::move(*chosen);
    return {};
  }

  Result<void> into(FormatRates& rates) const {
    return each([&](const ValueReader& at, const std::string& name) -> Result<void> {
      const auto format = at.format(name);
      if (!format) return Unexpected(format.error());
      if (!at.value.is_null()) return at.into(rates[*format]);
      rates.erase(*format);
      return {};
    });
  }

  Result<void> into(NamedRates& rates) const {
    return each([&](const ValueReader& at, const std::string& name) -> Result<void> {
      std::vector<std::string> names;
      for (const Memory& memory : scenario.base.memories) names.push_back(memory.name);
      for (const Link& link : scenario.base.links) names.push_back(link.name);
      const auto same_name = [&](const std::string& own) { return normalised(own) == normalised(name); };
      const auto found = std::find_if(names.begin(), names.end(), same_name);
      if (found == names.end()) return fail("unknown memory or link" + did_you_mean(near_matches(name, names), one_of(names)), at.path);
      const auto place = static_cast<std::size_t>(found - names.begin());
      const auto& memories = scenario.base.memories;
      ChannelRates& typed = rates[*found];
      if (auto ok = at.into(typed, *found, place < memories.size() && memories[place].split()); !ok) return ok;
      if (typed == ChannelRates()) rates.erase(*found);
      return {};
    });
  }

  /// Either the whole memory or its channels are typed, never both: the later setting replaces the earlier one.
  Result<void> into(ChannelRates& typed, const std::string& name, bool split) const {
    if (!value.is_object()) {
      typed = {};
      return into(typed.whole);
    }
    if (!split) return fail("expected a number of GB/s, for " + name + " has one channel; found " + kind_of(value), path);
    if (typed.whole) typed = {{}, typed.whole, typed.whole};
    return each([&](const ValueReader& at, const std::string& channel) -> Result<void> {
      if (channel != "read" && channel != "write") return fail("unknown setting: expected one of read, write", at.path);
      return at.into(channel == "read" ? typed.read : typed.write);
    });
  }
};

Json json_of(const Quantity& q, double v) { return v * q.per; }
Json json_of(const Quantity& q, const std::optional<double>& v) { return v ? json_of(q, *v) : Json(); }
Json json_of(const Quantity&, const std::optional<FormatId>& v) { return v ? Json(Formats::catalogue()[*v].id) : Json(); }
Json json_of(const Quantity&, const Tile& v) {
  return v.rows > 0 ? Json(std::to_string(v.rows) + 'x' + std::to_string(v.columns)) : Json();
}
Json json_of(const Quantity&, const Machine& v) {
  if (const auto preset = preset_machine(v.id); preset && *preset == v) return v.id;
  return Json::parse(machine_json(v, true), nullptr, false);
}
Json json_of(const Quantity& q, const std::optional<Machine>& v) { return v ? json_of(q, *v) : Json(); }
Json json_of(const Quantity& q, const FormatRates& v) {
  Json out;
  for (const auto& [format, rate] : v) out[Formats::catalogue()[format].id] = json_of(q, rate);
  return out;
}
Json json_of(const Quantity& q, const NamedRates& v) {
  Json out;
  for (const auto& [name, rates] : v) {
    if (rates.whole) out[name] = json_of(q, rates.whole);
    if (rates.read) out[name]["read"] = json_of(q, rates.read);
    if (rates.write) out[name]["write"] = json_of(q, rates.write);
  }
  return out;
}

}  // namespace

std::optional<Machine> preset_machine(std::string_view id) {
  for (const PresetFile& file : preset_files("machines")) {
    if (file.name != id) continue;
    if (auto machine = parse_machine(file.text)) return std::move(*machine);
  }
  const Machine* found = Machines::presets().find(id);
  return found ? std::optional(*found) : std::nullopt;
}

std::string one_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "expected one of " : ", ") + name;
  return out;
}

Result<void> read_value(const Setting& setting, Scenario& scenario, const Json& value, const std::string& path) {
  return std::visit(
      [&](auto member) -> Result<void> {
        constexpr bool always_there = std::is_same_v<decltype(member), Member<Machine>>;
        if (always_there || !value.is_null()) return ValueReader{setting.quantity, scenario, value, path}.into(member(scenario));
        Scenario fresh;
        member(scenario) = member(fresh);
        return {};
      },
      setting.member);
}

Json written(const Setting& setting, Scenario& scenario) {
  return std::visit([&](auto member) { return json_of(setting.quantity, member(scenario)); }, setting.member);
}

}  // namespace roofline
