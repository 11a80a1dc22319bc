// The operators of one pass: which there are, how often, and the sizes that their formulas take.
#include "llm/pass.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

// FLOPs per element of what is no matrix product.
constexpr double rms_norm_flops = 4, layer_norm_flops = 7, gated_act_flops = 5, act_flops = 4;

/// Pairs of the first `n` tokens of a sequence under chunks: whole chunks, and what is begun.
double chunked_pairs(double n, double chunk) {
  const double whole = std::floor(n / chunk), rest = n - whole * chunk;
  return whole * (chunk * (chunk + 1) / 2) + rest * (rest + 1) / 2;
}

/// Keys that a pass reads of one sequence's cache in a layer: those that any of its queries attends to.
double keys_read(double query, double context, double window, bool chunked) {
  if (window == 0) return context;
  if (chunked) return context - std::floor((context - query) / window) * window;
  return std::min(context, query + window - 1);
}

/// Appends rows to a table that it fills by the operators' formulas.
class RowWriter {
 public:
  RowWriter(LlmRows& out, SizesOfRow* traced) : out_(out), traced_(traced) {}

  LlmSizes sizes;

  /// No row where `count` is 0.
  template <LlmOp op>
  void put(double count, const OpSizes& kept = {}, bool windowed = false) {
    if (count > 0) RowOf<op>::fill(out_, begin(op, count, kept, windowed), count, sizes);
  }
  /// The keys and values that the last row reads are activations: they were expanded a moment ago.
  void read_as_activations() {
    const std::size_t i = out_.size - 1;
    out_.activation[i] += out_.kv_read[i];
    out_.kv_read[i] = 0;
  }

 private:
  /// A row of zeros. Once for all operators: inlined into each, it makes the page's module several kB larger.
  [[gnu::noinline]] std::size_t begin(LlmOp op, double count, const OpSizes& kept, bool windowed) {
    const std::size_t i = out_.size++;
    out_.op_class[i] = static_cast<std::uint32_t>(op);
    out_.windowed[i] = windowed;
    out_.sizes[i] = kept;
    out_.count[i] = count;
    out_.matrix_flops[i] = out_.vector_flops[i] = out_.weight[i] = out_.activation[i] = out_.output[i] = 0;
    out_.kv_read[i] = out_.kv_write[i] = out_.link_bytes[i] = 0;
    if (traced_ != nullptr && traced_->op == op && traced_->windowed == windowed) traced_->sizes = sizes;
    return i;
  }

  LlmRows& out_;
  SizesOfRow* traced_;
};

/// A layer's work over the indexer of DeepSeek's sparse attention, which every machine has whole.
void put_indexer(RowWriter& rows, const LlmSetup& setup, const LlmPass& pass, double sequences) {
  const Model& m = setup.model;
  const double tokens = sequences * pass.query, queries = m.index_heads * m.index_dim;
  LlmSizes& s = rows.sizes;
  s.set<"hi">(m.index_heads);
  s.set<"di">(m.index_dim);
  s.set<"ci">(m.index_elements());
  s.set<"kt">(std::min(pass.context, m.index_top_k));
  s.set<"Pi">(attention_pairs(pass.query, pass.context, setup.causal, 0, false));
  s.set<"Kr">(pass.context);
  rows.put<LlmOp::index_proj>(m.index_layers, {tokens, queries, m.q_rank, 1});
  rows.put<LlmOp::index_scores>(m.index_layers);
}

/// The recurrent form of a gated delta net and of Mamba-2, which does the least work.
void put_recurrent_layers(RowWriter& rows, const Model& m, double tp, double tokens, double sequences) {
  const RecurrentLayers r = m.recurrent.shared_by(tp);
  const bool mamba = r.is(RecurrentKind::mamba2), conv_alone = r.is(RecurrentKind::short_conv);
  const OpSizes scanned = {tokens / sequences, r.value_dim, r.key_dim, sequences};
  LlmSizes& s = rows.sizes;
  s.set<"lk">(r.keys());
  s.set<"lv">(r.values());
  s.set<"hl">(r.value_heads);
  s.set<"dl">(r.key_dim);
  s.set<"du">(r.value_dim);
  s.set<"Wl">(r.columns());
  s.set<"kc">(r.conv_taps);
  s.set<"bc">(r.conv_bias ? 1 : 0);
  s.set<"Ac">(conv_alone ? 2 : act_flops);
  s.set<"gc">(conv_alone ? 2 * r.values() : 0);
  s.set<"Nl">(r.norm_weights());
  s.set<"No">(gated_act_flops + (r.norm ? rms_norm_flops : 0));
  rows.put<LlmOp::linear_in_proj>(r.layers, {tokens, r.columns(), m.hidden, 1});
  rows.put<LlmOp::short_conv>(r.layers);
  if (mamba) rows.put<LlmOp::ssm_scan>(r.layers, scanned);
  if (!mamba && !conv_alone) rows.put<LlmOp::gated_delta>(r.layers, scanned);
  if (!conv_alone) rows.put<LlmOp::linear_norm>(r.layers);
  rows.put<LlmOp::linear_out_proj>(r.layers, {tokens, m.hidden, r.values(), 1});
}

}  // namespace

