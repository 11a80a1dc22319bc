#include <numeric>
#include <roofline/analysis/op_set.hpp>
#include <roofline/analysis/selection.hpp>

#include "analysis/blocks.hpp"
#include "analysis/totals.hpp"

namespace roofline {

OpSet::OpSet(const Plan& plan) : plan_(&plan) {
  RowSelection rows;
  rows.counted = operations_of(plan.workload(), {});
  rows_ = std::make_shared<RowSelection>(std::move(rows));
}

OpSet OpSet::unfiltered() const {
  if (!filtered()) return *this;
  RowSelection rows;
  rows.scope = rows_->scope;
  rows.counted = rows_->counted;
  return {*plan_, std::make_shared<RowSelection>(std::move(rows))};
}

OpSet OpSet::under(const Plan& other) const {
  if (!filtered()) return {other, rows_};
  RowSelection rows;
  rows.scope = mask();
  rows.counted = operations_of(other.workload(), rows.scope);
  return {other, std::make_shared<RowSelection>(std::move(rows))};
}

OpSet OpSet::of(const Plan& plan, std::uint32_t op) {
  RowSelection rows;
  rows.scope.assign(plan.workload().size(), 0);
  rows.scope[op] = 1;
  rows.counted = rows.scope;
  return {plan, std::make_shared<RowSelection>(std::move(rows))};
}

RowMask OpSet::mask() const {
  RowMask out(workload().size());
  for_each_listed_block(*this, [&](const OpBlock& ops) {
    for (std::size_t j = 0; j < ops.count; ++j) out[ops.index[j]] = 1;
  });
  return out;
}

std::vector<std::uint32_t> OpSet::listed() const {
  std::vector<std::uint32_t> out;
  if (rows_->scope.empty() && !filtered()) {
    out.resize(workload().size());
    std::iota(out.begin(), out.end(), 0u);
    return out;
  }
  const RowMask in = mask();
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i] != 0) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

std::optional<std::uint32_t> program_row(const OpSet& ops) {
  const Workload& w = ops.workload();
  const RowMask& scope = ops.rows().scope;
  std::uint8_t views = row_view::with_infeed | row_view::without_infeed;
  for (std::size_t op = 0; op < scope.size() && op < w.views.size(); ++op)
    if (scope[op] != 0) views &= w.views[op];
  if (scope.empty()) views = row_view::with_infeed;
  for (std::uint32_t op = 0; op < w.views.size(); ++op)
    if ((w.views[op] & row_view::program) != 0 && (w.views[op] & views) != 0 && !w.step.empty() &&
        w.steps[w.step[op]] == whole_program_step)
      return op;
  return std::nullopt;
}

Summary summarize(const OpSet& ops, bool typical) {
  SummaryAccumulator sum(ops.plan());
  Blocks blocks(ops.plan(), device_axis, typical);
  for_each_block(blocks, ops, [&](const OpBlock& block) { sum.add(block); });
  return sum.summary();
}

TypicalTerms typical_terms(const OpSet& ops) {
  const Plan& plan = ops.plan();
  TypicalTerms sums{};
  Slicer slicer(ops.workload());
  Plan::Block block;
  std::array<double, Plan::block_size> share;
  for_each_block(ops, [&](const OpBlock& chosen) {
    const Plan::Slice& slice = slicer.gathered(chosen.index, chosen.count, true);
    plan.evaluate(slice, block);
    for (std::size_t j = 0; j < chosen.count; ++j)
      share[j] = (chosen.rates_only && chosen.rates_only[j] != 0) ? 0 : chosen.share ? chosen.share[j] : 1;
    plan.add_terms(slice, block, share.data(), sums);
  });
  return sums;
}

}  // namespace roofline
