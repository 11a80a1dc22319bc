#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize.hpp>

#include "llm/gguf/part_sums.hpp"
#include "llm/gguf/tensor_names.hpp"
#include "llm/quantize/gguf_tensors.hpp"

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

/// The rules of one mixture, as formats by their ids; "" leaves the base.
class Rules {
 public:
  Rules(const Model& model, std::string_view mixture, bool imatrix) : model_(model), mixture_(mixture), imatrix_(imatrix) {}

  std::string_view format(const GgufTensor& tensor, std::string_view base) const {
    if (mixture_ == "F16") return {};
    switch (tensor.part) {
      case WeightPart::head:
        return output(tensor, base);
      case WeightPart::embedding:
        return model_.tied ? output(tensor, base) : embedding();
      case WeightPart::v:
        return values(tensor.layer, base);
      case WeightPart::k:
        if (tensor.name.find("attn_k.") == std::string::npos) return {};
        if (model_.experts == 8) return is({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"}) ? "q4_k" : "q8_0";
        return queries_and_keys();
      case WeightPart::q:
        return tensor.name.find("attn_q.") == std::string::npos ? std::string_view() : queries_and_keys();
      case WeightPart::o:
        return attention_output();
      case WeightPart::linear:
        return tensor.name.find("attn_qkv") == std::string::npos ? std::string_view() : values(tensor.layer, base);
      default:
        if (tensor.name.find("ffn_down") != std::string::npos) return down(mlps_before(tensor.layer));
        if (tensor.part != WeightPart::router && mixture_ == "IQ3_XS" && !first_eighth(tensor.layer) && tensor.layer < 7 * layers() / 8)
          return "iq3_xxs";
        return {};
    }
  }

 private:
  [[nodiscard]] bool is(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), mixture_) != names.end();
  }
  [[nodiscard]] bool two_bits() const { return is({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"}); }
  [[nodiscard]] int layers() const { return static_cast<int>(model_.layers); }
  [[nodiscard]] bool first_eighth(int layer) const { return layer < layers() / 8; }
  /// The layers that llama-quantize gives more bits: the first and the last eighth, and every third between.
  [[nodiscard]] bool more_bits(int layer) const { return more_bits(layer, layers()); }
  [[nodiscard]] static bool more_bits(int place, int of) { return place < of / 8 || place >= 7 * of / 8 || (place - of / 8) % 3 == 2; }
  /// llama-quantize counts the tensors of attention's values, attn_qkv of a gated delta net included, and of dense MLPs, not the layers.
  [[nodiscard]] int values_before(int layer) const { return layers_before(layer, &LayerBlocks::attention); }
  [[nodiscard]] int mlps_before(int layer) const { return model_.experts > 0 ? layer : layers_before(layer, &LayerBlocks::mlp); }
  [[nodiscard]] int layers_before(int layer, bool LayerBlocks::* has) const {
    if (model_.blocks.empty()) return layer;
    const auto begin = model_.blocks.begin();
    return static_cast<int>(std::count_if(begin, begin + layer, [has](const LayerBlocks& blocks) { return blocks.*has; }));
  }
  [[nodiscard]] bool grouped_by_four() const { return model_.heads >= 4 * (model_.mla() ? 1 : model_.kv_heads); }

  [[nodiscard]] std::string_view output(const GgufTensor& tensor, std::string_view base) const {
    const double block = Formats::catalogue()[Formats::catalogue().find(base).value_or(0)].block;
    if (std::fmod(tensor.row, block) != 0) return "q8_0";
    if (two_bits() || mixture_ == "IQ3_XXS") return "q5_k";
    return base == "q8_0" ? std::string_view() : "q6_k";
  }

  [[nodiscard]] std::string_view embedding() const {
    if (is({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS"})) return "q2_k";
    return is({"IQ2_S", "IQ2_M", "IQ3_XXS"}) ? "iq3_s" : "";
  }

  [[nodiscard]] std::string_view values(int in_layer, std::string_view base) const {
    const int layer = values_before(in_layer);
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
      format = layer < 2 ? "q5_k" : "q4_k";
    else if (mixture_ == "Q3_K_L")
      format = "q5_k";
    else if (is({"IQ4_NL", "IQ4_XS"}))
      format = grouped ? "q5_k" : "";
    else if (is({"Q4_K_M", "Q5_K_M"}))
      format = more_bits(layer, values_before(layers())) ? "q6_k" : "";
    else if (mixture_ == "Q4_K_S")
      format = layer < 4 ? "q5_k" : "";
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

  [[nodiscard]] std::string_view down(int layer) const {
    const bool first = first_eighth(layer);
    if (two_bits()) return !first ? "" : is({"IQ2_S", "IQ2_M"}) ? "iq3_s" : "q2_k";
    if (mixture_ == "Q2_K") return "q3_k";
    if (mixture_ == "Q2_K_S") return first ? "q4_k" : "";
    if (mixture_ == "IQ3_XXS") return imatrix_ ? "" : first ? "q4_k" : "q3_k";
    if (mixture_ == "Q3_K_M") return layer < layers() / 16 ? "q5_k" : "q4_k";
    if (mixture_ == "IQ3_M") return first || (model_.experts == 8 && more_bits(layer)) ? "q4_k" : "";
    if (mixture_ == "Q3_K_L") return "q5_k";
    if (is({"Q4_K_M", "Q5_K_M"})) return more_bits(layer) ? "q6_k" : "";
    if (is({"IQ4_NL", "IQ4_XS"})) return first && !imatrix_ ? "q5_k" : "";
    if (mixture_ == "Q4_K_S") return first ? "q5_k" : "";
    return mixture_ == "Q4_0" && imatrix_ && first ? "q4_1" : "";
  }

  const Model& model_;
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
  const Rules rules(model, base->name, imatrix);
  Mixture out{base->name, gguf_tensors(model), fused_gate(model), model.recurrent.layers > 0};
  for (GgufTensor& tensor : out.tensors) {
    if (tensor.format != no_format) continue;
    const std::string_view chosen = rules.format(tensor, base->format);
    tensor.format = formats.find(fallback(chosen.empty() ? base->format : chosen, tensor.row)).value_or(0);
  }
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
    const GgufName found = gguf_name(tensor.name, fused_gate, linear_qkv);
    sums.add(found.parts, found.is_parameter ? tensor.elements : 0, tensor.bytes(), tensor.format);
  }
  WeightFormats out = sums.formats();
  out.name(name);
  return out;
}

}  // namespace roofline