double distinct_experts(double experts, double top_k, double tokens) {
  double miss = 1, power = 1 - top_k / experts;  // (1 - k/E)^T by squaring: the same in every build
  for (auto t = static_cast<std::uint64_t>(tokens); t > 0 && miss > 0; t >>= 1) {
    if ((t & 1) != 0) miss *= power;
    power *= power;
  }
  return experts * (1 - miss);
}

double attention_pairs(double query, double context, bool causal, double window, bool chunked) {
  const double before = context - query;
  if (window > 0 && chunked) {
    // The chunk that a query is in, up to the query or whole; a single query at a fractional context (a mean) counts as it is.
    const double last = context - std::floor((context - 1) / window) * window;  // keys of the last chunk
    if (query == 1) return last;
    if (!causal) return std::min(query, last) * last + std::max(0.0, query - last) * window;
    return chunked_pairs(context, window) - chunked_pairs(before, window);
  }
  if (!causal) return query * (window > 0 ? std::min(context, window) : context);
  if (window == 0 || context <= window) return query * context - query * (query - 1) / 2;
  const double growing = std::clamp(window - before, 0.0, query);  // queries that see fewer keys than the window holds
  return growing * before + growing * (growing + 1) / 2 + (query - growing) * window;
}

namespace {

OpSizes product(double rows, double in, double columns) { return {rows, columns, in, 1}; }

/// Puts the rows of a pass, in the order of a layer. Everything is per machine: TP divides heads, MLP widths and the vocabulary, EP the
/// experts; a head that does not divide stays whole.
class PassWriter {
 public:
  PassWriter(const LlmSetup& setup, const LlmPass& pass, double tile_rows, LlmRows& out, SizesOfRow* traced)
      : setup_(setup), pass_(pass), m_(setup.model), tile_rows_(tile_rows), rows_(out, traced) {}

  void put() {
    set_shared_sizes();
    rows_.put<LlmOp::embed>(1);
    rows_.put<LlmOp::input_norm>(m_.layers);
    m_.mla() ? put_latent_projections() : put_projections();
    if (m_.index_layers > 0) put_indexer(rows_, setup_, pass_, sequences_);
    set_attention_sizes();
    if (const double full = m_.full_layers(); full > 0) put_attention(full, chosen_, false);
    if (m_.windowed_layers > 0) put_attention(m_.windowed_layers, m_.window, true);
    if (m_.query_gate) rows_.put<LlmOp::attention_gate>(attention_layers_);
    rows_.put<LlmOp::o_proj>(attention_layers_, product(tokens_, outputs_, m_.hidden));
    if (m_.recurrent.layers > 0) put_recurrent_layers(rows_, m_, setup_.tp, tokens_, sequences_);
    put_sums();
    if (const double dense = m_.dense_layers(); dense > 0) put_mlp(dense);
    if (m_.moe_layers > 0) put_experts();
    rows_.put<LlmOp::final_norm>(1);
    rows_.put<LlmOp::lm_head>(1, product(logits_, m_.hidden, m_.vocab / setup_.tp));
  }

 private:
  [[nodiscard]] double on_each(double heads) const { return setup_.tp > 1 ? std::ceil(heads / setup_.tp) : heads; }
  /// Tokens go to their experts and come back. Where several machines share an expert, each has every token instead, and their results are
  /// summed as an MLP's.
  [[nodiscard]] bool exchanged() const { return setup_.ep > 1 && setup_.ep >= setup_.tp; }

