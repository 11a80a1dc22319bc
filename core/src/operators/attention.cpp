#include <roofline/machine/format.hpp>
#include <type_traits>
#include <utility>

#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

struct Sizes {
  double batch = 1, heads = 1, kv_heads = 1;
  double query_length = 1, context = 1;
  double head_dim = 1, head_dim_v = 1;
};

// [batch..., heads, length, head_dim]; heads before length unless `bshd`. Fewer than three dimensions: one head.
struct Tensor {
  double batch = 1, heads = 1, length = 1, width = 1;
};

Tensor split(Shape shape, bool bshd) {
  const std::size_t rank = shape.size();
  Tensor t{1, 1, shape[rank - 2], shape[rank - 1]};
  if (rank < 3) return t;
  t.heads = shape[rank - 3];
  t.batch = product(shape.first(rank - 3));
  if (bshd) std::swap(t.heads, t.length);
  return t;
}

Sizes from_shapes(Derivation& d) {
  const Shape query = d.operand(key::query, 0, 2);
  const bool has_key = d.has_operand(key::key_, 1), has_value = d.has_operand(key::value, 2);
  const Shape keys = has_key ? d.operand(key::key_, 1, 2) : query;
  const Shape values = has_value ? d.operand(key::value, 2, 2) : keys;
  if (!has_key) d.note("no key given: as many keys and values as queries");
  const std::string_view format = d.word(key::data_format);
  const bool bshd = !format.empty() && normalised(format) == "bshd";
  if (!format.empty() && !bshd && normalised(format) != "bhsd")
    d.fail(key::data_format, "is \"" + std::string(format) + "\": expected BHSD or BSHD");
  if (d.failed()) return {};
  const Tensor q = split(query, bshd), k = split(keys, bshd), v = split(values, bshd);
  if (k.batch != q.batch || k.width != q.width)
    d.fail(key::key_, shown(keys) + " does not fit query " + shown(query) + ": expected the same batch and head size");
  if (v.batch != k.batch || v.heads != k.heads || v.length != k.length)
    d.fail(key::value, shown(values) + " does not fit key " + shown(keys) + ": expected the same batch, heads and length");
  return {q.batch, q.heads, k.heads, q.length, k.length, q.width, v.width};
}

Sizes from_numbers(Derivation& d) {
  Sizes s;
  s.batch = d.whole(key::batch, 1);
  s.heads = d.whole(key::heads);
  s.kv_heads = d.whole(key::kv_heads, s.heads);
  s.query_length = d.whole(key::query_length);
  s.context = d.whole(key::context, s.query_length);
  s.head_dim = d.whole(key::head_dim);
  s.head_dim_v = d.whole(key::head_dim_v, s.head_dim);
  return s;
}

using ForwardFormulas = WorkFormulas<"B H G S C D V P", FormulaOf<&Work::matrix_flops, "2 * B * H * P * (D + V)">,
                                     FormulaOf<&Work::vector_flops, "5 * B * H * P">, FormulaOf<&Work::activation, "B * H * S * D">,
                                     FormulaOf<&Work::kv_read, "B * G * C * (D + V)">, FormulaOf<&Work::output, "B * H * S * V">>;
using BackwardFormulas =
    WorkFormulas<"B H G S C D V P", FormulaOf<&Work::matrix_flops, "2 * B * H * P * (3 * D + 2 * V)">,
                 FormulaOf<&Work::vector_flops, "4 * B * H * P + 2 * B * H * S * V">,
                 FormulaOf<&Work::activation, "B * H * S * (D + 2 * V)">, FormulaOf<&Work::kv_read, "B * G * C * (D + V)">,
                 FormulaOf<&Work::output, "B * H * S * D + B * G * C * (D + V)">>;

