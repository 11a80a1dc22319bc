// presets/machine.schema.json against parse_machine: both accept every preset and refuse the same wrong files.
#include <algorithm>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/presets.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

/// The part of JSON Schema that the file uses; a keyword beyond it fails the test.
class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}
  [[nodiscard]] bool accepts(const Json& value) const { return accepts(value, root_); }

 private:
  static bool is(const Json& value, const std::string& type) {
    return type == "object"   ? value.is_object()
           : type == "array"  ? value.is_array()
           : type == "string" ? value.is_string()
           : type == "number" ? value.is_number()
                              : type == "null" && value.is_null();
  }

  [[nodiscard]] bool accepts(const Json& value, const Json& schema) const {
    for (const auto& [key, rule] : schema.items()) {
      const auto fits = [&, &rule = rule](const Json& choice) { return accepts(value, choice); };
      bool ok = true;
      if (key == "$ref") {
        ok = accepts(value, root_["$defs"][text_of(rule).substr(std::string("#/$defs/").size())]);
      } else if (key == "type") {
        ok = rule.is_string() ? is(value, text_of(rule))
                              : std::any_of(rule.begin(), rule.end(), [&](const Json& type) { return is(value, text_of(type)); });
      } else if (key == "enum") {
        ok = std::find(rule.begin(), rule.end(), value) != rule.end();
      } else if (key == "anyOf") {
        ok = std::any_of(rule.begin(), rule.end(), fits);
      } else if (key == "required") {
        ok = !value.is_object() || std::all_of(rule.begin(), rule.end(), [&](const Json& name) { return value.contains(text_of(name)); });
      } else if (key == "properties") {
        for (const auto& [name, inner] : rule.items())
          if (value.is_object() && value.contains(name)) ok = ok && accepts(value[name], inner);
      } else if (key == "additionalProperties") {
        for (const auto& [name, item] : value.items())
          if (value.is_object() && !member(schema, "properties").contains(name)) ok = ok && rule.is_object() && accepts(item, rule);
      } else if (key == "items") {
        for (const Json& item : value.is_array() ? value : Json::array()) ok = ok && accepts(item, rule);
      } else if (key == "minItems") {
        ok = !value.is_array() || value.size() >= rule.get<std::size_t>();
      } else if (key == "minLength") {
        ok = !value.is_string() || text_of(value).size() >= rule.get<std::size_t>();
      } else if (key == "exclusiveMinimum") {
        ok = !value.is_number() || number_of(value) > number_of(rule);
      } else if (key == "maximum") {
        ok = !value.is_number() || number_of(value) <= number_of(rule);
      } else {
        INFO(key);
        CHECK((key == "$schema" || key == "$defs" || key == "title" || key == "description"));
      }
      if (!ok) return false;
    }
    return true;
  }

  Json root_;
};

const Schema& schema() {
  static const Schema s(Json::parse(file("presets/machine.schema.json")));
  return s;
}

}  // namespace

TEST_CASE("machine schema: accepts every preset, and what machine_json writes for it") {
  for (const PresetFile& preset : preset_files("machines")) {
    INFO(preset.name);
    CHECK(schema().accepts(Json::parse(preset.text)));
    const auto machine = parse_machine(preset.text);
    REQUIRE(machine);
    CHECK(schema().accepts(Json::parse(machine_json(*machine, true))));
    CHECK(schema().accepts(Json::parse(machine_json(*machine, false))));
  }
}

TEST_CASE("machine schema: names every tool chain") {
  for (const char* name : names_of<ToolChain>) {
    Json machine = Json::parse(machine_json(simple_machine("x", "X", 1e14, 1e12), false));
    machine["tool_chain"] = name;
    INFO(name);
    CHECK(schema().accepts(machine));
    const auto parsed = parse_machine(machine.dump());
    REQUIRE(parsed);
    CHECK(to_string(parsed->tool_chain) == std::string(name));
  }
}

TEST_CASE("machine schema: agrees with parse_machine on wrong files") {
  const Json sound = {{"id", "x"}, {"peaks", {{"matrix", {{"fp16", 1e14}}}}}, {"memories", {{{"name", "HBM"}, {"bandwidth", 1e12}}}}};
  CHECK(schema().accepts(sound));
  CHECK(parse_machine(sound.dump()));
  const std::pair<const char*, const char*> changes[] = {
      {"", R"([])"},
      {"/id", R"(3)"},
      {"/ids", R"("x")"},
      {"/peaks", R"(null)"},
      {"/peaks", R"({})"},
      {"/peaks/tensor", R"({"fp16": 1e12})"},
      {"/peaks/matrix/fp16", R"(-1)"},
      {"/peaks/matrix/fp16", R"("fast")"},
      {"/peaks/matrix/fp16", R"({"source": "no value"})"},
      {"/peaks/matrix/fp16", R"({"value": 1e12, "sauce": "x"})"},
      {"/memories", R"([])"},
      {"/memories", R"({})"},
      {"/memories/0/name", R"("")"},
      {"/memories/0/bandwidth", R"(0)"},
      {"/memories/0/size", R"(1e9)"},
      {"/links", R"([{"name": "NVLink", "bandwidth": "900"}])"},
      {"/links", R"({})"},
      {"/achievable", R"({"compute": 2.1})"},
      {"/achievable", R"({"bandwidth": 1.2})"},
      {"/achievable", R"({"compute_by_format": {"fp16": 0}})"},
      {"/achievable", R"({"compute_by_format": 0.8})"},
      {"/clock_hz", R"({"boost": 2e9})"},
      {"/clock_hz", R"(2e9)"},
      {"/segment", R"("gaming")"},
      {"/tool_chain", R"("magic")"},
      {"/tool_chain", R"(["vela"])"},
      {"/achievable", R"({"cache": 0.5})"},
      {"/launch_s", R"(-1e-6)"},
      {"/aliases", R"("x")"},
      {"/notes", R"([1])"},
      {"/sources", R"([])"},
  };
  for (const auto& [path, value] : changes) {
    Json wrong = sound;
    wrong[Json::json_pointer(path)] = Json::parse(value);
    INFO(path << " = " << value);
    CHECK(!schema().accepts(wrong));
    CHECK(!parse_machine(wrong.dump()));
  }
}
