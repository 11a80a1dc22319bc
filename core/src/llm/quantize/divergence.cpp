// The KL divergence of a mixture, from the fit in presets/quality/gguf.json.
#include <algorithm>
#include <cmath>
#include <roofline/base/names.hpp>
#include <roofline/llm/quantize.hpp>
#include <vector>

#include "llm/gguf/tensor_names.hpp"
#include "llm/quantize/sensitivity.hpp"

namespace roofline {
namespace {

/// 85% of the mixtures of measured models are within this factor (80% within 1.1): by the shares of a fit without the model's architecture,
/// against those of its tensors measured one by one. tools/quality prints it.
constexpr double shares_band = 1.13;
constexpr double no_imatrix_band = 1.35;  // Q2_K and Q4_K_S of Llama 3 8B, with and without one: llama.cpp, tools/perplexity/README.md

double value_in(const QualityTable::Numbers& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? 0.0 : found->second;
}

/// Tensors that hold what other files, those that were measured, have in two.
struct Fused {
  std::string_view base, first, second;
};
constexpr Fused fused[] = {{"attn_kv_b", "attn_k_b", "attn_v_b"},
                           {"ffn_gate_up_exps", "ffn_gate_exps", "ffn_up_exps"},
                           {"ssm_ba", "ssm_alpha", "ssm_beta"},
                           {"ssm_in", "attn_qkv", "attn_gate"}};

double weight_of(const QualityTable& table, std::string_view base) {
  const auto* found = std::find_if(std::begin(fused), std::end(fused), [&](const Fused& f) { return f.base == base; });
  if (found == std::end(fused)) return value_in(table.weights, base);
  return value_in(table.weights, found->first) + value_in(table.weights, found->second);
}

/// Whether the model has the sizes of the preset that the measurements of this name are of. Without a preset there is nothing to compare.
bool same_sizes(const Model& model, std::string_view name) {
  const Model* preset = Models::presets().find(name);
  constexpr double tolerance = 0.01;  // of the parameters: files differ in biases and norms
  return !preset || (preset->layers == model.layers && preset->hidden == model.hidden &&
                     std::abs(parameters(*preset).total() / parameters(model).total() - 1) < tolerance);
}

}  // namespace

std::vector<double> divergence_shares(const QualityTable& table, const Model& model, const std::vector<GgufTensor>& tensors) {
  std::vector<double> out;
  double fixed = 0, others = 0;
  for (const GgufTensor& tensor : tensors) {
    const GgufName name = gguf_name(tensor.name, false);
    double share = 0;
    if (name.is_weight && (name.base == "output" || name.base == "token_embd")) {
      share = value_in(table.shares, name.base == "output" ? "output" : model.tied ? "tied_token_embd" : "token_embd");
      fixed += share;
    } else if (name.is_weight && name.layer >= 0 && name.layer < static_cast<int>(model.layers)) {
      const std::string block = name.base.starts_with("attn") ? "attn" : "ffn";
      share = weight_of(table, name.base);
      if (name.layer == 0) share *= value_in(table.depth, "first_" + block);
      if (name.layer == static_cast<int>(model.layers) - 1) share *= value_in(table.depth, "last_" + block);
      others += share;
    }
    out.push_back(share);
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (tensors[i].layer >= 0) out[i] *= (1 - fixed) / others;
  return out;
}

TypeDivergences::TypeDivergences(const QualityTable& table, const Model& model)
    : table_(table), kind_(model_kind(model)), active_parameters_(parameters(model).active()) {
  for (const std::string& name : {model.id, model.name})
    if (const auto found = table.measured.find(normalised(name)); !measured_ && found != table.measured.end() && same_sizes(model, name))
      measured_ = &found->second;
}

TypeDivergence TypeDivergences::of(const Format& format) const {
  if (format.bits >= 16) return {0, 1, measured_ != nullptr};
  const auto type = table_.types.find(format.id);
  if (type == table_.types.end()) return {};
  if (measured_)
    if (const auto known = measured_->find(format.id); known != measured_->end()) return {known->second, 1, true};
  return {std::exp(table_.log_kld(type->second, kind_, active_parameters_)), type->second.band};
}

void DivergenceSum::add(double kld, const TypeDivergence& type, FormatId format) {
  if (format_ == no_format) format_ = format;
  one_format_ = one_format_ && format == format_;
  all_measured_ = all_measured_ && type.measured;
  const double band = type.measured ? shares_band : type.band;
  sum_.kld += kld;
  sum_.low += kld / band;
  sum_.high += kld * band;
}

Divergence DivergenceSum::result(bool imatrix) const {
  Divergence out = sum_;
  if (all_measured_) out.basis = one_format_ ? DivergenceBasis::measured : DivergenceBasis::derived;
  if (out.basis == DivergenceBasis::measured) out.low = out.high = out.kld;
  if (!imatrix) out.high *= no_imatrix_band;
  return out;
}

Divergence divergence(const Model& model, const Mixture& mixture, bool imatrix) {
  const QualityTable& table = QualityTable::preset();
  const TypeDivergences types(table, model);
  const std::vector<double> share = divergence_shares(table, model, mixture.tensors);
  DivergenceSum sum;
  for (std::size_t i = 0; i < share.size(); ++i) {
    if (share[i] == 0) continue;
    const FormatId format = mixture.tensors[i].format;
    const TypeDivergence type = types.of(Formats::catalogue()[format]);
    if (!known(type.kld)) return {};
    sum.add(share[i] * type.kld, type, format);
  }
  return sum.result(imatrix);
}

std::string divergence_credit() { return QualityTable::preset().credit; }

}  // namespace roofline