  void set_shared_sizes() {
    LlmSizes& s = rows_.sizes;
    s.set<"T">(tokens_);
    s.set<"B">(sequences_);
    s.set<"S">(pass_.query);
    s.set<"H">(m_.hidden);
    s.set<"V">(m_.vocab / setup_.tp);
    s.set<"To">(logits_);
    s.set<"Pe">(m_.positions > 0 ? 1 : 0);
    s.set<"Nf">(m_.layer_norm ? layer_norm_flops : rms_norm_flops);
    s.set<"Nw">(m_.layer_norm ? 2 : 1);
    s.set<"h">(heads_);
    s.set<"Q">(m_.query_gate ? 2 * queries_ : queries_);
    s.set<"K">(keys_);
    s.set<"O">(outputs_);
    s.set<"bq">(m_.qkv_bias ? 1 : 0);
    s.set<"bo">(m_.o_bias ? 1 : 0);
    s.set<"bm">(m_.mlp_bias ? 1 : 0);
    s.set<"bh">(m_.head_bias ? 1 : 0);
    s.set<"G">(m_.gated ? 2 : 1);
    s.set<"Af">(m_.gated ? gated_act_flops : act_flops);
    s.set<"ba">(Formats::catalogue()[setup_.formats.activations].bytes());
  }

  /// Of multi-head latent attention.
  void put_latent_projections() {
    const double B = sequences_, S = pass_.query, C = pass_.context, T = tokens_, h = heads_, H = m_.hidden;
    const double R = m_.kv_rank, dr = m_.rope_dim, dn = m_.nope_dim, dv = m_.value_dim, ranks = m_.q_rank + R;
    LlmSizes& s = rows_.sizes;
    s.set<"Rq">(m_.q_rank);
    s.set<"R">(R);
    s.set<"dr">(dr);
    s.set<"dn">(dn);
    s.set<"dv">(dv);
    s.set<"Hr">(h + 1);
    s.set<"Qf">(rms_norm_flops);
    s.set<"Qn">(ranks);
    s.set<"Qw">(ranks);
    s.set<"Rm">((h + 1) * dr + ranks);
    s.set<"Kv">(R + dr);
    s.set<"X">(absorbed_ ? T : B * C);
    s.set<"Xi">(absorbed_ ? T * h * (dn + R) : B * S * R);
    s.set<"Xc">(absorbed_ ? 0 : B * (C - S) * R);
    s.set<"Xo">(absorbed_ ? T * h * (R + dv) : B * C * h * (dn + dv));
    if (m_.q_rank > 0) {
      rows_.put<LlmOp::q_a_proj>(attention_layers_, product(T, H, m_.q_rank));
      rows_.put<LlmOp::q_b_proj>(attention_layers_, product(T, m_.q_rank, queries_));
    } else {
      rows_.put<LlmOp::q_proj>(attention_layers_, product(T, H, queries_));
    }
    rows_.put<LlmOp::kv_a_proj>(attention_layers_, product(T, H, R + dr));
    rows_.put<LlmOp::rope>(attention_layers_);
    rows_.put<LlmOp::kv_write>(attention_layers_);
    rows_.put<LlmOp::kv_b_proj>(attention_layers_);
  }

  void put_projections() {
    LlmSizes& s = rows_.sizes;
    s.set<"Kv">(2 * keys_);
    rows_.put<LlmOp::q_proj>(attention_layers_, product(tokens_, m_.hidden, m_.query_gate ? 2 * queries_ : queries_));
    const double own = attention_layers_ - m_.shared_kv_layers;  // the others read keys and values of a layer before
    const OpSizes into_cache = product(tokens_, m_.hidden, keys_);
    rows_.put<LlmOp::k_proj>(own, into_cache);
    if (const double values = m_.keys_are_values ? m_.windowed_caches() : own; values > 0) rows_.put<LlmOp::v_proj>(values, into_cache);
    if (m_.rotary_dim > 0 || m_.qk_norm) {
      const double normed = (heads_ + kv_heads_) * m_.query_dim();
      s.set<"dr">(m_.rotary_dim);
      s.set<"Hr">(heads_ + kv_heads_);
      s.set<"Qf">(m_.qk_norm ? rms_norm_flops : 0);
      s.set<"Qn">(m_.qk_norm ? normed : 0);
      s.set<"Qw">(!m_.qk_norm ? 0 : m_.qk_norm_of_all_heads ? normed : 2 * m_.query_dim());
      s.set<"Rm">((heads_ + kv_heads_) * (m_.qk_norm ? m_.query_dim() : m_.rotary_dim));
      rows_.put<LlmOp::rope>(attention_layers_);
    }
    rows_.put<LlmOp::kv_write>(own);
  }

