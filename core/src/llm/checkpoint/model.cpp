// The model in a checkpoint, as a document in the presets' form.
#include <algorithm>
#include <iterator>
#include <map>
#include <roofline/base/text.hpp>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/tensor/tensor.hpp>
#include <set>

#include "base/json.hpp"
#include "base/parse_number.hpp"
#include "llm/checkpoint/tensor_parts.hpp"
#include "llm/model/stored_formats.hpp"
#include "tensor/formats.hpp"

namespace roofline {
namespace {

using Kind = CheckpointName::Kind;

/// A type of safetensors as a format; no_format: integers that pack values.
FormatId format_of(std::string_view type) {
  constexpr std::pair<std::string_view, const char*> known[] = {{"F64", "fp64"},           {"F32", "fp32"},         {"F16", "fp16"},
                                                                {"BF16", "bf16"},          {"F8_E4M3", "fp8_e4m3"}, {"F8_E5M2", "fp8_e5m2"},
                                                                {"F8_E4M3FN", "fp8_e4m3"}, {"I8", "int8"}};
  for (const auto& [name, id] : known)
    if (name == type) return Formats::catalogue().find(id).value_or(no_format);
  return no_format;
}

/// Bytes of a class of weights, and how much of it is in each format.
struct PartBytes {
  double bytes = 0;
  std::map<FormatId, double> by_format;
};

struct Sums {
  std::array<PartBytes, weight_parts> parts;
  double values = 0;  ///< elements of the tensors of the language model, scales left out
  bool packed = false;
  double predicting = 0, towers = 0, adapters = 0, unknown_bytes = 0;
  std::string unknown_name;
};

void add(Sums& sums, const TensorInfo& tensor, const Model& model, const Parameters& parameters) {
  const CheckpointName name = checkpoint_name(tensor.name);
  const auto bytes = static_cast<double>(tensor.bytes);
  if (name.kind == Kind::other_tower) sums.towers += bytes;
  if (name.kind == Kind::adapter) {
    sums.adapters += bytes;
    return;
  }
  if (name.kind == Kind::predicting || (name.kind != Kind::computed && name.layer >= model.layers)) sums.predicting += bytes;
  if (name.kind == Kind::other_tower || name.kind == Kind::predicting || name.kind == Kind::computed || name.layer >= model.layers) return;
  if (name.kind == Kind::unknown) {
    sums.unknown_bytes += bytes;
    if (sums.unknown_name.empty()) sums.unknown_name = printable(tensor.name);
    return;
  }
  const FormatId format = format_of(tensor.type);
  if (name.is_value) {
    sums.values += static_cast<double>(tensor.elements());
    sums.packed = sums.packed || format == no_format;
  }
  const auto elements = [&](WeightPart part) { return parameters.by_part[static_cast<std::size_t>(part)]; };
  double all = 0;
  for (const WeightPart part : name.parts) all += elements(part);
  for (const WeightPart part : name.parts) {
    PartBytes& sum = sums.parts[static_cast<std::size_t>(part)];
    const double share = all > 0 ? elements(part) / all : 1.0 / static_cast<double>(name.parts.size());
    sum.bytes += share * bytes;
    if (name.is_value) sum.by_format[format] += share * bytes;
  }
}

WeightFormats formats_of(const Sums& sums, const Model& model, const Parameters& parameters) {
  WeightFormats out;
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    double elements = parameters.by_part[i];
    if (part == WeightPart::norms) elements += parameters.expert_biases;
    if (elements == 0 || sums.parts[i].bytes == 0) continue;
    const double bytes = sums.parts[i].bytes / elements;
    FormatId format = most_used(sums.parts[i].by_format);
    if (format == no_format) format = model.published[part] != no_format ? model.published[part] : nearest_weight_format(8 * bytes);
    out.set(part, format, bytes == Formats::catalogue()[format].bytes() ? 0 : bytes);
  }
  const FormatId rest = out.any() ? *std::find_if(out.begin(), out.end(), [](FormatId f) { return f != no_format; }) : no_format;
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (const auto part = static_cast<WeightPart>(i); out[part] == no_format) out.set(part, rest);
  return out;
}

/// Parts that have bytes and no parameters by the config, or parameters and no bytes.
void note_mismatches(Json& notes, const Sums& sums, const Parameters& parameters) {
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const double bytes = sums.parts[i].bytes, elements = parameters.by_part[i];
    const std::string part = names_of<WeightPart>[i];
    if (bytes > 0 && elements == 0)
      notes.push_back("Not counted: " + with_unit(bytes, "B") + " of " + part + " tensors, which the config does not have.");
    if (bytes == 0 && elements > 0)
      notes.push_back("The files lack the " + part + " tensors (" + number(elements) +
                      " parameters by the config): the other parts' format is assumed.");
  }
}

