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

double size_of(const QualityTable& table, const Architecture& a) { return std::log(a.active / table.reference_active_parameters); }

std::set<std::string> types_of(const Tables& tables) {
  std::set<std::string> out;
  for (const KldTable* table : tables)
    for (const auto& [type, kld] : table->types)
      if (Formats::catalogue()[*Formats::catalogue().find(type)].bits < 16) out.insert(type);
  return out;
}

/// How ln KLD of dense models falls with the logarithm of their size: the median over pairs of them.
double size_exponent(const QualityTable& reference, const Tables& tables, const std::set<std::string>& types) {
  std::map<std::string, double> usual;
  for (const std::string& type : types) {
    std::vector<double> logs;
    for (const KldTable* table : tables)
      if (const auto kld = table->types.find(type); kld != table->types.end()) logs.push_back(std::log(kld->second));
    usual[type] = median_of(logs);
  }
  std::vector<std::pair<double, double>> levels;  // size, and how far a model is above the usual
  for (const KldTable* table : tables) {
    const Architecture a = architecture_of(*table);
    if (a.kind != ModelKind::dense) continue;
    std::vector<double> above;
    for (const auto& [type, kld] : table->types)
      if (types.contains(type)) above.push_back(std::log(kld) - usual.at(type));
    if (!above.empty()) levels.emplace_back(size_of(reference, a), median_of(above));
  }
  constexpr double least = 0.3;  // ln; models that differ by less count as of the same size
  std::vector<double> slopes;
  for (const auto& [size, level] : levels)
    for (const auto& [other_size, other_level] : levels)
      if (size - other_size > least) slopes.push_back((level - other_level) / (size - other_size));
  return slopes.empty() ? 0 : median_of(slopes);
}

/// By type, the median of all models, and by kind the difference of its median from that, shrunk towards 0 if the kind has few models.
void fit_types(QualityTable& out, const Tables& tables) {
  constexpr double shrinkage = 5;  // the weight of "no difference", in models
  out.reference_active_parameters = 15e9;
  const std::set<std::string> types = types_of(tables);
  out.parameters_exponent = size_exponent(out, tables, types);
  for (const std::string& type : types) {
    std::vector<double> all;
    std::array<std::vector<double>, names_of<ModelKind>.size()> by_kind;
    for (const KldTable* table : tables)
      if (const auto kld = table->types.find(type); kld != table->types.end()) {
        const Architecture a = architecture_of(*table);
        const double log_kld = std::log(kld->second) - (a.kind == ModelKind::dense ? out.parameters_exponent * size_of(out, a) : 0);
        all.push_back(log_kld);
        by_kind[static_cast<std::size_t>(a.kind)].push_back(log_kld);
      }
    TypeQuality& quality = out.types[type];
    quality.log_kld = median_of(all);
    for (std::size_t kind = 0; kind < by_kind.size(); ++kind)
      if (const auto count = static_cast<double>(by_kind[kind].size()); count > 0)
        quality.kinds[kind] = (median_of(by_kind[kind]) - quality.log_kld) * count / (count + shrinkage);
  }
}

/// Types of about the same width share a band: that of errors on architectures left out.
int band_of(const std::string& type) {
  const double bits = Formats::catalogue()[*Formats::catalogue().find(type)].bits;
  return bits < 3 ? 2 : bits < 4 ? 3 : bits < 5 ? 4 : bits < 7 ? 6 : 8;
}

void fit_bands(QualityTable& out, const Tables& tables) {
  constexpr double share = 0.85;  // above the promised 80%, because there are few tables
  std::map<int, std::vector<double>> errors;
  for (const KldTable* left_out : tables) {
    QualityTable others;
    fit_types(others, without_architecture_of(*left_out, tables));
    for (const auto& [type, kld] : left_out->types)
      if (others.types.contains(type)) errors[band_of(type)].push_back(std::fabs(log_error(others, *left_out, type)));
  }
  for (auto& [type, quality] : out.types)
    if (const auto found = errors.find(band_of(type)); found != errors.end()) quality.band = std::exp(quantile_of(found->second, share));
}

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
  fit_bands(out, tables);
  for (const KldTable* table : tables) out.measured[normalised(table->model)] = {table->types.begin(), table->types.end()};
  return out;
}

double log_error(const QualityTable& quality, const KldTable& table, const std::string& type) {
  const Architecture a = architecture_of(table);
  return quality.log_kld(quality.types.at(type), a.kind, a.active) - std::log(table.types.at(type));
}

std::vector<const KldTable*> without_architecture_of(const KldTable& table, const std::vector<const KldTable*>& tables) {
  Tables out;
  for (const KldTable* other : tables)
    if (!same_architecture(*other, table)) out.push_back(other);
  return out;
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