  /// What the scores are products over, how many key-value heads are read, and what a key and its value take together.
  void set_attention_sizes() {
    score_dim_ = absorbed_ ? m_.kv_rank + m_.rope_dim : m_.query_dim();
    const double output_dim = absorbed_ ? m_.kv_rank : m_.output_dim();
    LlmSizes& s = rows_.sizes;
    s.set<"d">(score_dim_);
    s.set<"dv">(output_dim);
    s.set<"dkv">(absorbed_ ? score_dim_ : score_dim_ + output_dim);
    s.set<"g">(!m_.mla() ? kv_heads_ : absorbed_ ? 1 : heads_);
  }

  /// `window`: keys that a query sees; 0: all.
  void put_attention(double count, double window, bool windowed) {
    const double S = pass_.query, C = pass_.context;
    LlmSizes& s = rows_.sizes;
    const bool other_heads = windowed && !m_.mla();
    if (other_heads) {
      s.set<"d">(windowed_dim_);
      s.set<"dv">(windowed_dim_);
      s.set<"dkv">(2 * windowed_dim_);
      s.set<"g">(windowed_kv_heads_);
    }
    const OpSizes kept = {S, C, other_heads ? windowed_dim_ : score_dim_, sequences_, heads_, window};
    const double read_once = chosen_ > 0 ? std::min(C, S * chosen_) : keys_read(S, C, window, m_.chunked);
    s.set<"P">(attention_pairs(S, C, setup_.causal, window, m_.chunked));
    s.set<"Kr">(read_once);
    if (setup_.attention == AttentionTraffic::unfused) {
      put_expanded<LlmOp::qk>(count, kept, windowed);
      rows_.put<LlmOp::softmax>(count, kept, windowed);
      put_expanded<LlmOp::pv>(count, kept, windowed);
      return;
    }
    if (setup_.attention == AttentionTraffic::flash && chosen_ > 0) {
      s.set<"Kr">(S * chosen_);
    } else if (setup_.attention == AttentionTraffic::flash && S > tile_rows_) {
      // Each tile of query rows reads the keys up to its last row; a window's tile no more than the window and itself.
      const double tiles = std::ceil(S / tile_rows_), before = C - S;
      double read = setup_.causal ? tiles * before + tile_rows_ * tiles * (tiles - 1) / 2 + S : tiles * C;
      if (window > 0) read = std::min(read, tiles * (window + tile_rows_ - 1));
      s.set<"Kr">(std::max(read, read_once));
    }
    put_expanded<LlmOp::attention>(count, kept, windowed);
  }

  /// Latent keys and values that are not absorbed are activations: kv_b_proj has just expanded them.
  template <LlmOp op>
  void put_expanded(double count, const OpSizes& kept, bool windowed) {
    rows_.put<op>(count, kept, windowed);
    if (m_.mla() && !absorbed_) rows_.read_as_activations();
  }

  /// The all-reduces, and what is added to the residual stream.
  void put_sums() {
    const double mixers = attention_layers_ + m_.recurrent.layers, dense = m_.dense_layers(), moe = m_.moe_layers;
    if (setup_.tp > 1) {
      // After attention and after the MLP; in a parallel block both sums go together.
      rows_.sizes.set<"n">(setup_.tp);
      rows_.put<LlmOp::all_reduce>(mixers + (m_.parallel ? 0 : dense + (exchanged() ? 0 : moe)));
    }
    rows_.put<LlmOp::residual>(mixers + dense + moe);
    if (m_.norms > 1) rows_.put<LlmOp::post_norm>(m_.layers * (m_.norms - 1));
  }

  void put_mlp(double layers) {
    const double width = m_.intermediate / setup_.tp;
    rows_.sizes.set<"I">(width);
    if (m_.gated) rows_.put<LlmOp::gate_proj>(layers, product(tokens_, m_.hidden, width));
    rows_.put<LlmOp::up_proj>(layers, product(tokens_, m_.hidden, width));
    rows_.put<LlmOp::act_mul>(layers);
    rows_.put<LlmOp::down_proj>(layers, product(tokens_, width, m_.hidden));
  }

