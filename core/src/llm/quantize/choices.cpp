// The mixtures of a model side by side: bytes, whether they fit, and how fast they decode.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize.hpp>

#include "base/joined.hpp"
#include "base/schemas.hpp"
#include "base/sort_stably.hpp"
#include "llm/quantize/checkpoints.hpp"

namespace roofline {
namespace {

constexpr Member<QuantizedChoice> choice_members[] = {
    {"name", schema::text, "as llama-quantize calls it", field<&QuantizedChoice::name>},
    {"weights_bytes", schema::number, "of all tensors; a file has its metadata and tokenizer besides",
     field<&QuantizedChoice::weights_bytes>},
    {"file_bytes", schema::number, "of the file, with the metadata of the GGUF file that was read; null: none was",
     field<&QuantizedChoice::file_bytes>},
    {"file_bytes_low", schema::number, "file_bytes; if that is null, with the smallest usual metadata",
     field<&QuantizedChoice::file_bytes_low>},
    {"file_bytes_high", schema::number, "the same with the largest", field<&QuantizedChoice::file_bytes_high>},
    {"bits_per_weight", schema::number, "", field<&QuantizedChoice::bits_per_weight>},
    {"fits", schema::maybe, "in memory; null: its capacity is not known", field<&QuantizedChoice::memory, &MemoryVerdict::in_memory>},
    {"verdict", schema::text, "whether weights, cache and activations fit one machine",
     field<&QuantizedChoice::memory, &MemoryVerdict::text>},
    {"memory_bytes", schema::number, "of one machine", field<&QuantizedChoice::memory, &MemoryVerdict::footprint, &MemoryFootprint::total>},
    {"tpot_s", schema::number, "of a decode step, bound", field<&QuantizedChoice::tpot_s>},
    {"typical_tpot_s", schema::number, "of a decode step, estimate", field<&QuantizedChoice::typical_tpot_s>},
    {"kld", schema::number, "KL divergence from the 16-bit model, nats per token", field<&QuantizedChoice::quality, &Divergence::kld>},
    {"kld_low", schema::number, "lower end of its range, which holds 80% of models (predicted) or of mixtures (derived)",
     field<&QuantizedChoice::quality, &Divergence::low>},
    {"kld_high", schema::number, "upper end of the same range", field<&QuantizedChoice::quality, &Divergence::high>},
    {"basis", schema::text,
     "of the divergence: measured (this model, all tensors in this type), derived (from this model in each of the types) or predicted "
     "(from "
     "other models)",
     field<&QuantizedChoice::quality, &Divergence::basis>},
    {"fallback", schema::text, "tensors with another type than the mixture's, because their rows are no whole blocks; empty: none",
     field<&QuantizedChoice::fallback>},
    {"pareto", schema::flag, "Pareto-optimal in time per token and divergence", field<&QuantizedChoice::pareto>}};

struct Document {
  const LlmRequest& request;
  const Scenario& scenario;
  bool imatrix;
  const std::vector<QuantizedChoice>& choices;
};
constexpr Member<Document> document_members[] = {
    document_id<Document>("roofline-quantize/1"),
    {"model", schema::text, "its id", [](JsonOut& out, const Document& d) { out.value(d.request.setup.model.id); }},
    {"machine", schema::text, "its id", [](JsonOut& out, const Document& d) { out.value(d.scenario.machine.id); }},
    {"batch", schema::number, "sequences", [](JsonOut& out, const Document& d) { out.value(d.request.batch); }},
    {"context", schema::number, "tokens", [](JsonOut& out, const Document& d) { out.value(d.request.context); }},
    {"imatrix", schema::flag, "whether the files are made with an importance matrix", field<&Document::imatrix>},
    {"finding", schema::text, "the most accurate mixture that fits, and a faster one",
     [](JsonOut& out, const Document& d) { out.value(quantize_finding(d.scenario.machine, d.choices)); }},
    {"credit", schema::text, "whose measurements the divergences are fitted to",
     [](JsonOut& out, const Document&) { out.value(divergence_credit()); }},
    {"mixtures", objects_of<choice_members>, "the smallest first",
     [](JsonOut& out, const Document& d) { write_objects<choice_members>(out, d.choices); }},
    {"checkpoints", checkpoints_schema,
     "of other tools; their published quality is not comparable with KLD, so none is in the Pareto front",
     [](JsonOut& out, const Document& d) { write_checkpoints(out, quantized_checkpoints(d.request, d.scenario)); }}};

/// Bytes of a file beside its tensors' data. Per vocabulary entry: 21 in llama.cpp's models/ggml-vocab-bert-bge.gguf, 23 in
/// ggml-vocab-llama-spm.gguf, 39 in a published Q4_K_M file of Qwen2.5 7B, 61 in one of Llama 3.1 8B.
struct HeaderBytes {
  double low, high;
};
HeaderBytes usual_header(const Model& model, const Mixture& mixture) {
  constexpr double least_per_token = 16, most_per_token = 80, most_of_metadata = 1 << 18;
  double tensors = 0;
  for (const GgufTensor& tensor : mixture.tensors) tensors += static_cast<double>(tensor.name.size());
  const auto count = static_cast<double>(mixture.tensors.size());
  constexpr double least_per_tensor = 32, most_per_tensor = 56;  // length, dimensions (one to four), type and offset
  return {model.vocab * least_per_token + tensors + count * least_per_tensor,
          model.vocab * most_per_token + tensors + count * most_per_tensor + most_of_metadata};
}

/// A line for each fallback, with the mixtures that have it.
std::string fallback_lines(const std::vector<QuantizedChoice>& choices) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_text;
  for (const QuantizedChoice& c : choices) {
    if (c.fallback.empty()) continue;
    const auto same = [&](const auto& entry) { return entry.first == c.fallback; };
    const auto found = std::find_if(by_text.begin(), by_text.end(), same);
    (found == by_text.end() ? by_text.emplace_back(c.fallback, std::vector<std::string>()) : *found).second.push_back(c.name);
  }
  std::string out;
  for (const auto& [text, names] : by_text) out += listed(names) + ": " + text + "\n";
  return out.empty() ? out : "Rows that are no whole blocks fall back:\n" + out;
}

bool fits(const QuantizedChoice& c) { return c.memory.fit == MemoryFit::fits; }

}  // namespace

