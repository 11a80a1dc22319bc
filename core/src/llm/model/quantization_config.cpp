#include "llm/model/quantization_config.hpp"

#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>

#include "llm/model/module_pattern.hpp"
#include "llm/model/stored_formats.hpp"

namespace roofline {
namespace {

using enum WeightPart;

/// A module of each class of weights that quantisation concerns, by transformers' names; N is the layer.
struct Module {
  WeightPart part;
  const char* name;
};
constexpr Module modules[] = {{q, "model.layers.N.self_attn.q_proj"},
                              {k, "model.layers.N.self_attn.k_proj"},
                              {v, "model.layers.N.self_attn.v_proj"},
                              {o, "model.layers.N.self_attn.o_proj"},
                              {kv_b, "model.layers.N.self_attn.kv_b_proj"},
                              {linear, "model.layers.N.linear_attn.in_proj_qkv"},
                              {indexer, "model.layers.N.self_attn.indexer.wq_b"},
                              {gate, "model.layers.N.mlp.gate_proj"},
                              {up, "model.layers.N.mlp.up_proj"},
                              {down, "model.layers.N.mlp.down_proj"},
                              {experts, "model.layers.N.mlp.experts.0.down_proj"},
                              {shared_experts, "model.layers.N.mlp.shared_experts.down_proj"},
                              {router, "model.layers.N.mlp.gate"},
                              {head, "lm_head"},
                              {embedding, "model.embed_tokens"}};

bool of_attention(WeightPart part) { return part == q || part == k || part == v || part == o || part == kv_b; }
bool of_linear_layer(WeightPart part) { return part != router && part != head && part != embedding; }

/// A format, and the bits of an element where its own are not those: MLX keeps a scale and an offset per group.
struct Stored {
  FormatId format = no_format;
  double bits = 0;
};

Stored stored(std::string_view id) { return {Formats::catalogue().find(id).value_or(no_format)}; }

/// The format with `bits` per element and one scale per `group` elements; a group other than 32, 64 or 128 counts as per channel.
Stored stored(double bits, double group, bool floating, bool zero_point) {
  if (floating) return bits == 8 ? stored("fp8_e4m3") : bits == 4 ? stored(group == 32 ? "mxfp4" : "nvfp4") : Stored{};
  if (bits == 8) return stored(group == 128 ? "int8_g128" : "int8");
  if (bits != 4) return {};
  if (zero_point && group == 128) return stored("int4_g128_zp");
  return stored(group == 32 ? "int4_g32" : group == 64 ? "int4_g64" : group == 128 ? "int4_g128" : "int4");
}

/// An algorithm of NVIDIA's Model Optimizer.
Stored stored_by(const std::string& algorithm) {
  if (algorithm.find("NVFP4") != std::string::npos) return stored("nvfp4");
  if (algorithm.find("MXFP4") != std::string::npos) return stored("mxfp4");
  if (algorithm.find("W4A") == 0 || algorithm.find("INT4") != std::string::npos) return stored("int4_g128");
  if (algorithm.find("FP8") == 0) return stored("fp8_e4m3");
  return algorithm.find("INT8") == 0 ? stored("int8") : Stored{};
}

/// The modules that a configuration gives a format, or keeps as they are.
class Assignment {
 public:
  explicit Assignment(Model& model)
      : layers_(static_cast<int>(std::clamp(model.layers, 1.0, 1e3))), notes_(model.notes), elements_(parameters(model).by_part) {}

  void keep(const Json& patterns) {
    for (const Json& pattern : patterns) add(kept_, pattern, {});
  }
  void give(const Json& pattern, const Stored& format) { add(given_, pattern, format); }
  /// All linear layers within the blocks; what patterns name goes before it.
  void give_linear(const Stored& format) { linear_ = format; }

  /// Each class in the format that most of its modules have, at the bits per element of all of them. Classes that keep 16 bits have none.
  [[nodiscard]] WeightFormats formats() const {
    const FormatId unquantised = stored("bf16").format;
    WeightFormats out;
    for (const Module& module : modules) {
      if (!of_attention(module.part) && elements_[static_cast<std::size_t>(module.part)] == 0) continue;
      double bits = 0;
      std::map<FormatId, double> layers_with;
      for (int layer = 0; layer < layers_; ++layer) {
        const Stored s = of(module, layer);
        const FormatId format = s.format == no_format ? unquantised : s.format;
        bits += s.bits > 0 ? s.bits : Formats::catalogue()[format].effective_bits();
        ++layers_with[format];
      }
      const FormatId most = most_used(layers_with);
      const double mean = bits / layers_;
      if (layers_with.size() == 1 && most == unquantised) continue;
      out.set(module.part, most, mean == Formats::catalogue()[most].effective_bits() ? 0 : mean / 8);
    }
    // As the queries where there are none, so that text() names attention as a whole.
    for (const WeightPart part : {linear, indexer})
      if (elements_[static_cast<std::size_t>(part)] == 0) out.set(part, out[q], out.mixed_bytes(q));
    return out;
  }

