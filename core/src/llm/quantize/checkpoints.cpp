#include "llm/quantize/checkpoints.hpp"

#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantized_checkpoints.hpp>
#include <roofline/machine/presets.hpp>

#include "base/members.hpp"

namespace roofline {
namespace {

constexpr Member<QuantizedCheckpoint> checkpoint_members[] = {
    {"name", schema::text, "the method: AWQ, GPTQ, MXFP4, NVFP4, FP8 or INT8, or the published format if none of these is it",
     field<&QuantizedCheckpoint::method>},
    {"weights", schema::text, "formats by part, as --weights takes them", field<&QuantizedCheckpoint::weights>},
    {"activations", schema::text, "format: the method's if the machine computes in it, else the request's",
     [](JsonOut& out, const QuantizedCheckpoint& c) { out.value(Formats::catalogue()[c.activations].id); }},
    {"stack", schema::text, "id of the software that the estimate is for", field<&QuantizedCheckpoint::stack>},
    {"weights_bytes", schema::number, "of all weights", field<&QuantizedCheckpoint::weights_bytes>},
    {"bits_per_weight", schema::number, "", field<&QuantizedCheckpoint::bits_per_weight>},
    {"verdict", schema::text, "whether weights, cache and activations fit one machine",
     field<&QuantizedCheckpoint::memory, &MemoryVerdict::text>},
    {"memory_bytes", schema::number, "of one machine",
     field<&QuantizedCheckpoint::memory, &MemoryVerdict::footprint, &MemoryFootprint::total>},
    {"tpot_s", schema::number, "of a decode step, bound", field<&QuantizedCheckpoint::tpot_s>},
    {"typical_tpot_s", schema::number, "of a decode step, estimate", field<&QuantizedCheckpoint::typical_tpot_s>},
    {"basis", schema::text, "of the quality: published, original (the model is published in this format) or unknown",
     field<&QuantizedCheckpoint::quality, &PublishedQuality::basis>},
    {"measure", schema::text, "the published measure, such as a perplexity; empty: not known",
     field<&QuantizedCheckpoint::quality, &PublishedQuality::measure>},
    {"value", schema::number, "of the checkpoint", field<&QuantizedCheckpoint::quality, &PublishedQuality::value>},
    {"original", schema::number, "of the 16-bit model", field<&QuantizedCheckpoint::quality, &PublishedQuality::original>},
    {"quality", schema::text, "in words; empty: not known",
     [](JsonOut& out, const QuantizedCheckpoint& c) { out.value(quality_text(c.quality)); }},
    {"source", schema::text, "of the quality; empty: not known", field<&QuantizedCheckpoint::quality, &PublishedQuality::source>}};

const Json& checkpoints_file() {
  static const Json file = Json::parse(quantized_checkpoints_preset(), nullptr, false);
  return file;
}

FormatId format_of(const Json& id) { return Formats::catalogue().find(text_of(id)).value_or(no_format); }

bool is_published_in(const Model& model, FormatId format) { return model.published[model.largest_part()] == format; }

/// The published formats, if the model is published with most of its weights in `format`; else `format`, with 16 bits for the parts that
/// the methods leave alone.
WeightFormats checkpoint_weights(const Model& model, FormatId format) {
  WeightFormats out(Formats::catalogue().find("fp16").value_or(no_format));
  if (is_published_in(model, format)) {
    out.apply(model.published);
    return out;
  }
  for (std::size_t i = 0; i < weight_parts; ++i) switch (const auto part = static_cast<WeightPart>(i)) {
      case WeightPart::embedding:
      case WeightPart::head:
      case WeightPart::router:
      case WeightPart::norms:
        break;
      default:
        out.set(part, format);
    }
  return out;
}

PublishedQuality quality_of(const Model& model, std::string_view method) {
  for (const Json& checkpoint : member(checkpoints_file(), "checkpoints")) {
    const std::string name = normalised(text_of(member(checkpoint, "model")));
    if (text_of(member(checkpoint, "method")) != method || (name != normalised(model.id) && name != normalised(model.name))) continue;
    return {QualityBasis::published, text_of(member(member(checkpoints_file(), "measures"), text_of(member(checkpoint, "measure")))),
            number_of(member(checkpoint, "value")), number_of(member(checkpoint, "original")),
            text_of(member(member(checkpoints_file(), "sources"), text_of(member(checkpoint, "source"))))};
  }
  return {};
}

Scenario with_stack_of_servers(Scenario scenario) {
  const Stacks& stacks = Stacks::presets();
  if (!scenario.stack && stacks[stacks.usual(scenario.machine, StackUse::language_model)].id == "llama.cpp-cuda")
    scenario.stack = stacks.find("fused");
  return scenario;
}

}  // namespace

std::vector<QuantizedCheckpoint> quantized_checkpoints(const LlmRequest& request, const Scenario& scenario) {
  const Scenario served = with_stack_of_servers(scenario);
  const Model& model = request.setup.model;
  std::vector<QuantizedCheckpoint> out;
  const auto add = [&](const std::string& method, FormatId format, FormatId activations) {
    LlmRequest r = request;
    QuantizedCheckpoint c;
    c.method = method;
    r.setup.formats.weights = checkpoint_weights(model, format);
    if (activations != no_format && known(scenario.machine.peak(Unit::matrix, activations))) r.setup.formats.activations = activations;
    const LlmInference inference(r, served);
    c.weights = r.setup.formats.weights.text();
    c.activations = r.setup.formats.activations;
    c.stack = served.stack_for(StackUse::language_model).id;
    c.weights_bytes = inference.plan().weight_bytes();
    c.bits_per_weight = 8 * c.weights_bytes / parameters(model).total();
    c.memory = inference.memory(r);
    c.tpot_s = inference.tpot_s(r.batch, r.context);
    c.typical_tpot_s = inference.tpot_s(r.batch, r.context, true);
    c.quality =
        is_published_in(model, format) ? PublishedQuality{QualityBasis::original, {}, unknown, unknown, {}} : quality_of(model, c.method);
    out.push_back(std::move(c));
  };
  bool as_published = false;
  for (const Json& method : member(checkpoints_file(), "methods")) {
    const FormatId format = format_of(member(method, "weights"));
    add(text_of(member(method, "name")), format, format_of(member(method, "activations")));
    as_published = as_published || is_published_in(model, format);
  }
  // A model that is published in another narrow format, such as INT4 in groups of 32. A GGUF file's types are mixtures, not checkpoints.
  const FormatId published = model.published[model.largest_part()];
  if (!as_published && !model.gguf_tensors && published != no_format && Formats::catalogue()[published].bits < 16)
    add(Formats::catalogue()[published].name, published, no_format);
  return out;
}

std::string quality_text(const PublishedQuality& quality) {
  switch (quality.basis) {
    case QualityBasis::unknown:
      return {};
    case QualityBasis::original:
      return "published in this format";
    case QualityBasis::published:
      break;
  }
  return quality.measure + ": " + number(quality.value) + ", in 16 bits " + number(quality.original);
}

std::string checkpoints_table(const std::vector<QuantizedCheckpoint>& checkpoints) {
  std::vector<std::vector<std::string>> rows = {
      {"checkpoint", "weights", "bits per weight", "time per token", "bound", "published quality", "memory"}};
  for (const QuantizedCheckpoint& c : checkpoints)
    rows.push_back({c.method, with_unit(c.weights_bytes, "B"), number(c.bits_per_weight), seconds(c.typical_tpot_s), seconds(c.tpot_s),
                    c.quality.basis == QualityBasis::unknown ? "not known" : quality_text(c.quality), c.memory.text()});
  std::string out = align(rows, "lrrrrll") + "\nPublished quality is not comparable with KLD";
  if (!checkpoints.empty()) out += "; times are estimates for the stack " + checkpoints.front().stack;
  return out + "\n";
}

void write_checkpoints(JsonOut& out, const std::vector<QuantizedCheckpoint>& checkpoints) {
  write_objects<checkpoint_members>(out, checkpoints);
}

std::string checkpoints_schema() { return objects_of<checkpoint_members>(); }

}  // namespace roofline
