#include <algorithm>
#include <cmath>
#include <numeric>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize.hpp>
#include <tuple>

#include "llm/gguf/part_sums.hpp"
#include "llm/gguf/tensor_names.hpp"
#include "llm/quantize/gguf_tensors.hpp"
#include "llm/quantize/tensors_by_row.hpp"

namespace roofline {
namespace {

/// A mixture's name and the format of what its rules leave alone.
struct Base {
  const char *name, *format;
};
constexpr Base bases[] = {{"IQ1_S", "iq1_s"},   {"IQ1_M", "iq1_m"},     {"IQ2_XXS", "iq2_xxs"}, {"IQ2_XS", "iq2_xs"}, {"IQ2_S", "iq2_xs"},
                          {"IQ2_M", "iq2_s"},   {"IQ3_XXS", "iq3_xxs"}, {"IQ3_XS", "iq3_s"},    {"IQ3_S", "iq3_s"},   {"IQ3_M", "iq3_s"},
                          {"IQ4_XS", "iq4_xs"}, {"IQ4_NL", "iq4_nl"},   {"Q2_K_S", "q2_k"},     {"Q2_K", "q2_k"},     {"Q3_K_S", "q3_k"},
                          {"Q3_K_M", "q3_k"},   {"Q3_K_L", "q3_k"},     {"Q4_0", "q4_0"},       {"Q4_K_S", "q4_k"},   {"Q4_K_M", "q4_k"},
                          {"Q5_K_S", "q5_k"},   {"Q5_K_M", "q5_k"},     {"Q6_K", "q6_k"},       {"Q8_0", "q8_0"},     {"F16", "fp16"}};

/// Where llama-quantize's counters are at each tensor. It goes through a file by layers, by names within one.
struct Places {
  std::vector<int> values, downs;      ///< by tensor: how many before it hold values of attention (attn_v and the like), or are ffn_down
  int all_values = 0, layers = 0;      ///< layers include those that predict further tokens
  bool tied = true, joint_kv = false;  ///< there is no output; latents are expanded by one tensor for keys and values (attn_kv_b)

  explicit Places(const std::vector<GgufTensor>& tensors) : values(tensors.size()), downs(tensors.size()) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(tensors[a].layer, tensors[a].name) < std::tie(tensors[b].layer, tensors[b].name);
    });
    int downs_before = 0;
    for (const std::size_t i : order) {
      const std::string& name = tensors[i].name;
      values[i] = all_values;
      downs[i] = downs_before;
      if (holds_values(name)) ++all_values;
      if (name.find("ffn_down") != std::string::npos && tensors[i].format == no_format) ++downs_before;
      layers = std::max(layers, tensors[i].layer + 1);
      tied = tied && name != "output.weight";
      joint_kv = joint_kv || name.find("attn_kv_b.weight") != std::string::npos;
    }
  }

  static bool holds_values(std::string_view name) {
    constexpr std::string_view names[] = {"attn_v.weight", "attn_qkv.weight", "attn_kv_b.weight"};
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view n) { return name.find(n) != std::string_view::npos; });
  }
};

/// The rules of one mixture: each returns a format's id, or "" to keep the mixture's main format. A rule applies to every tensor whose name
/// contains its word, as in llama-quantize.
class Rules {
 public:
  Rules(const Model& model, const Places& places, std::string_view mixture, bool imatrix)
      : model_(model), places_(places), mixture_(mixture), imatrix_(imatrix) {}

  std::string_view format(const std::vector<GgufTensor>& tensors, std::size_t i, std::string_view base) const {
    const GgufTensor& tensor = tensors[i];
    const auto is_named = [&](std::string_view part) { return tensor.name.find(part) != std::string::npos; };
    if (mixture_ == "F16") return {};
    if (is_output(tensor)) return output(base);
    if (tensor.name == "token_embd.weight") return embedding();
    if (Places::holds_values(tensor.name)) return values(places_.values[i], base);
    if (is_named("attn_k.weight") && model_.experts == 8) return two_bits() ? "q4_k" : "q8_0";
    if (is_named("attn_k.weight") || is_named("attn_q.weight")) return queries_and_keys();
    if (is_named("attn_output.weight")) return attention_output();
    if (is_named("ffn_down")) return down(places_.downs[i], model_.experts > 1 ? tensor.layer : places_.downs[i]);
    if (!is_named("ffn_gate") && !is_named("ffn_up")) return {};
    return mixture_ == "IQ3_XS" && !first_eighth(tensor.layer) && tensor.layer < 7 * layers() / 8 ? "iq3_xxs" : "";
  }

  /// Whether a tensor holds the head's weights.
  [[nodiscard]] bool is_output(const GgufTensor& tensor) const {
    return tensor.name == (places_.tied ? "token_embd.weight" : "output.weight");
  }

