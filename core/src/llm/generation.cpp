// Sums over passes: of a generation in closed form.
#include <algorithm>
#include <cmath>
#include <roofline/base/whole_numbers.hpp>
#include <roofline/llm/llm.hpp>

namespace roofline {

void LlmTotals::add(const LlmTotals& other, double times) {
  for (const auto sum : {&LlmTotals::flops, &LlmTotals::matrix_flops, &LlmTotals::bytes, &LlmTotals::weight_bytes, &LlmTotals::kv_bytes,
                         &LlmTotals::link_bytes, &LlmTotals::predicted_s, &LlmTotals::typical_s, &LlmTotals::launches})
    this->*sum += times * (other.*sum);
  for (std::size_t i = 0; i < predicted_by_kind.size(); ++i) predicted_by_kind[i] += times * other.predicted_by_kind[i];
  lacks_rate = lacks_rate || other.lacks_rate;
}

std::optional<ResourceKind> LlmTotals::bound() const {
  std::size_t most = 0;
  for (std::size_t i = 1; i < predicted_by_kind.size(); ++i)
    if (predicted_by_kind[i] > predicted_by_kind[most]) most = i;
  if (lacks_rate || !(predicted_by_kind[most] > 0)) return std::nullopt;
  return static_cast<ResourceKind>(most);
}

namespace {

/// The columns that add up.
constexpr LlmRows::Column<double> LlmRows::* sums[] = {
    &LlmRows::count,  &LlmRows::matrix_flops, &LlmRows::vector_flops, &LlmRows::weight,     &LlmRows::activation,
    &LlmRows::output, &LlmRows::kv_read,      &LlmRows::kv_write,     &LlmRows::link_bytes, &LlmRows::flops,
    &LlmRows::bytes,  &LlmRows::predicted_s,  &LlmRows::typical_s};

bool same_piece(const LlmRows& a, std::size_t i, const LlmRows& b, std::size_t j) {
  return a.bound_by[i] == b.bound_by[j] && a.typical_piece[i] == b.typical_piece[j];
}

/// Of two passes of the same model.
bool same_pieces(const LlmRows& a, const LlmRows& b) {
  for (std::size_t i = 0; i < a.size; ++i)
    if (!same_piece(a, i, b, i)) return false;
  return true;
}

}  // namespace

LlmRow LlmRows::operator[](std::size_t i) const {
  LlmRow r;
  r.op = static_cast<LlmOp>(op_class[i]);
  r.windowed = windowed[i];
  r.sizes = sizes[i];
  r.count = count[i];
  r.matrix_flops = matrix_flops[i];
  r.vector_flops = vector_flops[i];
  r.weight = weight[i];
  r.activation = activation[i];
  r.output = output[i];
  r.kv_read = kv_read[i];
  r.kv_write = kv_write[i];
  r.link_bytes = link_bytes[i];
  r.flops = flops[i];
  r.bytes = bytes[i];
  r.predicted_s = predicted_s[i];
  r.typical_s = typical_s[i];
  r.bound_by = bound_by[i];
  return r;
}

std::vector<LlmRow> LlmRows::rows() const {
  std::vector<LlmRow> out;
  for (std::size_t i = 0; i < size; ++i) out.push_back((*this)[i]);
  return out;
}

void LlmRows::clear() {
  size = 0;
  total = {};
}

void LlmRows::add(const LlmRows& other, double times) {
  for (std::size_t i = 0; i < other.size; ++i) {
    std::size_t to = 0, first = size;  // the row of its piece; the operator's first row
    for (; to < size; ++to) {
      if (op_class[to] != other.op_class[i] || windowed[to] != other.windowed[i]) continue;
      first = std::min(first, to);
      if (same_piece(*this, to, other, i)) break;
    }
    if (to == size && size >= most_pieces) to = first;
    if (to == size) {
      ++size;
      op_class[to] = other.op_class[i];
      windowed[to] = other.windowed[i];
      sizes[to] = other.sizes[i];
      bound_by[to] = other.bound_by[i];
      typical_piece[to] = other.typical_piece[i];
      for (const auto sum : sums) (this->*sum)[to] = 0;
    }
    if (sizes[to].n != other.sizes[i].n) sizes[to].n = unknown;
    for (const auto sum : sums) (this->*sum)[to] += times * (other.*sum)[i];
  }
  total.add(other.total, times);
}

void LlmPlan::decode_range(double batch, double query, double first, double last, double weight, LlmRows& out) const {
  const Model& m = setup_.model;
  LlmRows here, there;
  for (double from = first; from <= last;) {
    // Up to where a window fills, a chunk ends or sparse attention leaves keys out, keys grow by one each step; while several queries
    // straddle that edge, each context alone.
    double to = last;
    const auto stop_at = [&](double edge, double past) {
      if (query > 1 && from > past && from < past + query)
        to = from;
      else if (from <= edge)
        to = std::min(to, edge);
    };
    if (m.windowed_layers > 0) {
      const double edge = m.chunked ? std::ceil(from / m.window) * m.window : m.window;
      stop_at(edge, m.chunked ? edge - m.window : edge);
    }
    if (m.index_layers > 0) {
      stop_at(m.index_top_k, m.index_top_k);
      if (const double all_keys = query * m.index_top_k; from <= all_keys) to = std::min(to, all_keys);
    }
    evaluate(LlmPass::decode_step(batch, from, query), here);
    const auto linear_up_to = [&](double context) {
      evaluate(LlmPass::decode_step(batch, context, query), there);
      return same_pieces(here, there);
    };
    // Each row changes from one bound or piece to the next once.
    if (to > from && !linear_up_to(to)) to = last_whole(from, to, linear_up_to);
    evaluate(LlmPass::decode_step(batch, (from + to) / 2, query), there);
    for (std::size_t i = 0; i < there.size; ++i)
      if (to > from && there.sizes[i].heads > 0) there.sizes[i].n = unknown;  // of several contexts
    out.add(there, (to - from + 1) * weight);
    from = to + 1;
  }
}

}  // namespace roofline
