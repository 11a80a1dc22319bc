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

constexpr double no_imatrix_band = 1.35;  // Q2_K and Q4_K_S of Llama 3 8B, with and without one: llama.cpp, tools/perplexity/README.md

double value_in(const QualityTable::Numbers& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? 0.0 : found->second;
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
    } else if (name.is_weight && name.layer >= 0) {
      const std::string block = name.base.starts_with("attn") ? "attn" : "ffn";
      share = value_in(table.weights, name.base);
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
  auto found = table.measured.find(normalised(model.id));
  if (found == table.measured.end()) found = table.measured.find(normalised(model.name));
  if (found != table.measured.end()) measured_ = &found->second;
}

TypeDivergence TypeDivergences::of(const Format& format) const {
  if (format.bits >= 16) return {0, 1};
  const auto type = table_.types.find(format.id);
  if (type == table_.types.end()) return {};
  if (measured_)
    if (const auto known = measured_->find(format.id); known != measured_->end()) return {known->second, 1};
  return {std::exp(table_.log_kld(type->second, kind_, active_parameters_)), type->second.band};
}

double widened_without_imatrix(double high, bool imatrix) { return imatrix ? high : high * no_imatrix_band; }

Divergence divergence(const Model& model, const Mixture& mixture, bool imatrix) {
  const QualityTable& table = QualityTable::preset();
  const TypeDivergences types(table, model);
  const std::vector<double> share = divergence_shares(table, model, mixture.tensors);
  Divergence out{0, 0, 0, types.measured()};
  for (std::size_t i = 0; i < share.size(); ++i) {
    if (share[i] == 0) continue;
    const TypeDivergence type = types.of(Formats::catalogue()[mixture.tensors[i].format]);
    if (!known(type.kld)) return {};
    out.kld += share[i] * type.kld;
    out.low += share[i] * type.kld / type.band;
    out.high += share[i] * type.kld * type.band;
  }
  out.high = widened_without_imatrix(out.high, imatrix);
  return out;
}

std::string divergence_credit() { return QualityTable::preset().credit; }

}  // namespace roofline
