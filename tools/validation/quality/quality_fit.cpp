#include "quality_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <roofline/base/names.hpp>
#include <roofline/machine/format.hpp>
#include <set>

namespace roofline::validation {
namespace {

using Tables = std::vector<const KldTable*>;

double sum_of(const std::map<std::string, double>& values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  return sum;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// Figures of one table: each class in the inner layers, and the first and the last layer relative to them.
struct Profile {
  std::map<std::string, double> inner;               ///< by class, relative to the feed-forward tensors
  std::map<std::string, std::vector<double>> edges;  ///< "first_attn": one of each class
  std::map<std::string, double> shares;
};

Profile profile(const KldTable& table) {
  const auto& tensors = table.low();
  int last = 0;
  bool tied = true;
  for (const auto& [name, value] : tensors) {
    const TensorPlace place = place_of(name);
    last = std::max(last, place.layer);
    tied = tied && place.base != "output";
  }
  std::map<std::string, std::vector<double>> inner;
  std::vector<double> feed_forward;
  for (const auto& [name, value] : tensors) {
    const TensorPlace place = place_of(name);
    if (place.layer <= 0 || place.layer == last) continue;
    inner[place.base].push_back(value);
    if (place.base.starts_with("ffn_") && !place.base.ends_with("shexp")) feed_forward.push_back(value);
  }
  Profile out;
  for (const auto& [base, values] : inner) out.inner[base] = mean_of(values) / mean_of(feed_forward);
  for (const auto& [name, value] : tensors) {
    const TensorPlace place = place_of(name);
    if (place.layer < 0 && (place.base == "output" || place.base == "token_embd"))
      out.shares[place.base == "token_embd" && tied ? "tied_token_embd" : place.base] = value / sum_of(tensors);
    if ((place.layer == 0 || place.layer == last) && inner.contains(place.base))
      out.edges[std::string(place.layer == 0 ? "first_" : "last_") + (place.base.starts_with("attn") ? "attn" : "ffn")].push_back(
          value / mean_of(inner[place.base]));
  }
  return out;
}

using ByName = std::map<std::string, std::vector<double>>;

void put_medians(QualityTable::Numbers& out, const ByName& values) {
  for (const auto& [name, list] : values) out.emplace(name, median_of(list));
}

void fit_sensitivities(QualityTable& out, const Tables& tables) {
  for (const bool resolved : {true, false}) {  // what the first round has found, the second leaves alone
    ByName weights, shares, depth;
    for (const KldTable* table : tables) {
      if (table->resolved() != resolved) continue;
      const Profile of = profile(*table);
      for (const auto& [base, value] : of.inner) weights[base].push_back(value);
      for (const auto& [base, value] : of.shares) shares[base].push_back(value);
      for (const auto& [edge, values] : of.edges) depth[edge].push_back(median_of(values));
    }
    put_medians(out.weights, weights);
    put_medians(out.shares, shares);
    put_medians(out.depth, depth);
  }
}

void fit_types(QualityTable& out, const Tables& tables) {
  out.reference_active_parameters = 15e9;
  std::map<const KldTable*, Architecture> architectures;
  for (const KldTable* table : tables) architectures[table] = architecture_of(*table);
  const auto size = [&](const KldTable* table) { return std::log(architectures.at(table).active / out.reference_active_parameters); };
  std::set<std::string> types;
  for (const KldTable* table : tables)
    for (const auto& [type, kld] : table->types)
      if (Formats::catalogue()[*Formats::catalogue().find(type)].bits < 16) types.insert(type);
  for (int round = 0; round < 20; ++round) {  // medians under the exponent, the exponent under the medians
    double products = 0, squares = 0;
    for (const std::string& type : types) {
      std::vector<double> plain, latent;
      for (const KldTable* table : tables)
        if (const auto kld = table->types.find(type); kld != table->types.end())
          (architectures.at(table).mla ? latent : plain).push_back(std::log(kld->second) - out.parameters_exponent * size(table));
      if (plain.empty()) continue;
      TypeQuality& quality = out.types[type];
      quality.log_kld = median_of(plain);
      quality.mla = latent.empty() ? 0 : median_of(latent) - quality.log_kld;
      for (const KldTable* table : tables)
        if (const auto kld = table->types.find(type); kld != table->types.end()) {
          const double s = size(table), rest = std::log(kld->second) - quality.log_kld - (architectures.at(table).mla ? quality.mla : 0);
          products += s * rest;
          squares += s * s;
        }
    }
    if (squares > 0) out.parameters_exponent = products / squares;
  }
}

bool is_outlier(const KldTable& table) { return table.model.starts_with("gemma-4"); }

}  // namespace

QualityTable fit_quality(const std::vector<const KldTable*>& all) {
  Tables tables;
  for (const KldTable* table : all)
    if (!is_outlier(*table)) tables.push_back(table);
  QualityTable out;
  out.credit = QualityTable::preset().credit;
  fit_sensitivities(out, tables);
  out.shares.emplace("tied_token_embd", QualityTable::preset().shares.at("tied_token_embd"));  // if no table has one
  fit_types(out, tables);
  for (const KldTable* table : tables) out.measured[normalised(table->model)] = {table->types.begin(), table->types.end()};
  return out;
}

double log_error(const QualityTable& quality, const KldTable& table, const std::string& type) {
  const TypeQuality& of = quality.types.at(type);
  const Architecture a = architecture_of(table);
  return of.log_kld + (a.mla ? of.mla : 0) + quality.parameters_exponent * std::log(a.active / quality.reference_active_parameters) -
         std::log(table.types.at(type));
}

double quantile_of(std::vector<double> values, double q) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

double median_of(std::vector<double> values) { return quantile_of(std::move(values), 0.5); }

}  // namespace roofline::validation