 private:
  [[nodiscard]] bool is(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), mixture_) != names.end();
  }
  [[nodiscard]] bool two_bits() const { return is({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"}); }
  [[nodiscard]] int layers() const { return places_.layers; }
  [[nodiscard]] bool first_eighth(int layer) const { return layer < layers() / 8; }
  /// What llama-quantize gives more bits: the first and the last eighth, and every third between.
  [[nodiscard]] static bool more_bits(int i, int all) { return i < all / 8 || i >= 7 * all / 8 || (i - all / 8) % 3 == 2; }
  /// Whether four heads or more share a key: as llama.cpp caches latents, all heads do.
  [[nodiscard]] bool grouped_by_four() const {
    return model_.heads >= 4 * (!model_.mla() ? model_.kv_heads : places_.joint_kv ? model_.heads : 1);
  }

  [[nodiscard]] std::string_view output(std::string_view base) const {
    if (two_bits() || mixture_ == "IQ3_XXS") return "q5_k";
    return base == "q8_0" ? std::string_view() : "q6_k";
  }

  [[nodiscard]] std::string_view embedding() const {
    if (is({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS"})) return "q2_k";
    return is({"IQ2_S", "IQ2_M", "IQ3_XXS"}) ? "iq3_s" : "";
  }

  [[nodiscard]] std::string_view values(int place, std::string_view base) const {
    const bool grouped = grouped_by_four();
    if (two_bits()) return grouped || model_.experts >= 4 ? "q4_k" : is({"IQ2_S", "IQ2_M"}) ? "iq3_s" : "q2_k";
    std::string_view format;
    if (mixture_ == "Q2_K")
      format = grouped ? "q4_k" : "q3_k";
    else if (mixture_ == "IQ3_XXS")
      format = grouped ? "q4_k" : imatrix_ ? "" : "iq3_s";
    else if (is({"Q2_K_S", "IQ3_XS", "IQ3_S"}))
      format = grouped ? "q4_k" : "";
    else if (mixture_ == "IQ3_M")
      format = "q4_k";
    else if (mixture_ == "Q3_K_M")
      format = place < 2 ? "q5_k" : "q4_k";
    else if (mixture_ == "Q3_K_L")
      format = "q5_k";
    else if (is({"IQ4_NL", "IQ4_XS"}))
      format = grouped ? "q5_k" : "";
    else if (is({"Q4_K_M", "Q5_K_M"}))
      format = more_bits(place, places_.all_values) ? "q6_k" : "";
    else if (mixture_ == "Q4_K_S")
      format = place < 4 ? "q5_k" : "";
    const std::string_view chosen = format.empty() ? base : format;
    if (model_.layers == 80 && model_.experts == 0 && (chosen == "q3_k" || chosen == "q4_k")) format = "q5_k";  // llama.cpp's 70B
    return model_.experts == 8 ? "q8_0" : format;
  }

  [[nodiscard]] std::string_view queries_and_keys() const {
    return mixture_ == "IQ3_XS" ? "iq3_xxs" : mixture_ == "IQ3_XXS" ? "iq2_s" : "";
  }

  [[nodiscard]] std::string_view attention_output() const {
    if (model_.experts == 8)
      return two_bits() || is({"Q2_K", "IQ3_XS", "IQ3_XXS", "Q3_K_S", "Q3_K_M", "IQ4_NL", "Q4_K_S", "Q4_K_M", "IQ3_S", "IQ3_M", "IQ4_XS"})
                 ? "q5_k"
                 : "";
    if (is({"IQ1_S", "IQ1_M"})) return "iq2_xxs";
    if (is({"IQ2_S", "IQ2_M", "IQ3_XXS"})) return "iq3_s";
    if (mixture_ == "Q2_K") return "q3_k";
    if (is({"Q3_K_M", "IQ3_M"})) return "q4_k";
    return mixture_ == "Q3_K_L" ? "q5_k" : "";
  }

  /// `place`: among all tensors of its kind; `layer`: the same of a model without experts, else its layer.
  [[nodiscard]] std::string_view down(int place, int layer) const {
    const bool first = first_eighth(layer);
    if (two_bits()) return !first_eighth(place) ? "" : is({"IQ2_S", "IQ2_M"}) ? "iq3_s" : "q2_k";
    if (mixture_ == "Q2_K") return "q3_k";
    if (mixture_ == "Q2_K_S") return first ? "q4_k" : "";
    if (mixture_ == "IQ3_XXS") return imatrix_ ? "" : first ? "q4_k" : "q3_k";
    if (mixture_ == "Q3_K_M") return layer < layers() / 16 ? "q5_k" : "q4_k";
    if (mixture_ == "IQ3_M") return first || (model_.experts == 8 && more_bits(layer, layers())) ? "q4_k" : "";
    if (mixture_ == "Q3_K_L") return "q5_k";
    if (is({"Q4_K_M", "Q5_K_M"})) return more_bits(layer, layers()) ? "q6_k" : "";
    if (is({"IQ4_NL", "IQ4_XS"})) return first && !imatrix_ ? "q5_k" : "";
    if (mixture_ == "Q4_K_S") return first ? "q5_k" : "";
    return mixture_ == "Q4_0" && imatrix_ && first ? "q4_1" : "";
  }

  const Model& model_;
  const Places& places_;
  std::string_view mixture_;
  bool imatrix_;
};

/// What a tensor falls back to whose rows are no multiple of the format's block.
std::string_view fallback(std::string_view format, double row) {
  const double block = Formats::catalogue()[Formats::catalogue().find(format).value_or(0)].block;
  if (std::fmod(row, block) == 0) return format;
  if (std::fmod(row, 32) != 0) return "fp16";
  if (format.starts_with("iq")) return "iq4_nl";
  return format == "q2_k" || format == "q3_k" ? "q4_0" : format == "q4_k" ? "q5_0" : format == "q5_k" ? "q5_1" : "q8_0";
}

/// "Q4_K".
std::string type_name(FormatId format) {
  constexpr std::string_view prefix = "GGUF ";
  const std::string& name = Formats::catalogue()[format].name;
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace

const std::vector<std::string>& mixture_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Base& base : bases) all.emplace_back(base.name);
    return all;
  }();
  return names;
}

Result<Mixture> mixture(const Model& model, std::string_view name, bool imatrix) {
  const auto* base =
      std::find_if(std::begin(bases), std::end(bases), [&](const Base& b) { return normalised(b.name) == normalised(name); });
  if (base == std::end(bases))
    return fail("unknown mixture \"" + printable(name) + '"' + did_you_mean(near_matches(name, mixture_names())));
  const Formats& formats = Formats::catalogue();
  Mixture out{base->name, gguf_tensors(model), fused_gate(model), model.recurrent.layers > 0, static_cast<int>(model.layers)};
  const Places places(out.tensors);
  const Rules rules(model, places, base->name, imatrix);
  TensorsByRow fallbacks;
  for (std::size_t i = 0; i < out.tensors.size(); ++i) {
    GgufTensor& tensor = out.tensors[i];
    if (tensor.format != no_format) continue;
    const std::string_view chosen = rules.format(out.tensors, i, base->format);
    const FormatId wanted = formats.find(chosen.empty() ? base->format : chosen).value_or(0);
    // Of the head the rows are compared with the base's block, whatever its own format.
    const bool whole = !rules.is_output(tensor) || std::fmod(tensor.row, formats[*formats.find(base->format)].block) == 0;
    tensor.format = formats.find(fallback(whole ? formats[wanted].id : "q8_0", tensor.row)).value_or(0);
    if (tensor.format != wanted) fallbacks.add(tensor, type_name(tensor.format) + " instead of " + type_name(wanted));
  }
  out.fallback = fallbacks.text();
  return out;
}

double Mixture::bytes() const {
  double sum = 0;
  for (const GgufTensor& tensor : tensors) sum += tensor.bytes();
  return sum;
}

double Mixture::padded_bytes() const {
  constexpr double alignment = 32;  // GGUF's, where a file states no other
  double sum = 0;
  for (const GgufTensor& tensor : tensors) sum += std::ceil(tensor.bytes() / alignment) * alignment;
  return sum;
}

double Mixture::bits_per_weight() const {
  double elements = 0;
  for (const GgufTensor& tensor : tensors) elements += tensor.elements;
  return 8 * bytes() / elements;
}

WeightFormats Mixture::weights() const {
  PartSums sums;
  for (const GgufTensor& tensor : tensors) {
    const GgufName split = gguf_name(tensor.name, fused_gate, linear_qkv);
    if (split.layer >= layers) continue;
    sums.add(split.parts, split.is_parameter ? tensor.elements : 0, tensor.bytes(), tensor.format);
  }
  WeightFormats out = sums.formats();
  out.name(name);
  return out;
}

void Mixture::set_unread_bytes(Model& model) const {
  if (!model.stored) return;
  model.stored->other_bytes = model.stored->mtp_bytes = 0;
  for (const GgufTensor& tensor : tensors) {
    const GgufName split = gguf_name(tensor.name, fused_gate, linear_qkv);
    if (split.layer >= layers) model.stored->mtp_bytes += tensor.bytes();
    if (split.layer < layers && split.parts.empty()) model.stored->other_bytes += tensor.bytes();
  }
}

}  // namespace roofline