  void put_experts() {
    const double ep = setup_.ep, machines = setup_.machines(), tokens = pass_.batch * pass_.query;  // of the whole deployment
    LlmSizes& s = rows_.sizes;
    s.set<"E">(m_.experts);
    s.set<"br">(m_.expert_bias || m_.router_correction ? 1 : 0);
    s.set<"k">(m_.top_k);
    s.set<"Ts">(tokens * m_.top_k / ep);
    s.set<"Ie">(m_.expert_intermediate / (machines / ep));
    s.set<"Ea">(distinct_experts(m_.experts, m_.top_k, tokens) / ep);
    s.set<"be">(expert_bias_elements(setup_));
    rows_.put<LlmOp::router>(m_.moe_layers, product(tokens_, m_.hidden, m_.experts));
    rows_.put<LlmOp::experts>(m_.moe_layers);
    if (m_.shared_intermediate > 0) {
      s.set<"Is">(m_.shared_intermediate / setup_.tp);
      s.set<"gs">(m_.shared_gate ? 1 : 0);
      rows_.put<LlmOp::shared_experts>(m_.moe_layers);
    }
    if (!exchanged()) return;
    s.set<"n">(ep);
    s.set<"Tm">(tokens / machines);
    rows_.put<LlmOp::all_to_all>(m_.moe_layers);
  }

  const LlmSetup& setup_;
  const LlmPass& pass_;
  const Model& m_;
  double tile_rows_;
  RowWriter rows_;
  double sequences_ = setup_.sequences_of_replica(pass_.batch), tokens_ = sequences_ * pass_.query;
  double logits_ = pass_.decode || !setup_.last_token ? tokens_ : sequences_;
  double heads_ = on_each(m_.heads), kv_heads_ = on_each(m_.kv_heads), windowed_kv_heads_ = on_each(m_.kv_heads_of(true));
  double windowed_dim_ = m_.mla() ? m_.query_dim() : m_.head_dim_of(true), score_dim_ = 0;
  /// Elements of a token, the mean over the layers with attention.
  double queries_ = heads_ * m_.mean_of(m_.query_dim(), windowed_dim_),
         keys_ = m_.mean_of(kv_heads_ * m_.query_dim(), windowed_kv_heads_* windowed_dim_),
         outputs_ = m_.mla() ? heads_ * m_.output_dim() : queries_;
  double attention_layers_ = m_.attention_layers();
  double chosen_ = m_.index_layers > 0 && pass_.context > m_.index_top_k ? m_.index_top_k : 0;  ///< keys of sparse attention; 0: all
  /// Each query has its own keys in sparse attention, so that they are not expanded.
  bool absorbed_ = m_.mla() && (setup_.mla == MlaForm::absorbed || (setup_.mla == MlaForm::automatic && (pass_.decode || chosen_ > 0)));
};

}  // namespace

void lay_out(const LlmSetup& setup, const LlmPass& pass, double tile_rows, LlmRows& out, SizesOfRow* traced) {
  out.size = 0;
  PassWriter(setup, pass, tile_rows, out, traced).put();
}

double expert_bias_elements(const LlmSetup& setup) {
  if (!setup.model.expert_bias) return 0;
  const WeightFormats& weights = setup.formats.weights;
  return weights.bytes(WeightPart::norms) / weights.bytes(WeightPart::experts);
}

double layer_share(const LlmSetup& setup) {
  LlmRows rows;
  lay_out(setup, {}, 1, rows);
  double occurrences = 0;
  for (std::size_t i = 0; i < rows.size; ++i) occurrences += rows.count[i];
  return setup.model.layers / occurrences;
}

std::vector<Channel> link_channels(const LlmSetup& setup, const Machine& machine) {
  std::vector<Channel> out;
  if (machine.links.empty()) return out;
  out.push_back({machine.links[0].name, true, {}});
  if (link_shares(setup.machines(), machine).scale_out > 0) out.push_back({std::string(scale_out_name), true, {}});
  return out;
}

LinkShares link_shares(const LlmSetup& setup, LlmOp op, const Machine& machine) {
  return link_shares(op == LlmOp::all_to_all ? setup.ep : setup.tp, machine);
}

double prompt_tokens(const LlmSetup& setup, const LlmPass& pass) {
  return pass.decode || setup.draft ? 0 : setup.sequences_of_replica(pass.batch) * pass.query;
}

}  // namespace roofline
