#include "scenario/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/joined.hpp"
#include "machine/json.hpp"

namespace roofline {
namespace {

/// Puts a value into a member of a scenario.
struct ValueReader {
  const Quantity& quantity;
  const Scenario& scenario;
  const Json& value;
  const std::string& path;  ///< where it stands

  [[nodiscard]] Unexpected expected(const std::string& what, const std::string& found) const {
    return fail("expected " + what + ", found " + found, path);
  }
  [[nodiscard]] Unexpected expected(std::string_view what) const { return expected(std::string(what), dump(value).substr(0, 40)); }

  /// The members of an object, each with a reader of its own.
  template <class Visit>
  Result<void> each(const Visit& visit) const {
    if (!value.is_object()) return expected("an object", kind_of(value));
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

  Result<void> into(FormatId& target) const {
    if (!value.is_string()) return expected("a format's id", kind_of(value));
    return format(text_of(value), target);
  }

  Result<void> format(const std::string& name, FormatId& target) const {
    const auto found = Formats::catalogue().find(name);
    if (!found) return fail(Formats::catalogue().unknown_name_message(name), path);
    target = *found;
    return {};
  }

  Result<void> into(Machine& target) const {
    Result<Machine> machine = machine_from_id_or_object(value, path);
    if (!machine) return Unexpected(machine.error());
    target = std::move(*machine);
    return {};
  }

  Result<void> into(MachineBasis& target) const {
    const auto found = named<MachineBasis>(text_of(value));
    if (!found || found == MachineBasis::stated) return expected("guessed, assumed or chosen");
    target = *found;
    return {};
  }

  /// "128x256": rows and columns.
  Result<void> into(Tile& tile) const {
    tile = {};
    const std::string text = text_of(value);
    const char* const end = text.data() + text.size();
    const char* const cross = std::from_chars(text.data(), end, tile.rows).ptr;
    const bool two = cross != end && *cross == 'x' && std::from_chars(cross + 1, end, tile.columns).ptr == end;
    if (!two || tile.rows <= 0 || tile.columns <= 0) return expected("a tile's rows and columns such as \"128x256\"");
    return {};
  }

  Result<void> into(StackId& target) const {
    const std::string id = text_of(value);
    const auto found = Stacks::presets().find(id);
    if (!found) return fail(Stacks::presets().unknown_name_message(id), path);
    target = *found;
    return {};
  }

  template <class T>
  Result<void> into(std::optional<T>& target) const {
    target.reset();
    return value.is_null() ? Result<void>() : into(target.emplace());
  }

  Result<void> into(FormatRates& rates) const {
    return each([&](const ValueReader& at, const std::string& name) -> Result<void> {
      FormatId format = no_format;
      if (auto ok = at.format(name, format); !ok) return ok;
      if (!at.value.is_null()) return at.into(rates[format]);
      rates.erase(format);
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
      if (found == names.end())
        return fail("unknown memory or link" + did_you_mean(near_matches(name, names), expected_one_of(names)), at.path);
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
Json json_of(const Quantity&, FormatId v) { return Formats::catalogue()[v].id; }
Json json_of(const Quantity&, MachineBasis v) { return v == MachineBasis::guessed ? Json(to_string(v)) : Json(); }
Json json_of(const Quantity&, StackId v) { return Stacks::presets()[v].id; }
Json json_of(const Quantity&, const Machine& v) {
  if (const auto preset = Machines::preset(v.id); preset && *preset == v) return v.id;
  return Json::parse(machine_json(v, true), nullptr, false);
}
Json json_of(const Quantity&, const Tile& v) {
  return v.rows > 0 ? Json(std::to_string(v.rows) + 'x' + std::to_string(v.columns)) : Json();
}
template <class T>
Json json_of(const Quantity& q, const std::optional<T>& v) {
  return v ? json_of(q, *v) : Json();
}
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

Result<void> read_value(const Setting& setting, Scenario& scenario, const Json& value, const std::string& path) {
  const ValueReader reader{setting.quantity, scenario, value, path};
  const bool default_again = value.is_null() || (value == "" && setting.quantity.expected.empty());
  return std::visit(
      [&](auto member) -> Result<void> {
        if constexpr (std::is_same_v<decltype(member), FieldOf<Machine>>) {
          Machine chosen;
          if (auto ok = reader.into(chosen); !ok) return ok;
          scenario.use(std::move(chosen));
          return {};
        } else if (default_again && std::is_same_v<decltype(member), FieldOf<MachineBasis>>) {
          return {};  // as the machine's own setting has it
        } else if (default_again) {
          Scenario fresh;
          member(scenario) = std::move(member(fresh));
          return {};
        } else {
          return reader.into(member(scenario));
        }
      },
      setting.member);
}

Json written(const Setting& setting, Scenario& scenario) {
  return std::visit([&](auto member) { return json_of(setting.quantity, member(scenario)); }, setting.member);
}

}  // namespace roofline
