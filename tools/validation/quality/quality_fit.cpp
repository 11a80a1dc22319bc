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

std::set<std::string> types_of(const Tables& tables) {
  std::set<std::string> out;
  for (const KldTable* table : tables)
    for (const auto& [type, kld] : table->types)
      if (Formats::catalogue()[*Formats::catalogue().find(type)].bits < 16) out.insert(type);
  return out;
}

/// How far a model is above the median of all, the same in each type.
struct Level {
  ModelKind kind = ModelKind::dense;
  double active = 0;  ///< parameters
  double log_kld = 0;
};

std::vector<Level> levels_of(const Tables& tables, const std::set<std::string>& types) {
  std::map<std::string, double> median;
  for (const std::string& type : types) {
    std::vector<double> logs;
    for (const KldTable* table : tables)
      if (const auto kld = table->types.find(type); kld != table->types.end()) logs.push_back(std::log(kld->second));
    median[type] = median_of(logs);
  }
  std::vector<Level> out;
  for (const KldTable* table : tables) {
    const Architecture a = architecture_of(*table);
    std::vector<double> above;
    for (const auto& [type, kld] : table->types)
      if (types.contains(type)) above.push_back(std::log(kld) - median.at(type));
    if (!above.empty()) out.push_back({a.kind, a.active, median_of(above)});
  }
  return out;
}

/// Slope of ln KLD over ln(active parameters): the median over pairs of models of one kind. Mixtures of experts show none, so they are
/// left out.
double size_exponent(const std::vector<Level>& levels) {
  constexpr double least = 0.3;  // ln; models that differ by less count as of the same size
  std::vector<double> slopes;
  for (const Level& one : levels)
    for (const Level& other : levels)
      if (const double size = std::log(one.active / other.active); one.kind == other.kind && one.kind != ModelKind::experts && size > least)
        slopes.push_back((one.log_kld - other.log_kld) / size);
  return slopes.empty() ? 0 : median_of(slopes);
}

using ByKind = std::array<std::vector<double>, names_of<ModelKind>.size()>;

/// By kind, the median above `all`, shrunk towards 0 if the kind has few models.
std::array<double, names_of<ModelKind>.size()> shrunk(const ByKind& by_kind, double all, double shrinkage) {
  std::array<double, names_of<ModelKind>.size()> out{};
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind)
    if (const auto count = static_cast<double>(by_kind[kind].size()); count > 0)
      out[kind] = (median_of(by_kind[kind]) - all) * count / (count + shrinkage);
  return out;
}

/// ln KLD = level of the model (from its size and kind, the same for all types) + value of the type (median over models) + difference of
/// the kind in that type. Shrinkages are in models: a level rests on many measurements, a type on few.
void fit_types(QualityTable& out, const Tables& tables) {
  constexpr double level_shrinkage = 1, type_shrinkage = 10;
  out.reference_active_parameters = 15e9;
  const std::set<std::string> types = types_of(tables);
  const std::vector<Level> levels = levels_of(tables, types);
  out.parameters_exponent = size_exponent(levels);
  std::vector<double> all;
  ByKind by_kind;
  for (const Level& level : levels) {
    all.push_back(level.log_kld - out.size_effect(level.kind, level.active));
    by_kind[static_cast<std::size_t>(level.kind)].push_back(all.back());
  }
  const auto kind_levels = shrunk(by_kind, median_of(all), level_shrinkage);
  for (const std::string& type : types) {
    std::vector<double> beyond;
    ByKind of_kind;
    for (const KldTable* table : tables)
      if (const auto kld = table->types.find(type); kld != table->types.end()) {
        const Architecture a = architecture_of(*table);
        const auto kind = static_cast<std::size_t>(a.kind);
        beyond.push_back(std::log(kld->second) - kind_levels[kind] - out.size_effect(a.kind, a.active));
        of_kind[kind].push_back(beyond.back());
      }
    TypeQuality& quality = out.types[type];
    quality.log_kld = median_of(beyond);
    quality.kinds = shrunk(of_kind, quality.log_kld, type_shrinkage);
    for (std::size_t kind = 0; kind < quality.kinds.size(); ++kind) quality.kinds[kind] += kind_levels[kind];
  }
}

/// Types of about the same width share a band: that of errors on architectures left out.
int band_of(const std::string& type) {
  const double bits = Formats::catalogue()[*Formats::catalogue().find(type)].bits;
  return bits < 3 ? 2 : bits < 4 ? 3 : bits < 5 ? 4 : bits < 7 ? 6 : 8;
}

void fit_bands(QualityTable& out, const Tables& tables) {
  // Share of measurements. Above the promised 80% because the errors of one model are correlated: at 93%, a model left out has at least
  // 80% of its types within their bands, unless it is an outlier.
  constexpr double share = 0.93;
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