 private:
  struct Named {
    std::string pattern;
    Stored format;
  };

  void add(std::vector<Named>& to, const Json& pattern, const Stored& format) {
    const std::string text = text_of(pattern);
    if (auto known = module_pattern(text)) {
      constexpr std::string_view part_of_multimodal = "language_model.";
      if (const std::size_t at = known->find(part_of_multimodal); at != std::string::npos) known->erase(at, part_of_multimodal.size());
      to.push_back({*known, format});
    } else
      notes_.push_back("The pattern \"" + printable(text) + "\" in quantization_config is not supported: its modules count as quantised.");
  }

  [[nodiscard]] Stored of(const Module& module, int layer) const {
    std::string name = module.name;
    if (const std::size_t n = name.find(".N."); n != std::string::npos) name.replace(n + 1, 1, std::to_string(layer));
    const auto names = [&](const Named& named) { return names_module(named.pattern, name); };
    if (std::any_of(kept_.begin(), kept_.end(), names)) return {};
    const auto given = std::find_if(given_.begin(), given_.end(), names);
    if (given != given_.end()) return given->format;
    return of_linear_layer(module.part) ? linear_ : Stored{};
  }

  int layers_;
  std::vector<std::string>& notes_;
  std::array<double, weight_parts> elements_;
  std::vector<Named> kept_, given_;
  Stored linear_;
};

/// vLLM's compressed-tensors: groups of modules, each with the format of its weights.
void read_groups(const Json& groups, Assignment& to) {
  for (const auto& [name, group] : groups.items()) {
    const Json& weights = member(group, "weights");
    const Stored format = stored(number_of(member(weights, "num_bits")), number_of(member(weights, "group_size")),
                                 text_of(member(weights, "type")) == "float", member(weights, "symmetric") == Json(false));
    for (const Json& target : member(group, "targets"))
      if (target == "Linear")
        to.give_linear(format);
      else
        to.give(target, format);
  }
}

/// The format of all linear layers by the method's own keys; no format: not understood.
Stored by_method(const std::string& method, const Json& json) {
  const double bits = number_of(member(json, "bits")), group = number_of(member(json, "group_size"));
  if (method == "awq") return stored(bits, group, false, member(json, "zero_point") != Json(false));
  if (method == "gptq" || method == "auto-round" || method == "intel/auto-round")
    return stored(bits, group, false, member(json, "sym") == Json(false));
  if (method == "bitsandbytes") {
    if (member(json, "load_in_8bit") == Json(true)) return stored("int8");
    return stored(text_of(member(json, "bnb_4bit_quant_type")) == "fp4" ? "int4_g64" : "nf4");
  }
  if (method == "fp8" || method == "fbgemm_fp8") return stored("fp8_e4m3");
  if (method.starts_with("modelopt")) return stored_by(text_of(member(json, "quant_algo")));
  return {};
}

/// MLX: every linear layer, the embedding and the head; affine modes have a scale and an offset of 16 bits per group. Modules with figures
/// of their own are named beside them; false: not quantised.
void read_mlx(const Json& json, Assignment& to) {
  const auto format_of = [](const Json& figures, const std::string& mode) {
    const double bits = number_of(member(figures, "bits")), group = number_of(member(figures, "group_size"));
    const bool affine = mode.empty() || mode == "affine";
    Stored out = stored(bits, group, !affine, false);
    if (affine) out.bits = bits + 32 / group;
    return out;
  };
  const std::string mode = text_of(member(json, "mode"));
  for (const auto& [name, value] : json.items()) {
    if (value == Json(false)) to.keep(Json::array({name}));
    if (value.is_object()) to.give(Json(name), format_of(value, mode));
  }
  const Stored format = format_of(json, mode);
  to.give_linear(format);
  for (const char* name : {"lm_head", "model.embed_tokens"}) to.give(Json(name), format);
}

}  // namespace

void read_quantization(const Json& config, Model& model) {
  const Json& inner = member(config, "text_config");
  const auto find = [&](const char* key) -> const Json& {
    const Json& found = member(config, key);
    return found.is_object() ? found : member(inner, key);
  };
  const Json &json = find("quantization_config"), &mlx = find("quantization");
  Assignment to(model);
  const std::string method = text_of(member(json, "quant_method"));
  if (mlx.is_object() && method.empty()) {  // MLX writes the same under both keys
    read_mlx(mlx, to);
  } else if (json.is_object()) {
    for (const char* key : {"modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules", "ignored_layers"})
      to.keep(member(json, key));
    if (method == "mxfp4")
      to.give(Json("*.experts.*"), stored("mxfp4"));
    else if (const Json& groups = member(json, "config_groups"); groups.is_object())
      read_groups(groups, to);
    else
      to.give_linear(by_method(method, json));
    for (const auto& [name, layer] : member(json, "quantized_layers").items())
      to.give(Json(name), stored_by(text_of(member(layer, "quant_algo"))));
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
