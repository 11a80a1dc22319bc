#include "llm/model/quantization_config.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "llm/model/format_assignment.hpp"
#include "llm/model/stored_formats.hpp"

namespace roofline {
namespace {

StoredFormat stored(std::string_view id) { return {Formats::catalogue().find(id).value_or(no_format)}; }

/// Integers in the catalogue; the first that suits is taken.
constexpr struct {
  std::string_view id;
  double bits, group;  // a group of 0: any
  bool zero_point;
} integer_formats[] = {{"int4_g128_zp", 4, 128, true}, {"int4_g32", 4, 32, false}, {"int4_g64", 4, 64, false},
                       {"int4_g128", 4, 128, false},   {"int4", 4, 0, false},      {"int8_g128", 8, 128, false},
                       {"int8", 8, 0, false}};

/// Integers with a scale of 16 bits per group, and a zero point with `zero_point`. A group below 1 or unknown: per channel.
StoredFormat stored_integer(double bits, double group, bool zero_point) {
  if (!(bits >= 1 && bits <= 8 && bits == std::floor(bits))) return {};
  const double effective = bits + (group >= 1 ? (zero_point ? 16 + bits : 16) / group : 0);
  const auto* known = std::find_if(std::begin(integer_formats), std::end(integer_formats), [&](const auto& format) {
    return format.bits == bits && (format.group == 0 || format.group == group) && (zero_point || !format.zero_point);
  });
  StoredFormat out = known == std::end(integer_formats) ? StoredFormat{nearest_weight_format(effective)} : stored(known->id);
  if (effective != Formats::catalogue()[out.format].effective_bits()) out.bits = effective;
  return out;
}

/// The format with `bits` per element and one scale per `group` elements.
StoredFormat stored(double bits, double group, bool floating, bool zero_point) {
  if (!floating) return stored_integer(bits, group, zero_point);
  if (bits == 8) return stored(group == 32 ? "mxfp8" : "fp8_e4m3");
  return bits == 4 ? stored(group == 32 ? "mxfp4" : "nvfp4") : StoredFormat{};
}

/// An algorithm of NVIDIA's Model Optimizer.
StoredFormat stored_by(const std::string& algorithm) {
  if (algorithm.find("NVFP4") != std::string::npos) return stored("nvfp4");
  if (algorithm.find("MXFP4") != std::string::npos) return stored("mxfp4");
  if (algorithm.find("W4A") == 0 || algorithm.find("INT4") != std::string::npos) return stored("int4_g128");
  if (algorithm.find("FP8") == 0) return stored("fp8_e4m3");
  return algorithm.find("INT8") == 0 ? stored("int8") : StoredFormat{};
}

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

/// The format by the keys of GPTQ and AutoRound, `own`, or where it lacks one, by those in `common`.
StoredFormat stored_by_keys(const Json& own, const Json& common) {
  const auto find = [&](const char* key) -> const Json& {
    const Json& found = member(own, key);
    return found.is_null() ? member(common, key) : found;
  };
  const std::string type = text_of(find("data_type"));  // AutoRound: int, fp, mx_fp, nv_fp
  return stored(number_of(find("bits")), number_of(find("group_size")), type.find("fp") != std::string::npos, find("sym") == Json(false));
}

/// bitsandbytes: codes of 4 bits with an FP32 scale per 64, which double quantisation stores in 8 bits with an FP32 scale per 256 of them.
StoredFormat stored_by_bitsandbytes(const Json& json) {
  if (member(json, "load_in_8bit") == Json(true)) return stored("int8");
  StoredFormat out = stored(text_of(member(json, "bnb_4bit_quant_type")) == "fp4" ? "int4_g64" : "nf4");
  const double scale = member(json, "bnb_4bit_use_double_quant") == Json(true) ? 8 + 32. / 256 : 32;
  if (const double bits = 4 + scale / 64; bits != Formats::catalogue()[out.format].effective_bits()) out.bits = bits;
  return out;
}

/// The format of all linear layers by the method's own keys; no format: not understood.
StoredFormat by_method(const std::string& method, const Json& json) {
  if (method == "awq")
    return stored(number_of(member(json, "bits")), number_of(member(json, "group_size")), false, member(json, "zero_point") != Json(false));
  if (method == "gptq" || method == "auto-round" || method == "intel/auto-round") return stored_by_keys(json, json);
  if (method == "bitsandbytes") return stored_by_bitsandbytes(json);
  if (method == "fp8" || method == "fbgemm_fp8") return stored("fp8_e4m3");
  if (method.starts_with("modelopt")) return stored_by(text_of(member(json, "quant_algo")));
  return {};
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
    const double bits = number_of(member(figures, "bits")), group = number_of(member(figures, "group_size"));
    StoredFormat out = stored_integer(bits, group, false);
    if (out.format != no_format && group >= 1) out.bits = bits + 32 / group;
    return out;
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

}  // namespace

void read_quantization(const Json& config, Model& model) {
  const Json& inner = member(config, "text_config");
  const auto find = [&](const char* key) -> const Json& {
    const Json& found = member(config, key);
    return found.is_object() ? found : member(inner, key);
  };
  const Json &json = find("quantization_config"), &mlx = find("quantization");
  FormatAssignment to(model);
  const std::string method = text_of(member(json, "quant_method"));
  if (mlx.is_object() && method.empty()) {  // MLX writes the same under both keys
    read_mlx(mlx, to);
  } else if (json.is_object()) {
    for (const char* key : {"modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules", "ignored_layers"})
      for (const Json& pattern : member(json, key)) to.exclude(text_of(pattern));
    if (method == "mxfp4")
      to.assign("*.experts.*", stored("mxfp4"));
    else if (const Json& groups = member(json, "config_groups"); groups.is_object())
      read_groups(groups, to, model.notes);
    else
      read_modules(json, to, by_method(method, json));
    for (const auto& [name, layer] : member(json, "quantized_layers").items())
      to.assign(name, stored_by(text_of(member(layer, "quant_algo"))));
  } else {
    return;
  }
  model.published = to.formats();
  model.block_scales = member(json, "weight_block_size").is_array();
  if (!model.published.any())
    model.notes.push_back("Its quantization_config" + (method.empty() ? "" : " (" + printable(method) + ")") +
                          " is not understood: the weights count as 16 bits. --weights chooses another format.");
  else if (std::any_of(names_of<WeightPart>.begin(), names_of<WeightPart>.end(),
                       [&](const char* part) { return model.published.mixed_bytes(*named<WeightPart>(part)) > 0; }))
    model.published.name("published");
}

}  // namespace roofline
