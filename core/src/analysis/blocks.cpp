#include "analysis/blocks.hpp"

#include <cmath>

namespace roofline {

void OpMask::mark(std::size_t first, std::size_t count, std::uint8_t* marks) const {
  const OpMask by = *this;  // Local copy: the stores below may alias.
  if (by.in_scope)
    std::copy(by.in_scope + first, by.in_scope + first + count, marks);
  else
    std::fill(marks, marks + count, std::uint8_t{1});
  if (by.ops)
    for (std::size_t j = 0; j < count; ++j) marks[j] &= by.ops[first + j];
  if (by.classes)
    for (std::size_t j = 0; j < count; ++j) marks[j] &= by.classes[by.op_class[first + j]];
}

Blocks::Blocks(const Plan& plan, MemoryAxis axis, bool typical) : plan_(plan), axis_(axis), typical_(typical), slicer_(plan.workload()) {
  for (const OpClass& op_class : plan.workload().classes) any_rates_only_ = any_rates_only_ || op_class.rates_only;
}

const OpBlock& Blocks::contiguous(std::size_t first, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) index_[j] = static_cast<std::uint32_t>(first + j);
  return evaluated(slicer_.contiguous(first, count), index_.data());
}

const OpBlock& Blocks::gathered(const std::uint32_t* ops, std::size_t count) {
  return evaluated(slicer_.gathered(ops, count, typical_ || plan_.reads_roles()), ops);
}

const OpBlock& Blocks::evaluated(const Plan::Slice& slice, const std::uint32_t* index) {
  plan_.evaluate(slice, values);
  ops_.count = slice.count;
  ops_.index = index;
  ops_.flops = values.flops.data();
  ops_.bytes = values.bytes;
  ops_.compute_s = values.compute_s.data();
  ops_.predicted_s = values.predicted_s.data();
  ops_.lost_s = values.lost_s.data();
  ops_.whatif_s = plan_.has_whatif() ? values.whatif_s.data() : values.predicted_s.data();
  ops_.whatif_bytes = plan_.has_whatif() ? values.whatif_bytes.data() : ops_.bytes;
  if (typical_) {
    plan_.typical(slice, values, typical_s_.data());
    ops_.typical_s = typical_s_.data();
  }
  ops_.time_s = slice.time_s;
  ops_.self_time_s = slice.self_time_s ? slice.self_time_s : slice.time_s;
  ops_.share = shares(slice);
  ops_.axis_bytes = ops_.bytes;
  if (axis_ != device_axis) {
    plan_.axis_bytes(axis_, slice, ops_.bytes, axis_bytes_.data());
    ops_.axis_bytes = axis_bytes_.data();
  }
  ops_.bound = values.bound.data();
  ops_.whatif_bound = plan_.has_whatif() ? values.whatif_bound.data() : ops_.bound;
  ops_.status = values.status.data();
  ops_.partly_known = values.partly_known.data();
  if (any_rates_only_) {
    for (std::size_t j = 0; j < slice.count; ++j) rates_only_[j] = plan_.workload().classes[slice.op_class[j]].rates_only ? 1 : 0;
    ops_.rates_only = rates_only_.data();
  }
  return ops_;
}

const double* Blocks::shares(const Plan::Slice& slice) {
  if (!slice.self_time_s) return nullptr;
  for (std::size_t j = 0; j < slice.count; ++j) {
    const double time = slice.time_s[j], self = slice.self_time_s[j];
    share_[j] = self >= 0 && self < time ? self / time : 1;
    if (std::isfinite(values.lost_s[j])) values.lost_s[j] *= share_[j];  // minus infinity: not known
  }
  return share_.data();
}

void for_each_block(Blocks& blocks, const OpMask& chosen, const BlockVisitor& visit) {
  constexpr std::size_t block = Plan::block_size;
  const std::size_t size = blocks.plan().workload().size();
  if (chosen.all()) {
    for (std::size_t first = 0; first < size; first += block) visit(blocks.contiguous(first, std::min(block, size - first)));
    return;
  }
  std::array<std::uint32_t, 2 * block> ops;  // the rest of the last block, and up to one more
  std::array<std::uint8_t, block> marks;
  std::size_t n = 0;
  for (std::size_t first = 0; first < size; first += block) {
    const std::size_t count = std::min(block, size - first);
    chosen.mark(first, count, marks.data());
    for (std::size_t j = 0; j < count; ++j) {
      ops[n] = static_cast<std::uint32_t>(first + j);
      n += marks[j];
    }
    if (n < block) continue;
    visit(blocks.gathered(ops.data(), block));
    std::copy(ops.begin() + block, ops.begin() + static_cast<std::ptrdiff_t>(n), ops.begin());
    n -= block;
  }
  if (n > 0) visit(blocks.gathered(ops.data(), n));
}

void for_each_block(Blocks& blocks, const OpSet& ops, const RowMask& scope, const BlockVisitor& visit) {
  const ResultFilter results = ops.results();
  if (results.keeps_all()) return for_each_block(blocks, let_through(ops, scope), visit);
  Compressed compressed;
  for_each_block(blocks, let_through(ops, scope), [&](const OpBlock& found) {
    visit(compressed.of(found, [&](std::size_t j) { return keeps(results, blocks.plan(), found, j); }));
  });
}

void for_each_block(Blocks& blocks, const OpSet& ops, const BlockVisitor& visit) { for_each_block(blocks, ops, ops.rows().counted, visit); }

void for_each_block(const OpSet& ops, const BlockVisitor& visit) {
  Blocks blocks(ops.plan());
  for_each_block(blocks, ops, visit);
}

void for_each_listed_block(const OpSet& ops, const BlockVisitor& visit) {
  Blocks blocks(ops.plan());
  for_each_block(blocks, ops, ops.rows().scope, visit);
}

}  // namespace roofline