Json notes_of(const Sums& sums, const Parameters& parameters, double stated, double bytes) {
  const double expected = parameters.total();
  Json notes = Json::array();
  notes.push_back("The files hold " + with_unit(bytes, "B") + " of the language model's weights.");
  if (sums.predicting > 0)
    notes.push_back("Layers that predict further tokens (MTP), " + with_unit(sums.predicting, "B") + ", are not counted.");
  if (sums.towers > 0) notes.push_back("Vision and audio parts, " + with_unit(sums.towers, "B") + ", are not counted.");
  if (sums.adapters > 0) notes.push_back("Adapters (LoRA), " + with_unit(sums.adapters, "B") + ", are not counted.");
  if (sums.unknown_bytes > 0) notes.push_back(not_modelled_note(sums.unknown_bytes, sums.unknown_name));
  note_mismatches(notes, sums, parameters);
  if (!sums.packed && sums.values != expected)
    notes.push_back("The tensors have " + number(sums.values) + " parameters, the config " + number(expected) +
                    ": the figures are of the latter.");
  if (stated > 0 && std::abs(stated / expected - 1) > 0.01)
    notes.push_back("The index states " + number(stated) + " parameters, the config has " + number(expected) + ".");
  return notes;
}

/// Drops quantization_config: the tensors already state their formats.
void drop_quantization(Json& config) {
  for (Json* json : {&config, config.contains("text_config") ? &config["text_config"] : &config})
    for (const char* key : {"quantization_config", "quantization"})
      if (json->is_object()) json->erase(key);
}

/// Whether a tensor is a head, and not its scales.
bool is_head(const TensorInfo& tensor) {
  const CheckpointName name = checkpoint_name(tensor.name);
  return name.kind == Kind::known && name.is_value && name.parts[0] == WeightPart::head;
}

/// The head is stored, so it counts beside the embedding.
void untie_head(Json& config) {
  Json& sizes = member(config, "text_config").is_object() ? config["text_config"] : config;
  sizes["tie_word_embeddings"] = false;
}

/// PEFT names an adapter's tensors by the modules of the model that it wraps.
bool is_of_wrapped_model(const TensorInfo& tensor) { return tensor.name.starts_with("base_model.model."); }

/// A name such as "model-00001-of-00004.safetensors"; count 0: another.
struct ShardName {
  std::string_view stem;
  double count = 0;
};

ShardName shard_name(std::string_view name) {
  constexpr std::string_view end = ".safetensors", of = "-of-";
  if (!name.ends_with(end)) return {};
  name.remove_suffix(end.size());
  const std::size_t at = name.rfind(of), dash = at == std::string_view::npos ? at : name.rfind('-', at - (at > 0));
  if (dash == std::string_view::npos || dash >= at) return {};
  const double index = parse_number(name.substr(dash + 1, at - dash - 1)), count = parse_number(name.substr(at + of.size()));
  return index >= 0 && count > 1 ? ShardName{name.substr(0, dash), count} : ShardName{};
}

}  // namespace

std::string checkpoint_index_name(std::string_view file) {
  const ShardName shard = shard_name(file);
  return shard.count > 0 ? std::string(shard.stem) + ".safetensors.index.json" : std::string();
}

