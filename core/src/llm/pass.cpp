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

// Everything is per machine: TP divides heads, MLP widths and the vocabulary, EP the experts; a head that does not divide stays whole.
void lay_out(const LlmSetup& setup, const LlmPass& pass, double tile_rows, LlmRows& out, SizesOfRow* traced) {
  const Model& m = setup.model;
  const double tp = setup.tp, ep = setup.ep, n = setup.machines();
  const double B = setup.sequences_of_replica(pass.batch);
  const double S = pass.query, C = pass.context, T = B * S, H = m.hidden, L = m.layers;
  const double h = tp > 1 ? std::ceil(m.heads / tp) : m.heads, g = tp > 1 ? std::ceil(m.kv_heads / tp) : m.kv_heads;
  const double windowed_g = tp > 1 ? std::ceil(m.kv_heads_of(true) / tp) : m.kv_heads_of(true),
               windowed_d = m.mla() ? m.query_dim() : m.head_dim_of(true);
  const double d = m.query_dim();
  // Of a token, the mean over the layers with attention.
  const double Q = h * m.mean_of(d, windowed_d), K = m.mean_of(g * d, windowed_g * windowed_d), O = m.mla() ? h * m.output_dim() : Q;
  const double logits = pass.decode || !setup.last_token ? T : B, vocabulary = m.vocab / tp;
  const double A = m.attention_layers(), chosen = m.index_layers > 0 && C > m.index_top_k ? m.index_top_k : 0;  // keys; 0: all
  // Each query has its own keys in sparse attention, so that they are not expanded.
  const bool absorbed = m.mla() && (setup.mla == MlaForm::absorbed || (setup.mla == MlaForm::automatic && (pass.decode || chosen > 0)));
  const auto product = [](double rows, double in, double columns) { return OpSizes{rows, columns, in, 1}; };

  out.size = 0;
  RowWriter rows(out, traced);
  LlmSizes& s = rows.sizes;
  s.set<"T">(T);
  s.set<"B">(B);
  s.set<"S">(S);
  s.set<"H">(H);
  s.set<"V">(vocabulary);
  s.set<"To">(logits);
  s.set<"Pe">(m.positions > 0 ? 1 : 0);
  s.set<"Nf">(m.layer_norm ? layer_norm_flops : rms_norm_flops);
  s.set<"Nw">(m.layer_norm ? 2 : 1);
  s.set<"h">(h);
  s.set<"Q">(m.query_gate ? 2 * Q : Q);
  s.set<"K">(K);
  s.set<"O">(O);
  s.set<"bq">(m.qkv_bias ? 1 : 0);
  s.set<"bo">(m.o_bias ? 1 : 0);
  s.set<"bm">(m.mlp_bias ? 1 : 0);
  s.set<"bh">(m.head_bias ? 1 : 0);
  s.set<"G">(m.gated ? 2 : 1);
  s.set<"Af">(m.gated ? gated_act_flops : act_flops);

  rows.put<LlmOp::embed>(1);
  rows.put<LlmOp::input_norm>(L);

  if (m.mla()) {
    const double R = m.kv_rank, dr = m.rope_dim, dn = m.nope_dim, dv = m.value_dim, ranks = m.q_rank + R;
    s.set<"Rq">(m.q_rank);
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
    s.set<"X">(absorbed ? T : B * C);
    s.set<"Xi">(absorbed ? T * h * (dn + R) : B * S * R);
    s.set<"Xc">(absorbed ? 0 : B * (C - S) * R);
    s.set<"Xo">(absorbed ? T * h * (R + dv) : B * C * h * (dn + dv));
    if (m.q_rank > 0) {
      rows.put<LlmOp::q_a_proj>(A, product(T, H, m.q_rank));
      rows.put<LlmOp::q_b_proj>(A, product(T, m.q_rank, Q));
    } else {
      rows.put<LlmOp::q_proj>(A, product(T, H, Q));
    }
    rows.put<LlmOp::kv_a_proj>(A, product(T, H, R + dr));
    rows.put<LlmOp::rope>(A);
    rows.put<LlmOp::kv_write>(A);
    rows.put<LlmOp::kv_b_proj>(A);
  } else {
    s.set<"Kv">(2 * K);
    rows.put<LlmOp::q_proj>(A, product(T, H, m.query_gate ? 2 * Q : Q));
    const double own = A - m.shared_kv_layers;  // the others read keys and values of a layer before
    rows.put<LlmOp::k_proj>(own, product(T, H, K));
    if (const double values = m.keys_are_values ? m.windowed_caches() : own; values > 0) rows.put<LlmOp::v_proj>(values, product(T, H, K));
    if (m.rotary_dim > 0 || m.qk_norm) {
      s.set<"dr">(m.rotary_dim);
      s.set<"Hr">(h + g);
      s.set<"Qf">(m.qk_norm ? rms_norm_flops : 0);
      s.set<"Qn">(m.qk_norm ? (h + g) * d : 0);
      s.set<"Qw">(!m.qk_norm ? 0 : m.qk_norm_of_all_heads ? (h + g) * d : 2 * d);
      s.set<"Rm">((h + g) * (m.qk_norm ? d : m.rotary_dim));
      rows.put<LlmOp::rope>(A);
    }
    rows.put<LlmOp::kv_write>(own);
  }
  if (m.index_layers > 0) put_indexer(rows, setup, pass, B);

  // Attention. What the scores are products over, how many key-value heads are read, and what a key and its value take together.
  const double dq = absorbed ? m.kv_rank + m.rope_dim : d, dp = absorbed ? m.kv_rank : m.output_dim();
  s.set<"d">(dq);
  s.set<"dv">(dp);
  s.set<"dkv">(absorbed ? dq : dq + dp);
  s.set<"g">(!m.mla() ? g : absorbed ? 1 : h);
  const bool expanded = m.mla() && !absorbed;
  const auto attention = [&](double count, double window, bool windowed) {
    if (windowed && !m.mla()) {
      s.set<"d">(windowed_d);
      s.set<"dv">(windowed_d);
      s.set<"dkv">(2 * windowed_d);
      s.set<"g">(windowed_g);
    }
    const OpSizes kept = {S, C, windowed && !m.mla() ? windowed_d : dq, B, h, window};
    const double read_once = chosen > 0 ? std::min(C, S * chosen) : keys_read(S, C, window, m.chunked);
    s.set<"P">(attention_pairs(S, C, setup.causal, window, m.chunked));
    s.set<"Kr">(read_once);
    if (setup.attention == AttentionTraffic::unfused) {
      rows.put<LlmOp::qk>(count, kept, windowed);
      if (expanded) rows.read_as_activations();
      rows.put<LlmOp::softmax>(count, kept, windowed);
      rows.put<LlmOp::pv>(count, kept, windowed);
      if (expanded) rows.read_as_activations();
      return;
    }
    if (setup.attention == AttentionTraffic::flash && chosen > 0) {
      s.set<"Kr">(S * chosen);
    } else if (setup.attention == AttentionTraffic::flash && S > tile_rows) {
      // Each tile of query rows reads the keys up to its last row; a window's tile no more than the window and itself.
      const double tiles = std::ceil(S / tile_rows), before = C - S;
      double read = setup.causal ? tiles * before + tile_rows * tiles * (tiles - 1) / 2 + S : tiles * C;
      if (window > 0) read = std::min(read, tiles * (window + tile_rows - 1));
      s.set<"Kr">(std::max(read, read_once));
    }
    rows.put<LlmOp::attention>(count, kept, windowed);
    if (expanded) rows.read_as_activations();
  };
  if (const double full = m.full_layers(); full > 0) attention(full, chosen, false);
  if (m.windowed_layers > 0) attention(m.windowed_layers, m.window, true);
  if (m.query_gate) rows.put<LlmOp::attention_gate>(A);
  rows.put<LlmOp::o_proj>(A, product(T, O, H));
  if (m.recurrent.layers > 0) put_recurrent_layers(rows, m, tp, T, B);

  s.set<"ba">(Formats::catalogue()[setup.formats.activations].bytes());
  // Where several machines share an expert, each has every token, and their results are summed as an MLP's; otherwise tokens go to their
  // experts and come back.
  const bool exchanged = ep > 1 && ep >= tp;
  if (tp > 1) {
    // After attention and after the MLP; in a parallel block both sums go together.
    s.set<"n">(tp);
    rows.put<LlmOp::all_reduce>(A + m.recurrent.layers + (m.parallel ? 0 : m.dense_layers() + (exchanged ? 0 : m.moe_layers)));
  }
  rows.put<LlmOp::residual>(A + m.recurrent.layers + m.dense_layers() + m.moe_layers);
  if (m.norms > 1) rows.put<LlmOp::post_norm>(L * (m.norms - 1));

  if (const double dense = m.dense_layers(); dense > 0) {
    const double I = m.intermediate / tp;
    s.set<"I">(I);
    if (m.gated) rows.put<LlmOp::gate_proj>(dense, product(T, H, I));
    rows.put<LlmOp::up_proj>(dense, product(T, H, I));
    rows.put<LlmOp::act_mul>(dense);
    rows.put<LlmOp::down_proj>(dense, product(T, I, H));
  }
  if (m.moe_layers > 0) {
    const double tokens = pass.batch * S;  // of the whole deployment
    s.set<"E">(m.experts);
    s.set<"br">(m.expert_bias || m.router_correction ? 1 : 0);
    s.set<"k">(m.top_k);
    s.set<"Ts">(tokens * m.top_k / ep);
    s.set<"Ie">(m.expert_intermediate / (n / ep));
    s.set<"Ea">(distinct_experts(m.experts, m.top_k, tokens) / ep);
    s.set<"be">(expert_bias_elements(setup));
    rows.put<LlmOp::router>(m.moe_layers, product(T, H, m.experts));
    rows.put<LlmOp::experts>(m.moe_layers);
    if (m.shared_intermediate > 0) {
      s.set<"Is">(m.shared_intermediate / tp);
      s.set<"gs">(m.shared_gate ? 1 : 0);
      rows.put<LlmOp::shared_experts>(m.moe_layers);
    }
    if (exchanged) {
      s.set<"n">(ep);
      s.set<"Tm">(tokens / n);
      rows.put<LlmOp::all_to_all>(m.moe_layers);
    }
  }
  rows.put<LlmOp::final_norm>(1);
  rows.put<LlmOp::lm_head>(1, product(logits, H, vocabulary));
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