std::vector<QuantizedChoice> quantized_choices(const LlmRequest& request, const Scenario& scenario, bool imatrix) {
  std::vector<QuantizedChoice> out;
  for (const std::string& name : mixture_names()) {
    const Result<Mixture> mixed = mixture(request.setup.model, name, imatrix);
    LlmRequest r = request;
    r.setup.formats.weights = mixed->weights();
    mixed->set_unread_bytes(r.setup.model);
    const LlmInference inference(r, scenario);
    out.push_back({name, mixed->bytes(), mixed->bits_per_weight(), inference.memory(r), inference.tpot_s(r.batch, r.context),
                   inference.tpot_s(r.batch, r.context, true), divergence(r.setup.model, *mixed, imatrix)});
    out.back().fallback = mixed->fallback;
    const double header = request.setup.model.gguf_header_bytes, data = mixed->padded_bytes();
    const HeaderBytes range = known(header) ? HeaderBytes{header, header} : usual_header(request.setup.model, *mixed);
    out.back().file_bytes = header + data;
    out.back().file_bytes_low = range.low + data;
    out.back().file_bytes_high = range.high + data;
  }
  for (QuantizedChoice& c : out)
    c.pareto = known(c.typical_tpot_s) && known(c.quality.kld) && std::none_of(out.begin(), out.end(), [&](const QuantizedChoice& other) {
                 return other.typical_tpot_s <= c.typical_tpot_s && other.quality.kld <= c.quality.kld &&
                        (other.typical_tpot_s < c.typical_tpot_s || other.quality.kld < c.quality.kld);
               });
  sort_stably(out, [](const QuantizedChoice& a, const QuantizedChoice& b) { return a.weights_bytes < b.weights_bytes; });
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
    return "No mixture fits " + machine.name +
           (smallest.memory.fit == MemoryFit::tight ? " with " + percent(smallest.memory.reserve) + " free: " : ": ") + smallest.name +
           ", the smallest, needs " + with_unit(smallest.memory.footprint.total(), "B") + " of " +
           with_unit(smallest.memory.capacity, "B") + ".";
  }
  const QuantizedChoice* best = &*largest;  // the most accurate; where that is not known, the largest
  for (const QuantizedChoice& c : choices)
    if (fits(c) && c.quality.kld < best->quality.kld) best = &c;
  const auto tight = [](const QuantizedChoice& c) { return c.memory.fit == MemoryFit::tight; };
  const bool others_barely_fit = std::any_of(choices.begin(), choices.end(), tight);
  std::string out = best->name + " is the " + (known(best->quality.kld) ? "most accurate" : "largest") + " mixture that fits " +
                    machine.name + (others_barely_fit ? " with " + percent(best->memory.reserve) + " free" : "") + ": " +
                    with_unit(best->weights_bytes, "B") + " of weights, " + seconds(best->typical_tpot_s) + " per token, KLD " +
                    number(best->quality.kld) + ".";
  constexpr double half = 0.5;  // the smallest share of its bytes that is suggested
  const auto faster = std::find_if(choices.begin(), choices.end(), [&](const QuantizedChoice& c) {
    return c.pareto && c.weights_bytes >= half * best->weights_bytes && c.weights_bytes < best->weights_bytes &&
           c.typical_tpot_s < best->typical_tpot_s;
  });
  if (faster == choices.end()) return out;
  return out + " " + faster->name + ", with " + with_unit(faster->weights_bytes, "B") + ", is " +
         times(best->typical_tpot_s / faster->typical_tpot_s) + " as fast at KLD " + number(faster->quality.kld) + ".";
}

std::string quantize_json(const LlmRequest& request, const Scenario& scenario, bool imatrix, const std::vector<QuantizedChoice>& choices) {
  return object_text<document_members>(Document{request, scenario, imatrix, choices});
}

ObjectSchema quantize_schema() { return ObjectSchema().with(document_members); }

std::string quantize_table(const std::vector<QuantizedChoice>& choices) {
  std::vector<std::vector<std::string>> rows = {
      {"mixture", "weights", "bits per weight", "time per token", "bound", "KLD", "80% of models", "", "memory"}};
  for (const QuantizedChoice& c : choices)
    rows.push_back({c.name, with_unit(c.weights_bytes, "B"), number(c.bits_per_weight), seconds(c.typical_tpot_s), seconds(c.tpot_s),
                    number(c.quality.kld), number(c.quality.low) + " to " + number(c.quality.high), c.pareto ? "*" : "", c.memory.text()});
  return align(rows, "lrrrrrrll") + "\n* Pareto-optimal in time per token and KLD\n" + fallback_lines(choices) + divergence_credit() + "\n";
}

}  // namespace roofline
