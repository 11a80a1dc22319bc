// The work of each operator of a language model: formulas over named sizes, which lay_out() sets for a pass. docs/guide/llm.md has their
// sources.
#pragma once

#include <array>
#include <roofline/llm/llm.hpp>

#include "operators/work_formulas.hpp"

namespace roofline {

/// The symbols of the formulas and what each is, on one machine.
struct LlmSize {
  std::string_view symbol, meaning;
};
inline constexpr LlmSize llm_sizes[] = {
    {"T", "tokens of a pass on one machine"},
    {"B", "sequences"},
    {"S", "new tokens of each sequence"},
    {"P", "query-key pairs of a sequence"},
    {"H", "hidden size"},
    {"V", "vocabulary on one machine"},
    {"To", "tokens that get logits"},
    {"Pe", "1 with learned positions"},
    {"Nf", "FLOPs of a norm per element"},
    {"Nw", "weights of a norm per element"},
    {"h", "query heads on one machine"},
    {"g", "key-value heads that are read"},
    {"d", "size of a query and a key"},
    {"dv", "size of a value"},
    {"dkv", "size of a key and its value together"},
    {"dr", "rotated elements of a head"},
    {"dn", "elements of a head without rotation"},
    {"Kr", "keys that are read of each sequence"},
    {"Kv", "cache elements of a token in a layer"},
    {"Q", "query elements of a token"},
    {"K", "key elements of a token"},
    {"O", "attention output of a token"},
    {"bq", "1 with biases"},
    {"bo", "1 with a bias"},
    {"bm", "1 with a bias"},
    {"bh", "1 with a bias"},
    {"br", "1 with a bias"},
    {"be", "elements of the experts' format that a bias takes: it is kept in the other weights' format"},
    {"gs", "1 with a gate"},
    {"Rq", "rank of the compressed queries"},
    {"R", "rank of the latents"},
    {"X", "tokens that are expanded, or absorbed"},
    {"Xi", "activations that go into the expansion"},
    {"Xc", "elements of the cache that go into it"},
    {"Xo", "elements that come out of it"},
    {"Hr", "heads that are rotated"},
    {"Qf", "FLOPs of the query and key norms per element"},
    {"Qn", "elements that those norms see"},
    {"Qw", "weights of those norms"},
    {"Rm", "elements rotated or normed per token"},
    {"lk", "key elements of a recurrent layer per token"},
    {"lv", "value elements of a recurrent layer per token"},
    {"hl", "value heads of a recurrent layer on one machine"},
    {"dl", "size of its key"},
    {"du", "size of its value"},
    {"Wl", "columns of its first projection"},
    {"kc", "taps of its convolution"},
    {"bc", "1 with a bias"},
    {"Ac", "FLOPs of what follows the convolution per element: an activation, or two gates"},
    {"gc", "elements of those gates per token"},
    {"Nl", "weights of the norm of its output"},
    {"No", "FLOPs of that norm and its gate per element"},
    {"hi", "heads of the indexer"},
    {"di", "size of its key"},
    {"ci", "elements of the indexer's cache per token: its key, and four for the scale"},
    {"Pi", "query-key pairs of a sequence that the indexer scores"},
    {"kt", "keys that it leaves to a query"},
    {"G", "2 with a gate"},
    {"Af", "FLOPs of the activation per element"},
    {"I", "width of the MLP on one machine"},
    {"Is", "width of the shared experts on one machine"},
    {"E", "experts"},
    {"Ea", "expected distinct experts on one machine"},
    {"Ie", "width of an expert on one machine"},
    {"k", "experts of a token"},
    {"Ts", "tokens times experts on one machine"},
    {"Tm", "tokens that one machine sends"},
    {"n", "machines that exchange"},
    {"ba", "bytes of an activation"},
};

/// A value for each of llm_sizes.
class LlmSizes {
 public:
  static constexpr std::array<std::string_view, std::size(llm_sizes)> names = [] {
    std::array<std::string_view, std::size(llm_sizes)> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = llm_sizes[i].symbol;
    return out;
  }();
  template <StaticText symbol>
  void set(double value) {
    constexpr std::size_t index = [] {
      std::size_t i = 0;
      while (names[i] != symbol.view()) ++i;
      return i;
    }();
    values_[index] = value;
  }
  [[nodiscard]] const double* values() const { return values_.data(); }

