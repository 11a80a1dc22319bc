// The KL divergence of a mixture, from the fit in presets/quality/gguf.json.
#include <algorithm>
#include <cmath>
#include <map>
#include <roofline/base/names.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/machine/presets.hpp>
#include <vector>

#include "base/json.hpp"
#include "llm/gguf/tensor_names.hpp"

namespace roofline {
namespace {

/// Of a model in one type: ln KLD = log_kld + mla (with MLA) + parameters_exponent ln(active parameters / reference).
struct TypeQuality {
  double log_kld = 0, mla = 0;
  double band = 1;  ///< the factor up and down within which four in five models lie
};

/// presets/quality/gguf.json.
struct Table {
  std::map<std::string, TypeQuality, std::less<>> types;
  std::map<std::string, double, std::less<>> weights, shares, depth;
  std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> measured;  ///< by normalised name of the model
  double exponent = 0, reference = 1;
  std::string credit;

  static const Table& instance() {
    static const Table table = read();
    return table;
  }

 private:
  static std::map<std::string, double, std::less<>> numbers(const Json& json) {
    std::map<std::string, double, std::less<>> out;
    for (const auto& [key, value] : json.items()) out[key] = number_of(value);
    return out;
  }

  static Table read() {
    Table out;
    const auto json = parse_json(preset_files("quality")[0].text, "presets/quality/gguf.json");
    if (!json) return out;
    for (const auto& [type, value] : member(*json, "types").items())
      out.types[type] = {number_of(member(value, "log_kld")), number_of(member(value, "mla")), number_of(member(value, "band"))};
    out.weights = numbers(member(*json, "weights"));
    out.shares = numbers(member(*json, "shares"));
    out.depth = numbers(member(*json, "depth"));
    for (const auto& [model, values] : member(*json, "measured").items()) out.measured[normalised(model)] = numbers(values);
    out.exponent = number_of(member(*json, "parameters_exponent"));
    out.reference = number_of(member(*json, "reference_active_parameters"));
    out.credit = text_of(member(*json, "credit"));
    return out;
  }
};

/// The share of each tensor in a model's divergence; together 1.
std::vector<double> shares(const Table& table, const Model& model, const Mixture& mixture) {
  std::vector<double> out;
  double fixed = 0, others = 0;
  const auto number = [](const auto& map, std::string_view key) {
    const auto found = map.find(key);
    return found == map.end() ? 0.0 : found->second;
  };
  for (const GgufTensor& tensor : mixture.tensors) {
    const GgufName name = gguf_name(tensor.name, mixture.fused_gate);
    double share = 0;
    if (name.is_weight && (name.base == "output" || name.base == "token_embd")) {
      share = number(table.shares, name.base == "output" ? "output" : model.tied ? "tied_token_embd" : "token_embd");
      fixed += share;
    } else if (name.is_weight && name.layer >= 0) {
      const std::string block = name.base.starts_with("attn") ? "attn" : "ffn";
      share = number(table.weights, name.base);
      if (name.layer == 0) share *= number(table.depth, "first_" + block);
      if (name.layer == static_cast<int>(model.layers) - 1) share *= number(table.depth, "last_" + block);
      others += share;
    }
    out.push_back(share);
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (mixture.tensors[i].layer >= 0) out[i] *= (1 - fixed) / others;
  return out;
}

constexpr double no_imatrix_band = 1.35;  // Q2_K and Q4_K_S of Llama 3 8B, with and without one: llama.cpp, tools/perplexity/README.md

}  // namespace

Divergence divergence(const Model& model, const Mixture& mixture, bool imatrix) {
  const Table& table = Table::instance();
  const auto measured = [&] {
    const auto by_id = table.measured.find(normalised(model.id));
    return by_id != table.measured.end() ? by_id : table.measured.find(normalised(model.name));
  }();
  const double size = table.exponent * std::log(parameters(model).active() / table.reference);
  const std::vector<double> share = shares(table, model, mixture);
  Divergence out{0, 0, 0, measured != table.measured.end()};
  for (std::size_t i = 0; i < share.size(); ++i) {
    const Format& format = Formats::catalogue()[mixture.tensors[i].format];
    if (share[i] == 0 || format.bits >= 16) continue;
    const auto type = table.types.find(format.id);
    if (type == table.types.end()) return {};
    double kld = std::exp(type->second.log_kld + (model.mla() ? type->second.mla : 0) + size), band = type->second.band;
    if (out.measured)
      if (const auto known = measured->second.find(format.id); known != measured->second.end()) kld = known->second, band = 1;
    out.kld += share[i] * kld;
    out.low += share[i] * kld / band;
    out.high += share[i] * kld * band;
  }
  if (!imatrix) out.high *= no_imatrix_band;
  return out;
}

std::string divergence_credit() { return Table::instance().credit; }

}  // namespace roofline