template <class Formulas>
Result<Work> derive(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  if (std::is_same_v<Formulas, BackwardFormulas>) d.skip_inputs(1);
  const bool shapes = d.has_operand(key::query, 0);
  if (!shapes && !d.has(key::heads)) d.missing(key::query, "expected query, key and value, or heads, head_dim and query_length");
  const Sizes s = shapes ? from_shapes(d) : from_numbers(d);
  const bool causal = d.flag(key::causal, false);
  const double sparsity = d.fraction(key::sparsity, 0);
  const Key heads = shapes ? key::key_ : key::kv_heads;
  const double shared = s.heads / s.kv_heads;
  if (static_cast<double>(static_cast<std::int64_t>(shared)) != shared)
    d.fail(heads, "has " + plain(s.kv_heads) + " heads: expected a divisor of the " + plain(s.heads) + " query heads");
  if (causal && s.query_length > s.context)
    d.fail(key::causal,
           "is true with " + plain(s.query_length) + " queries and " + plain(s.context) + " keys: expected at least as many keys");
  if (d.failed()) return d.fault();

  // The queries are the last ones of the context: query i sees the first C - S + i + 1 keys.
  const double above = causal ? s.query_length * (s.query_length - 1) / 2 : 0;
  const double pairs = (s.query_length * s.context - above) * (1 - sparsity);

  return d.finish<Formulas>({s.batch, s.heads, s.kv_heads, s.query_length, s.context, s.head_dim, s.head_dim_v, pairs},
                            shapes ? key::query : key::query_length, {s.query_length, s.context, s.head_dim, s.batch, s.heads, 0});
}

constexpr Parameter parameters[] = {
    {"query", "[batch..., heads, S, D]", "or heads, head_dim and query_length"},
    {"key", "[batch..., kv_heads, C, D]", "as query"},
    {"value", "[batch..., kv_heads, C, V]", "as key"},
    {"data_format", "BHSD or BSHD: the order of heads and length", "BHSD"},
    {"batch", "B", "1"},
    {"heads", "H, query heads", "or query"},
    {"kv_heads", "G, divides H", "heads"},
    {"head_dim", "D, per head of query and key", "or query"},
    {"head_dim_v", "V, per head of value and output", "head_dim"},
    {"query_length", "S, new tokens", "or query"},
    {"context", "C, tokens attended to, the new ones included", "query_length"},
    {"causal", "true where a token sees none after it", "false"},
    {"sparsity", "the fraction of the pairs that a block mask leaves out, 0 to 1", "0"},
};

constexpr std::string_view names[] = {"scaleddotproductattention",
                                      "sdpa",
                                      "flashattention",
                                      "flashattn",
                                      "flashattention2",
                                      "fusedattention",
                                      "multiheadattention",
                                      "mha",
                                      "gqa",
                                      "groupedqueryattention",
                                      "selfattention",
                                      "scaleddotproductflashattention",
                                      "scaleddotproductefficientattention",
                                      "scaleddotproductcudnnattention",
                                      "scaleddotproductattentionmath",
                                      "pagedattention",
                                      "flashattentionforward",
                                      "efficientattentionforward",
                                      "memoryefficientattention",
                                      "flexattention"};

constexpr std::string_view backward_names[] = {"scaleddotproductattentionbackward",
                                               "scaleddotproductflashattentionbackward",
                                               "scaleddotproductefficientattentionbackward",
                                               "scaleddotproductcudnnattentionbackward",
                                               "scaleddotproductfusedattentionoverrideablebackward",
                                               "flashattentionbackward",
                                               "efficientattentionbackward",
                                               "flexattentionbackward",
                                               "sdpabackward"};

constexpr Operator list[] = {
    {"attention", "Attention", OpFamily::attention, Symbol::circle, names, parameters, ForwardFormulas::formulas,
     "Fused and ideal: query, key, value and output move once, scores stay on chip. P is the number of query-key pairs: S * C, or "
     "S * C - S * (S - 1) / 2 where causal, the queries being the last of the context, times 1 - sparsity. Softmax costs 5 vector FLOPs "
     "per pair. Projections "
     "are not part of it.",
     derive<ForwardFormulas>},
    {"attention_backward", "Attention, backward", OpFamily::attention, Symbol::circle, backward_names, parameters,
     BackwardFormulas::formulas,
     "Fused: five products to the forward's two, because the scores are computed again: Q K' and the gradients of Q and K (D each), and "
     "those "
     "of P and V (V each). Per pair 4 vector FLOPs: the exponential of a difference, and a product with another one; per output element 2 "
     "for "
     "the row sums of dO * O. Reads query, key, value, output and its gradient, writes the gradients of query, key and value.",
     derive<BackwardFormulas>},
};

}  // namespace

std::span<const Operator> families::attention() { return list; }

}  // namespace roofline