Result<std::vector<std::string>> checkpoint_files(std::string_view index) {
  const auto json = parse_json(index, "an index of safetensors files: {\"weight_map\": {tensor: file}}");
  if (!json) return Unexpected(json.error());
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const auto& [tensor, file] : member(*json, "weight_map").items()) {
    const std::string name = text_of(file);
    if (name.empty() || name.find_first_of("/\\") != std::string::npos)
      return fail("expected the name of a file beside the index, found " + dump(file), "weight_map." + tensor);
    if (seen.insert(name).second) files.push_back(name);
  }
  if (files.empty()) return fail("expected an index of safetensors files: {\"weight_map\": {tensor: file}}", "weight_map");
  return files;
}

Result<std::string> checkpoint_model(std::string_view config, std::string_view index, std::span<const CheckpointFile> files) {
  Result<Model> model = parse_model(config);
  if (!model) return Unexpected(model.error());
  if (!index.empty()) {
    const auto named = checkpoint_files(index);
    if (!named) return Unexpected(named.error());
    std::set<std::string_view> given;
    for (const CheckpointFile& file : files) given.insert(file.name);
    for (const std::string& name : *named)
      if (!given.contains(name))
        return fail(name + " is missing: the index names " + number(static_cast<double>(named->size())) +
                    " files, open all of them together");
  }
  if (index.empty())
    for (const CheckpointFile& file : files)
      if (const double count = shard_name(file.name).count; count > static_cast<double>(files.size()))
        return fail(file.name + " is one of " + number(count) + " files: open all of them together, with their index");
  std::vector<TensorInfo> tensors;
  for (const CheckpointFile& file : files) {
    const auto refused = [&](Error error) {
      error.message = file.name + ": " + error.message;
      return Unexpected(std::move(error));
    };
    const std::uint64_t header = safetensors_header_size(file.bytes, file.size);
    if (header == 0 || header > file.bytes.size()) return refused({"expected a safetensors file with its whole header", 0, 0, {}});
    Result<TensorFile> read = read_safetensors(file.bytes.substr(0, header), file.size);
    if (!read) return refused(read.error());
    std::move(read->tensors.begin(), read->tensors.end(), std::back_inserter(tensors));
  }
  Json sizes = *parse_json(config, "a config.json");
  const bool unties = model->tied && std::any_of(tensors.begin(), tensors.end(), is_head);
  if (unties) {
    untie_head(sizes);
    model = parse_model(dump(sizes));
    if (!model) return Unexpected(model.error());
  }
  const Parameters p = parameters(*model);
  Sums sums;
  for (const TensorInfo& tensor : tensors) add(sums, tensor, *model, p);
  const WeightFormats formats = formats_of(sums, *model, p);
  if (std::any_of(tensors.begin(), tensors.end(), is_of_wrapped_model) || (!formats.any() && sums.adapters > 0))
    return fail("this is an adapter (LoRA): open the model that it was trained for");
  if (!formats.any()) return fail("no tensor belongs to a language model: expected model.embed_tokens, self_attn.q_proj and others");
  double bytes = 0;
  for (const PartBytes& part : sums.parts) bytes += part.bytes;
  const auto stated = index.empty() ? Result<Json>(Json()) : parse_json(index, "an index");
  const double stated_parameters = stated ? number_of(member(member(*stated, "metadata"), "total_parameters")) : std::nan("");
  Json document = {{"id", model->id}, {"name", model->name}, {"source", "config.json and the headers of its safetensors files"}};
  document["notes"] = notes_of(sums, p, stated_parameters, bytes);
  if (unties) document["notes"].push_back("The files store a head, although the config ties it to the embedding: both are counted.");
  document["config"] = std::move(sizes);
  if (!model->block_scales) drop_quantization(document["config"]);
  document["formats"] = formats_json(formats);
  return dump(document);
}

}  // namespace roofline
