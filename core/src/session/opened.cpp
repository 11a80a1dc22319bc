#include "session/opened.hpp"

#include <algorithm>
#include <roofline/workload/join.hpp>

#include "read/trace/step_annotation.hpp"

namespace roofline {
namespace {

std::vector<std::string> labels_of(const Workload& w) {
  std::vector<std::string> names;
  for (const Category& category : w.categories) names.push_back(category.name);
  for (const Measure& measure : w.measures) names.push_back(measure.name);
  return names;
}

void add_missing(std::vector<std::string>& words, const std::vector<std::string>& more) {
  for (const std::string& word : more)
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

/// Which model ran is not in a trace of an inference engine's steps. {"context": whether the steps leave that open}, else null.
Json asks_for_model(const Workload& w) {
  if (w.source_format != SourceFormat::pytorch) return {};
  bool asks = false, context = false;
  for (const std::string& name : w.steps)
    if (const auto step = parse_step(name)) asks = true, context = context || !step->states_context();
  return asks ? Json{{"context", context}} : Json();
}

/// The name of the machine that the source states; null: none.
Json stated_machine(const Workload& w) {
  const Json stated = w.machine_json.empty() ? Json() : Json::parse(w.machine_json, nullptr, false);
  if (const Machine* preset = Machines::presets().find(text_of(stated))) return preset->name;
  for (const char* key : {"name", "id"})
    if (std::string name = text_of(member(stated, key)); !name.empty()) return name;
  return {};
}

/// Of a network's commands.json. What another tool keeps under the same name is not shown.
Json network_facts(const Workload& w) {
  Json facts = Json::parse(w.network_json, nullptr, false);
  const bool ours = member(facts, "dimensions").is_array() && member(facts, "not_counted").is_array() && member(facts, "notes").is_array();
  if (!ours) return {};
  facts.erase("modules");  // sum_by_module() reads them where they are asked for
  return facts;
}

}  // namespace

Json opened(const Workload& w, const Workload* before, const Opening& how) {
  std::vector<std::size_t> ops(w.classes.size());
  for (const std::uint32_t k : w.op_class) ++ops[k];
  Json kinds = Json::array();
  constexpr std::size_t max_kinds = 1000;  // enough for any menu
  for (std::size_t k = 0; k < w.classes.size() && k < max_kinds; ++k)
    kinds.push_back(
        {{"type", w.classes[k].type}, {"category", w.classes[k].category}, {"symbol", to_string(w.classes[k].symbol)}, {"ops", ops[k]}});
  if (before)
    for (const OpClass& k : before->classes) {
      const bool known =
          std::any_of(kinds.begin(), kinds.end(), [&](const Json& own) { return own["type"] == k.type && own["category"] == k.category; });
      if (!known && kinds.size() < max_kinds)
        kinds.push_back({{"type", k.type}, {"category", k.category}, {"symbol", to_string(k.symbol)}, {"ops", 0}});
    }
  bool program = false, infeed = false;  // are there rows of that view
  for (const std::uint8_t views : w.views) {
    program = program || (views & row_view::program) != 0;
    infeed = infeed || (views & (row_view::with_infeed | row_view::without_infeed)) != (row_view::with_infeed | row_view::without_infeed);
  }
  Json columns = Json::array();
  for (const Category& category : w.categories) {
    std::vector<std::size_t> counts(category.values.size());
    for (const std::uint32_t value : category.value)
      if (value < counts.size()) ++counts[value];
    std::vector<std::string> words = category.values;
    if (before)
      for (const Category& theirs : before->categories)
        if (theirs.name == category.name) add_missing(words, theirs.values);
    counts.resize(words.size());
    columns.push_back({{"name", category.name}, {"words", std::move(words)}, {"ops", counts}});
  }
  std::vector<std::string> steps = w.steps;
  if (before && !w.step.empty()) add_missing(steps, before->steps);
  return {{"source", w.source},
          {"format", to_string(w.source_format)},
          {"ops", w.size()},
          {"kinds", std::move(kinds)},
          {"columns", std::move(columns)},
          {"labels", labels_of(w)},
          {"steps", std::move(steps)},
          {"device", w.properties},
          {"device_time", known(w.device_time.span_s) ? Json{{"span_s", w.device_time.span_s}, {"busy_s", w.device_time.busy_s}} : Json()},
          {"program", program},
          {"infeed", infeed},
          {"kv_cache", std::any_of(w.classes.begin(), w.classes.end(),
                                   [](const OpClass& op_class) { return op_class.kv != no_format || op_class.roles_unknown; })},
          {"before", before ? Json(before->source) : Json()},
          {"lacking", std::string(lacking(w))},
          {"simulated_by", w.simulated_by},
          {"network", network_facts(w)},
          {"stated_machine", stated_machine(w)},
          {"guessed_machine", how.guessed_machine ? Json(how.guessed_machine->id) : Json()},
          {"engine", to_string(w.engine)},
          {"joined", how.joined},
          {"asks_for_model", how.asks_for_model ? asks_for_model(w) : Json()},
          {"diagnostics", w.diagnostics.size() + w.hidden_diagnostics}};
}

}  // namespace roofline
