#include "shares_report.hpp"

#include <cmath>
#include <roofline/llm/quantize.hpp>
#include <set>

#include "llm/quantize/sensitivity.hpp"
#include "quality_fit.hpp"

namespace roofline::validation {
namespace {

void add_errors(const KldTable& table, const Model& model, const QualityTable& quality, const std::string& name, std::vector<double>& out) {
  const Result<Mixture> mixed = mixture(model, name, true);
  const std::vector<double> shares = divergence_shares(quality, model, mixed->tensors);
  for (const auto& [row, tensors] : table.tensors) {
    double fitted = 0, fitted_shares = 0, own = 0, own_shares = 0;
    std::set<FormatId> formats;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const FormatId format = mixed->tensors[i].format;
      const auto type = table.types.find(Formats::catalogue()[format].id);
      const auto measured = tensors.find(mixed->tensors[i].name);
      if (shares[i] == 0 || measured == tensors.end()) continue;
      if (type == table.types.end()) return;
      formats.insert(format);
      fitted += shares[i] * type->second;
      fitted_shares += shares[i];
      own += measured->second * type->second;
      own_shares += measured->second;
    }
    if (formats.size() > 1) out.push_back(std::abs(std::log(fitted / fitted_shares * own_shares / own)));
  }
}

}  // namespace

std::vector<double> share_errors(const std::vector<KldTable>& tables) {
  std::vector<double> out;
  std::vector<const KldTable*> all;
  for (const KldTable& table : tables) all.push_back(&table);
  for (const KldTable& table : tables) {
    const Model* model = preset_of(table);
    if (!model || is_outlier(table)) continue;
    const QualityTable quality = fit_quality(without_architecture_of(table, all));
    for (const std::string& name : mixture_names())
      if (name != "F16") add_errors(table, *model, quality, name, out);
  }
  return out;
}

}  // namespace roofline::validation
