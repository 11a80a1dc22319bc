#include "llm/model/quantization_config.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "llm/model/format_assignment.hpp"
#include "llm/model/quantization_methods.hpp"

namespace roofline {
namespace {

/// vLLM's compressed-tensors: groups of modules, each with the format of its weights.
void read_groups(const Json& groups, FormatAssignment& to, std::vector<std::string>& notes) {
  FirstName unknown_formats;
  for (const auto& [name, group] : groups.items()) {
    const Json& weights = member(group, "weights");
    const StoredFormat format = stored(number_of(member(weights, "num_bits")), number_of(member(weights, "group_size")),
                                       text_of(member(weights, "type")) == "float", member(weights, "symmetric") == Json(false));
    if (format.format == no_format && weights.is_object()) unknown_formats.add(name);
    for (const Json& target : member(group, "targets"))
      if (target == "Linear")
        to.assign_linear(format);
      else
        to.assign(text_of(target), format);
  }
  if (unknown_formats.any())
    notes.push_back("quantization_config.config_groups: unknown weight format of " + unknown_formats.text() +
                    ", whose weights count as 16 bits.");
}

/// GPTQModel's `dynamic`: "-:PATTERN" excludes modules, "+:PATTERN" or "PATTERN" gives them keys of their own.
void read_dynamic(const Json& json, FormatAssignment& to) {
  for (const auto& [key, keys] : member(json, "dynamic").items()) {
    std::string pattern = key;
    const bool excludes = pattern.starts_with("-:");
    if (excludes || pattern.starts_with("+:")) pattern.erase(0, 2);
    if (excludes)
      to.exclude(pattern, PatternSyntax::regex_from_start);
    else if (!keys.empty())
      to.assign(pattern, stored_by_keys(keys, json), PatternSyntax::regex_from_start);
  }
}

/// GPTQ and AutoRound: single modules may have formats that differ from the default.
void read_modules(const Json& json, FormatAssignment& to, const StoredFormat& default_format) {
  read_dynamic(json, to);
  for (const auto& [pattern, keys] : member(json, "extra_config").items())
    to.assign(pattern, stored_by_keys(keys, json), PatternSyntax::regex_anywhere);
  if (member(json, "lm_head") == Json(true)) to.assign("lm_head", default_format);
  const Json& only = member(json, "modules_in_block_to_quantize");  // lists of names
  if (!only.is_array()) return to.assign_linear(default_format);
  for (const Json& group : only)
    for (const Json& name : group) to.assign(text_of(name), default_format);
}

/// MLX: every linear layer, the router, the embedding and the head; the affine mode has a scale and an offset of 16 bits per group, others
/// have a format's name. Modules with figures of their own are named beside them, with the affine mode if they name none; false: not
/// quantised.
void read_mlx(const Json& json, FormatAssignment& to) {
  const auto format_of = [](const Json& figures) {
    const std::string mode = text_of(member(figures, "mode"));
    if (!mode.empty() && mode != "affine") return stored(mode);
    return stored_integer(number_of(member(figures, "bits")), number_of(member(figures, "group_size")), 32);
  };
  for (const auto& [name, value] : json.items()) {
    if (name.find('.') == std::string::npos && name != "lm_head") continue;  // a setting
    if (value == Json(false)) to.exclude(name);
    if (value.is_object()) to.assign(name, format_of(value));
  }
  const StoredFormat format = format_of(json);
  to.assign_linear(format);
  for (const char* name : {"lm_head", "model.embed_tokens", "mlp.gate", "mlp.router", "feed_forward.router", "block_sparse_moe.gate"})
    to.assign(name, format);
}

/// Formats of modules that are named beside the default one: HQQ's by their names in a layer, Quark's by patterns, ExLlama's head.
void read_named_modules(const std::string& method, const Json& json, FormatAssignment& to) {
  if (method == "hqq")
    for (const auto& [name, parameters] : member(json, "quant_config").items())
      if (!name.ends_with("_quant_params")) to.assign(name, stored_by_hqq(parameters));
  if (method == "quark")
    for (const auto& [pattern, layer] : member(json, "layer_quant_config").items()) to.assign(pattern, stored_by_quark(layer));
  if (method == "exl2" || method == "exl3")
    if (const double bits = number_of(member(json, "head_bits")); bits < 16)
      to.assign("lm_head", stored_by_method(method, {{"bits", bits}}));
}

/// AQLM: a table of vectors of 16-bit values for each codebook of a matrix. Its share depends on the matrix.
void note_codebooks(const Json& json, std::vector<std::string>& notes) {
  const auto value = [&](const char* key) { return number_of(member(json, key)); };
  const double vectors = value("num_codebooks") * std::exp2(value("nbits_per_codebook"));
  notes.push_back("AQLM's codebooks, " + with_unit(vectors * value("in_group_size") * value("out_group_size") * 2, "B") +
                  " of each matrix, are not counted.");
}

/// A quantization_config, or what older versions of NVIDIA's Model Optimizer write into hf_quant_config.json: {"producer", "quantization"}.
const Json& without_producer(const Json& json) {
  const Json& inner = member(json, "quantization");
  return inner.is_object() ? inner : json;
}

}  // namespace

void read_quantization(const Json& config, Model& model) {
  const Json& inner = member(config, "text_config");
  const auto find = [&](const char* key) -> const Json& {
    const Json& found = member(config, key);
    return found.is_object() ? found : member(inner, key);
  };
  const Json& beside = find("quantization");  // of MLX, which writes the same under both keys, or of hf_quant_config.json
  const bool model_optimizer = !text_of(member(beside, "quant_algo")).empty();
  const Json &stated = find("quantization_config"), &json = stated.is_object() || !model_optimizer ? without_producer(stated) : beside;
  FormatAssignment to(model);
  const std::string method = quantization_method(json);
  if (beside.is_object() && !model_optimizer && method.empty()) {
    read_mlx(beside, to);
  } else if (json.is_object()) {
    for (const char* key : {"modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules", "ignored_layers", "exclude",
                            "skip_modules", "linear_weights_not_to_quantize"})
      for (const Json& pattern : member(json, key)) to.exclude(text_of(pattern));
    if (method == "mxfp4")
      to.assign("*.experts.*", stored("mxfp4"));
    else if (const Json& groups = member(json, "config_groups"); groups.is_object())
      read_groups(groups, to, model.notes);
    else
      read_modules(json, to, stored_by_method(method, json));
    read_named_modules(method, json, to);
    for (const auto& [name, layer] : member(json, "quantized_layers").items())
      to.assign(name, stored_by_algorithm(text_of(member(layer, "quant_algo"))));
  } else {
    return;
  }
  model.published = to.formats();
  model.block_scales = member(json, "weight_block_size").is_array();
  if (!model.published.any()) {
    model.notes.push_back("Its quantization_config" + (method.empty() ? "" : " (" + printable(method) + ")") +
                          " is not understood: the weights count as 16 bits. --weights chooses another format.");
    return;
  }
  if (method == "aqlm") note_codebooks(json, model.notes);
  if (std::any_of(names_of<WeightPart>.begin(), names_of<WeightPart>.end(),
                  [&](const char* part) { return model.published.mixed_bytes(*named<WeightPart>(part)) > 0; }))
    model.published.name("published");
}

}  // namespace roofline
