// roofline_config.json and --set: reading and writing settings by their keys.

#include "base/joined.hpp"
#include "scenario/values.hpp"

namespace roofline {
namespace {

constexpr const char* example = "{\"peak_tops\": 32, \"mem_bw\": 50}";

/// A later version of the NPU tool writes these; they have no meaning here.
bool is_ignored(std::string_view key) { return key == "issue_eff_limit" || key == "issue_waste_limit" || key == "issue_perf_limit"; }

std::string within(const std::string& section, std::string_view name) {
  return section.empty() ? std::string(name) : section + '.' + std::string(name);
}

/// The next names under a section: of settings, and of sections in it. None where it is no section.
std::vector<std::string> names_in(const std::string& section) {
  const std::string start = within(section, "");
  std::vector<std::string> out;
  for (const Setting& setting : settings()) {
    if (setting.key.substr(0, start.size()) != start) continue;
    const std::string name(setting.key.substr(start.size(), setting.key.find('.', start.size()) - start.size()));
    if (out.empty() || out.back() != name) out.push_back(name);  // a section's settings stand together
  }
  return out;
}

Unexpected unknown_setting(const std::string& section, const std::string& name) {
  const std::vector<std::string> names = names_in(section);
  std::vector<std::string> near = near_matches(name, names);
  for (std::string& match : near) match = within(section, match);
  if (near.empty() && section.empty()) {  // its section may be missing: "launch_us"
    std::vector<std::string> keys;
    for (const Setting& setting : settings()) keys.emplace_back(setting.key);
    near = near_matches(name, keys);
  }
  return fail("unknown setting" + did_you_mean(near, expected_one_of(names)), within(section, name));
}

Result<void> apply(Scenario& scenario, const std::string& section, const std::string& name, const Json& value) {
  const std::string key = within(section, name);
  for (const Setting& setting : settings())
    if (setting.key == key) return read_value(setting, scenario, value, key);
  const std::vector<std::string> names = names_in(key);
  if (names.empty()) return is_ignored(key) ? Result<void>() : unknown_setting(section, name);
  if (value.is_null()) {  // all of them back to their defaults
    for (const std::string& inner : names)
      if (auto ok = apply(scenario, key, inner, value); !ok) return ok;
    return {};
  }
  if (!value.is_object()) return fail(std::string("expected an object, found ") + kind_of(value), key);
  for (const auto& [inner, inner_value] : value.items())
    if (auto ok = apply(scenario, key, inner, inner_value); !ok) return ok;
  return {};
}

/// All or nothing. The machine first, because choosing one forgets typed rates.
Result<void> apply_all(Scenario& scenario, const Json& config) {
  Scenario changed = scenario;
  for (const bool machine : {true, false})
    for (const auto& [key, value] : config.items())
      if ((key == "machine") == machine)
        if (auto ok = apply(changed, "", key, value); !ok) return ok;
  changed.resolve();
  scenario = std::move(changed);
  return {};
}

}  // namespace

Result<void> use_stated_machine(Scenario& scenario, std::string_view json) {
  auto parsed = parse_json(json, "a machine's id or an object");
  if (!parsed) return Unexpected(parsed.error());
  auto used = apply(scenario, "", "machine", *parsed);
  if (used) scenario.basis = MachineBasis::stated;
  return used;
}

Result<void> set(Scenario& scenario, std::string_view key, std::string_view value) {
  // "peaks.matrix.fp16" is the member fp16 of the member matrix of peaks.
  Json json = Json::parse(value, nullptr, false);
  if (json.is_discarded() || json.is_object() || json.is_array()) json = std::string(value);
  std::string rest(key);
  for (std::size_t dot = rest.rfind('.'); dot != std::string::npos; dot = rest.rfind('.')) {
    json = Json::object({{rest.substr(dot + 1), std::move(json)}});
    rest.resize(dot);
  }
  return apply_all(scenario, Json::object({{rest, std::move(json)}}));
}

Result<void> apply_config(Scenario& scenario, std::string_view json) {
  auto parsed = parse_json(json, std::string("settings such as ") + example);
  if (!parsed) return Unexpected(parsed.error());
  if (!parsed->is_object()) return fail(std::string("expected an object such as ") + example + ", found " + kind_of(*parsed));
  return apply_all(scenario, *parsed);
}

Result<Scenario> scenario_of(std::string_view config) {
  Scenario scenario = Scenario::standard();
  if (const auto applied = apply_config(scenario, config); !applied) return Unexpected(applied.error());
  return scenario;
}

std::string config_json(const Scenario& scenario) {
  Scenario s = scenario, fresh;
  // The NPU tool's file is whole where its machine is in use: one peak and one bandwidth.
  if (s.base.id == "npu-32t50" && !s.base.matrix.empty() && !s.base.memories.empty()) {
    if (!s.typed.peak_tops) s.typed.peak_tops = s.base.matrix[0].flops.value / (1e12 * 2 / s.ops_per_mac);
    if (!s.typed.mem_bw) s.typed.mem_bw = s.base.memories[0].bandwidth.value / 1e9;
  }
  Json out = Json::object();
  for (const Setting& setting : settings()) {
    Json value = written(setting, s);
    const std::size_t dot = setting.key.find('.');
    const bool seeds_own = dot == std::string_view::npos && setting.key != "advice_thresh";  // those of the NPU tool are always written
    if (value.is_null() || (!seeds_own && value == written(setting, fresh))) continue;
    const std::string top(setting.key.substr(0, dot));
    if (dot == std::string_view::npos)
      out[top] = std::move(value);
    else
      out[top][std::string(setting.key.substr(dot + 1))] = std::move(value);
  }
  return dump(out);
}

}  // namespace roofline
