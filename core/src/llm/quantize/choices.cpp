// The mixtures of a model side by side: bytes, whether they fit, and how fast they decode.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize.hpp>

#include "base/entries.hpp"

namespace roofline {
namespace {

Json known_number(double value) { return known(value) ? Json(value) : Json(); }

constexpr Entry<QuantizedChoice> members[] = {
    {"name", schema::text, "as llama-quantize calls it", [](const QuantizedChoice& c) { return Json(c.name); }},
    {"weights_bytes", schema::number, "of all tensors; a file has its metadata and tokenizer besides",
     [](const QuantizedChoice& c) { return Json(c.weights_bytes); }},
    {"bits_per_weight", schema::number, "", [](const QuantizedChoice& c) { return Json(c.bits_per_weight); }},
    {"verdict", schema::text, "whether weights, cache and activations fit one machine",
     [](const QuantizedChoice& c) { return Json(c.memory.text()); }},
    {"memory_bytes", schema::number, "of one machine", [](const QuantizedChoice& c) { return Json(c.memory.footprint.total()); }},
    {"tpot_s", schema::number, "of a decode step, bound", [](const QuantizedChoice& c) { return known_number(c.tpot_s); }},
    {"typical_tpot_s", schema::number, "of a decode step, estimate",
     [](const QuantizedChoice& c) { return known_number(c.typical_tpot_s); }}};

bool fits(const QuantizedChoice& c) { return c.memory.fit == MemoryFit::fits || c.memory.fit == MemoryFit::tight; }

}  // namespace

std::vector<QuantizedChoice> quantized_choices(const LlmRequest& request, const Scenario& scenario, bool imatrix) {
  std::vector<QuantizedChoice> out;
  for (const std::string& name : mixture_names()) {
    const Result<Mixture> mixed = mixture(request.setup.model, name, imatrix);
    LlmRequest r = request;
    r.setup.formats.weights = mixed->weights();
    const LlmInference inference(r, scenario);
    out.push_back({name, mixed->bytes(), mixed->bits_per_weight(), inference.memory(r), inference.tpot_s(r.batch, r.context),
                   inference.tpot_s(r.batch, r.context, true)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const QuantizedChoice& a, const QuantizedChoice& b) { return a.weights_bytes < b.weights_bytes; });
  return out;
}

std::string quantize_finding(const Machine& machine, const std::vector<QuantizedChoice>& choices) {
  if (choices.empty()) return {};
  const QuantizedChoice& smallest = choices.front();
  if (smallest.memory.fit == MemoryFit::unknown)
    return "The capacity of " + machine.name + " is not known: the mixtures take " + with_unit(smallest.weights_bytes, "B") + " to " +
           with_unit(choices.back().weights_bytes, "B") + ".";
  const auto largest = std::find_if(choices.rbegin(), choices.rend(), fits);
  if (largest == choices.rend()) {
    if (smallest.memory.fit == MemoryFit::too_long) return "No mixture helps: " + smallest.memory.text() + ".";
    return "No mixture fits " + machine.name + ": " + smallest.name + ", the smallest, needs " +
           with_unit(smallest.memory.footprint.total(), "B") + " of " + with_unit(smallest.memory.capacity, "B") + ".";
  }
  std::string out = largest->name + " is the largest mixture that fits " + machine.name + ": " + with_unit(largest->weights_bytes, "B") +
                    " of weights, " + seconds(largest->typical_tpot_s) + " per token.";
  constexpr double half = 0.5;  // of its bytes: what halving them would gain
  for (const QuantizedChoice& c : choices)
    if (c.weights_bytes >= half * largest->weights_bytes && c.weights_bytes < largest->weights_bytes)
      return out + " " + c.name + ", with " + with_unit(c.weights_bytes, "B") + ", is " +
             times(largest->typical_tpot_s / c.typical_tpot_s) + " as fast.";
  return out;
}

std::string quantize_json(const LlmRequest& request, const Scenario& scenario, bool imatrix, const std::vector<QuantizedChoice>& choices) {
  return dump(Json{{"format", "roofline-quantize/1"},
                   {"model", request.setup.model.id},
                   {"machine", scenario.machine.id},
                   {"batch", request.batch},
                   {"context", request.context},
                   {"imatrix", imatrix},
                   {"finding", quantize_finding(scenario.machine, choices)},
                   {"mixtures", json_list(members, choices)}});
}

std::string quantize_table(const std::vector<QuantizedChoice>& choices) {
  std::vector<std::vector<std::string>> rows = {{"mixture", "weights", "bits per weight", "time per token", "bound", "memory"}};
  for (const QuantizedChoice& c : choices)
    rows.push_back({c.name, with_unit(c.weights_bytes, "B"), number(c.bits_per_weight), seconds(c.typical_tpot_s), seconds(c.tpot_s),
                    c.memory.text()});
  return align(rows, "lrrrrl");
}

}  // namespace roofline