 private:
  std::array<double, names.size()> values_ = {};
};

/// Formulas of the columns of a row, for one occurrence; a column without a formula is zero.
template <class... Formulas>
struct RowFormulas {
  /// Fills row `i`, which is zero, with `count` occurrences.
  static void fill(LlmRows& rows, std::size_t i, double count, const LlmSizes& sizes) {
    (((rows.*Formulas::member)[i] = count * Formulas::template Compiled<LlmSizes>::value(sizes.values())), ...);
  }
  /// Their sum as text, of the columns that are named.
  static std::string sum_of(std::initializer_list<LlmRows::Column<double> LlmRows::*> columns) {
    std::string text;
    const auto add = [&](LlmRows::Column<double> LlmRows::* column, LlmRows::Column<double> LlmRows::* wanted,
                         std::string_view expression) {
      if (column == wanted) text += (text.empty() ? "" : " + ") + std::string(expression);
    };
    for (const auto column : columns) (add(Formulas::member, column, Formulas::expression), ...);
    return text;
  }
};

template <StaticText text>
using MatrixFlops = FormulaOf<&LlmRows::matrix_flops, text>;
template <StaticText text>
using VectorFlops = FormulaOf<&LlmRows::vector_flops, text>;
template <StaticText text>
using Weight = FormulaOf<&LlmRows::weight, text>;
template <StaticText text>
using Activation = FormulaOf<&LlmRows::activation, text>;
template <StaticText text>
using Output = FormulaOf<&LlmRows::output, text>;
template <StaticText text>
using KvRead = FormulaOf<&LlmRows::kv_read, text>;
template <StaticText text>
using KvWrite = FormulaOf<&LlmRows::kv_write, text>;
template <StaticText text>
using LinkBytes = FormulaOf<&LlmRows::link_bytes, text>;

using NormRow = RowFormulas<VectorFlops<"Nf * T * H">, Activation<"T * H">, Weight<"Nw * H">, Output<"T * H">>;
using KeyProjectionRow = RowFormulas<MatrixFlops<"2 * T * H * K">, Activation<"T * H">, Weight<"H * K + bq * K">, Output<"T * K">>;
using UpProjectionRow = RowFormulas<MatrixFlops<"2 * T * H * I">, Activation<"T * H">, Weight<"H * I + bm * I">, Output<"T * I">>;

/// The formulas of an operator.
template <LlmOp op>
struct RowOf;
// clang-format off
template <> struct RowOf<LlmOp::embed> : RowFormulas<VectorFlops<"Pe * T * H">, Weight<"(1 + Pe) * T * H">, Output<"T * H">> {};
template <> struct RowOf<LlmOp::input_norm> : NormRow {};
template <> struct RowOf<LlmOp::post_norm> : NormRow {};
template <> struct RowOf<LlmOp::final_norm> : NormRow {};
template <> struct RowOf<LlmOp::q_proj>
    : RowFormulas<MatrixFlops<"2 * T * H * Q">, Activation<"T * H">, Weight<"H * Q + bq * Q">, Output<"T * Q">> {};
template <> struct RowOf<LlmOp::k_proj> : KeyProjectionRow {};
template <> struct RowOf<LlmOp::v_proj> : KeyProjectionRow {};
template <> struct RowOf<LlmOp::q_a_proj>
    : RowFormulas<MatrixFlops<"2 * T * H * Rq">, Activation<"T * H">, Weight<"H * Rq">, Output<"T * Rq">> {};
template <> struct RowOf<LlmOp::q_b_proj>
    : RowFormulas<MatrixFlops<"2 * T * Rq * Q">, Activation<"T * Rq">, Weight<"Rq * Q">, Output<"T * Q">> {};
template <> struct RowOf<LlmOp::kv_a_proj>
    : RowFormulas<MatrixFlops<"2 * T * H * (R + dr)">, Activation<"T * H">, Weight<"H * (R + dr)">, Output<"T * (R + dr)">> {};
template <> struct RowOf<LlmOp::kv_b_proj>
    : RowFormulas<MatrixFlops<"2 * X * R * h * (dn + dv)">, Activation<"Xi">, Weight<"R * h * (dn + dv)">, KvRead<"Xc">, Output<"Xo">> {};
template <> struct RowOf<LlmOp::rope>
    : RowFormulas<VectorFlops<"3 * T * Hr * dr + Qf * T * Qn">, Activation<"T * Rm">, Weight<"Qw">, Output<"T * Rm">> {};
template <> struct RowOf<LlmOp::kv_write> : RowFormulas<Activation<"T * Kv">, KvWrite<"T * Kv">> {};
template <> struct RowOf<LlmOp::qk>
    : RowFormulas<MatrixFlops<"2 * B * h * P * d">, Activation<"B * S * h * d">, KvRead<"B * Kr * g * d">, Output<"B * h * P">> {};
template <> struct RowOf<LlmOp::softmax> : RowFormulas<VectorFlops<"5 * B * h * P">, Activation<"B * h * P">, Output<"B * h * P">> {};
template <> struct RowOf<LlmOp::pv>
    : RowFormulas<MatrixFlops<"2 * B * h * P * dv">, Activation<"B * h * P">, KvRead<"B * Kr * g * dv">, Output<"B * S * h * dv">> {};
template <> struct RowOf<LlmOp::attention>
    : RowFormulas<MatrixFlops<"2 * B * h * P * (d + dv)">, VectorFlops<"5 * B * h * P">, Activation<"B * S * h * d">,
                  KvRead<"B * Kr * g * dkv">, Output<"B * S * h * dv">> {};
template <> struct RowOf<LlmOp::attention_gate> : RowFormulas<VectorFlops<"5 * T * O">, Activation<"2 * T * O">, Output<"T * O">> {};
// What a recurrent layer takes in: RecurrentLayers::columns().
template <> struct RowOf<LlmOp::linear_in_proj>
    : RowFormulas<MatrixFlops<"2 * T * H * Wl">, Activation<"T * H">, Weight<"H * Wl">, Output<"T * Wl">> {};
template <> struct RowOf<LlmOp::short_conv>
    : RowFormulas<VectorFlops<"(2 * kc + Ac) * T * (2 * lk + lv)">, Activation<"T * (2 * lk + lv + gc)">, Weight<"(kc + bc) * (2 * lk + lv)">,
                  KvRead<"B * (kc - 1) * (2 * lk + lv)">, KvWrite<"B * (kc - 1) * (2 * lk + lv)">, Output<"T * (2 * lk + lv)">> {};
// Per token and head: the state's answer to the key, its correction, its answer to the query; the decay; norms of query and key.
template <> struct RowOf<LlmOp::gated_delta>
    : RowFormulas<MatrixFlops<"6 * T * hl * dl * du">, VectorFlops<"T * (hl * du * (dl + 2) + 8 * lk)">,
                  Activation<"T * (2 * lk + lv + 2 * hl)">, Weight<"2 * hl">, KvRead<"B * hl * dl * du">, KvWrite<"B * hl * dl * du">,
                  Output<"T * lv">> {};
// Mamba-2, per token and head: matrix FLOPs are the outer product and C times the state;
// vector FLOPs are the decay, the step, and D times the input.
template <> struct RowOf<LlmOp::ssm_scan>
    : RowFormulas<MatrixFlops<"4 * T * hl * dl * du">, VectorFlops<"T * hl * du * (dl + 3)">, Activation<"T * (2 * lk + lv + hl)">,
                  Weight<"3 * hl">, KvRead<"B * hl * dl * du">, KvWrite<"B * hl * dl * du">, Output<"T * lv">> {};
template <> struct RowOf<LlmOp::linear_norm>
    : RowFormulas<VectorFlops<"No * T * lv">, Activation<"2 * T * lv">, Weight<"Nl">, Output<"T * lv">> {};
template <> struct RowOf<LlmOp::linear_out_proj>
    : RowFormulas<MatrixFlops<"2 * T * lv * H">, Activation<"T * lv">, Weight<"lv * H">, Output<"T * H">> {};
// The indexer's queries, key and weights of its heads; its cache has the key.
template <> struct RowOf<LlmOp::index_proj>
    : RowFormulas<MatrixFlops<"2 * T * (Rq * hi * di + H * (di + hi))">, Activation<"T * (Rq + H)">,
                  Weight<"Rq * hi * di + H * (di + hi)">, KvWrite<"T * ci">, Output<"T * hi * (di + 1)">> {};
// ReLU, weight and sum over the heads are vector work. The places of the chosen keys come out; the scores stay on the chip.
template <> struct RowOf<LlmOp::index_scores>
    : RowFormulas<MatrixFlops<"2 * B * hi * Pi * di">, VectorFlops<"3 * B * hi * Pi">, Activation<"T * hi * (di + 1)">,
                  KvRead<"B * Kr * ci">, Output<"T * kt">> {};
template <> struct RowOf<LlmOp::o_proj>
    : RowFormulas<MatrixFlops<"2 * T * O * H">, Activation<"T * O">, Weight<"O * H + bo * H">, Output<"T * H">> {};
template <> struct RowOf<LlmOp::residual> : RowFormulas<VectorFlops<"T * H">, Activation<"2 * T * H">, Output<"T * H">> {};
template <> struct RowOf<LlmOp::gate_proj> : UpProjectionRow {};
template <> struct RowOf<LlmOp::up_proj> : UpProjectionRow {};
template <> struct RowOf<LlmOp::act_mul> : RowFormulas<VectorFlops<"Af * T * I">, Activation<"G * T * I">, Output<"T * I">> {};
template <> struct RowOf<LlmOp::down_proj>
    : RowFormulas<MatrixFlops<"2 * T * I * H">, Activation<"T * I">, Weight<"I * H + bm * H">, Output<"T * H">> {};
template <> struct RowOf<LlmOp::router>
    : RowFormulas<MatrixFlops<"2 * T * H * E">, Activation<"T * H">, Weight<"H * E + br * E">, Output<"T * E">> {};
// Gate and up as one product, the activation, the way down, and the weighted sum of the k results.
template <> struct RowOf<LlmOp::experts>
    : RowFormulas<MatrixFlops<"2 * Ts * (G + 1) * H * Ie">, VectorFlops<"Af * Ts * Ie + 2 * Ts * H">,
                  Activation<"Ts * (2 * H + (G + 1) * Ie)">, Weight<"Ea * ((G + 1) * H * Ie + be * (G * Ie + H))">,
                  Output<"Ts * (H + (G + 1) * Ie) + T * H">> {};
template <> struct RowOf<LlmOp::shared_experts>
    : RowFormulas<MatrixFlops<"2 * T * (G + 1) * H * Is">, VectorFlops<"Af * T * Is">, Activation<"T * (H + (G + 1) * Is)">,
                  Weight<"(G + 1) * H * Is + gs * H">, Output<"T * (H + (G + 1) * Is)">> {};
template <> struct RowOf<LlmOp::lm_head>
    : RowFormulas<MatrixFlops<"2 * To * H * V">, Activation<"To * H">, Weight<"H * V + bh * V">, Output<"To * V">> {};
template <> struct RowOf<LlmOp::all_reduce>
    : RowFormulas<Activation<"T * H">, Output<"T * H">, LinkBytes<"2 * (n - 1) / n * T * H * ba">> {};
// To the experts and back: each machine sends its share of the tokens k times, all but the part that stays.
template <> struct RowOf<LlmOp::all_to_all>
    : RowFormulas<Activation<"2 * k * Tm * H">, Output<"2 * k * Tm * H">, LinkBytes<"2 * k * (n - 1) / n * Tm * H * ba">> {};
// clang-format on

}  // namespace roofline
