#include "read/table/columns/column_solver.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>

namespace roofline {
namespace {

constexpr double rounding = 0.01;  // of the logarithm of a quotient: what the file's own rounding, or a mean of quotients, makes of 1

/// Agreeing is worth more than any change costs; disagreeing, however much, is the same.
float score_of(std::vector<double>& logs) {
  const double off = median(logs);
  if (!known(off)) return 0;
  return static_cast<float>(off <= rounding ? -1 : off <= agreement ? off - rounding - 1 : 1 + 0.0001 * std::min(off, 50.0));
}

}  // namespace

double median(std::vector<double>& values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }), values.end());
  if (values.empty()) return unknown;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool agree(std::vector<double>& logs) { return score_of(logs) < 0; }

ColumnUnitSolver::ColumnUnitSolver(Options options)
    : options_(std::move(options)),
      //            time flops rate bytes bandwidth intensity shape
      relations_{{{{1, -1, 1, 0, 0, 0, 0}, {}, {}},
                  {{1, 0, 0, -1, 1, 0, 0}, {}, {}},
                  {{0, -1, 0, 1, 0, 1, 0}, {}, {}},
                  {{0, -1, 0, 0, 0, 0, 1}, {}, {}}}} {  // the FLOPs that a column states are those of the shape
  for (Relation& r : relations_) tabulate(r);
  search();
}

float ColumnUnitSolver::Relation::score(const Pick& pick) const {
  if (scores.empty()) return 0;
  std::size_t i = 0;
  for (std::size_t q = 0; q < quantities; ++q) i += stride[q] * pick[q];
  return scores[i];
}

/// The scores of all combinations, so that a whole reading's is a few look-ups.
void ColumnUnitSolver::tabulate(Relation& r) const {
  std::size_t size = 1, rows = 0;
  for (std::size_t q = 0; q < quantities; ++q) {
    if (r.sign[q] == 0) continue;
    r.stride[q] = size;
    size *= options_[q].size();
    if (size > 0) rows = options_[q][0].logs.size();
  }
  r.scores.resize(size);
  bool tested = false;
  std::vector<double> logs;
  for (std::size_t i = 0; i < size; ++i) {
    logs.clear();
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t q = 0; q < quantities; ++q)
        if (r.sign[q] != 0) sum += r.sign[q] * options_[q][i / r.stride[q] % options_[q].size()].logs[row];
      if (std::isfinite(sum)) logs.push_back(std::abs(sum));
    }
    tested = tested || !logs.empty();
    r.scores[i] = score_of(logs);
  }
  if (!tested) r.scores.clear();
}

void ColumnUnitSolver::search() {
  for (Pick pick{};;) {
    double score = 0;
    for (const Relation& r : relations_) score += r.score(pick);
    for (std::size_t q = 0; q < quantities; ++q)
      if (!options_[q].empty()) score += options_[q][pick[q]].cost;
    if (score < score_ - 0.005)
      unique_ = true;
    else if (std::abs(score - score_) <= 0.005 && blames_others(pick, pick_))
      unique_ = false;
    if (score < score_) score_ = score, pick_ = pick;
    std::size_t q = 0;
    while (q < quantities && ++pick[q] >= std::max<std::size_t>(options_[q].size(), 1)) pick[q++] = 0;
    if (q == quantities) return;
  }
}

bool ColumnUnitSolver::blames_others(const Pick& a, const Pick& b) const {
  for (std::size_t q = 0; q < quantities; ++q)
    if (!options_[q].empty() && options_[q][a[q]].contrary != options_[q][b[q]].contrary) return true;
  return false;
}

bool ColumnUnitSolver::all_agree() const {
  return std::all_of(relations_.begin(), relations_.end(), [&](const Relation& r) { return r.score(pick_) <= 0; });
}

std::vector<const ColumnOption*> ColumnUnitSolver::corroborators(Quantity q) const {
  std::vector<const ColumnOption*> out;
  for (const Relation& r : relations_) {
    if (r.sign[q] == 0 || r.score(pick_) >= 0) continue;
    for (const Quantity other : {rate_of, bandwidth_of, intensity_of, time_of, flops_of, bytes_of, shape_of})
      if (other != q && r.sign[other] != 0) {
        out.push_back(at(other));
        break;
      }
  }
  return out;
}

}  // namespace roofline
