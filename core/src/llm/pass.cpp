// The operators of one pass and the work of each. docs/guide/llm.md has each formula with its source; info() has them as text, and a test
// holds the two together.
#include "llm/pass.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/llm/llm.hpp>

namespace roofline {
namespace {

// FLOPs per element of what is no matrix product.
constexpr double rms_norm_flops = 4, layer_norm_flops = 7, softmax_flops = 5, rope_flops = 3, gated_act_flops = 5, act_flops = 4;

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
    if (query == 1) return context - std::floor((context - 1) / window) * window;
    return chunked_pairs(context, window) - chunked_pairs(before, window);
  }
  if (!causal) return query * (window > 0 ? std::min(context, window) : context);
  if (window == 0 || context <= window) return query * context - query * (query - 1) / 2;
  const double growing = std::clamp(window - before, 0.0, query);  // queries that see fewer keys than the window holds
  return growing * before + growing * (growing + 1) / 2 + (query - growing) * window;
}

// Everything is per machine: TP divides heads, MLP widths and the vocabulary, EP the experts; a head that does not divide stays whole.
void lay_out(const LlmSetup& setup, const LlmPass& pass, double tile_rows, LlmRows& out) {
  const Model& m = setup.model;
  const double tp = setup.tp, ep = setup.ep, n = setup.machines();
  const double replicas = n / tp, expert_tp = n / ep;
  const double B = replicas > 1 ? std::ceil(pass.batch / replicas) : pass.batch;
  const double S = pass.query, C = pass.context, T = B * S, H = m.hidden, L = m.layers;
  const double h = tp > 1 ? std::ceil(m.heads / tp) : m.heads, g = tp > 1 ? std::ceil(m.kv_heads / tp) : m.kv_heads;
  const double d = m.query_dim(), dv = m.output_dim();
  const bool absorbed = m.mla() && (setup.mla == MlaForm::absorbed || (setup.mla == MlaForm::automatic && pass.decode));
  const double norm_flops = m.layer_norm ? layer_norm_flops : rms_norm_flops, norm_weights = m.layer_norm ? 2 : 1;

  std::size_t i = 0;  // of the next row
  const auto put = [&](LlmOp op, double count, double matrix, double vector, double weight, double activation, double output) {
    out.op_class[i] = static_cast<std::uint32_t>(op);
    out.windowed[i] = false;
    out.sizes[i] = {};
    out.count[i] = count;
    out.matrix_flops[i] = count * matrix;
    out.vector_flops[i] = count * vector;
    out.weight[i] = count * weight;
    out.activation[i] = count * activation;
    out.output[i] = count * output;
    out.kv_read[i] = 0;
    out.kv_write[i] = 0;
    out.link_bytes[i] = 0;
    ++i;
  };
  /// A product of a (tokens x in) and a (in x out) matrix with an optional bias.
  const auto product = [&](LlmOp op, double count, double tokens, double in, double outs, bool bias) {
    put(op, count, 2 * tokens * in * outs, 0, in * outs + (bias ? outs : 0), tokens * in, tokens * outs);
    out.sizes[i - 1] = {tokens, outs, in, 1};
  };
  const auto norm = [&](LlmOp op, double count) { put(op, count, 0, norm_flops * T * H, norm_weights * H, T * H, T * H); };

  put(LlmOp::embed, 1, 0, m.positions > 0 ? T * H : 0, m.positions > 0 ? 2 * T * H : T * H, 0, T * H);
  norm(LlmOp::input_norm, L);

  if (m.mla()) {
    if (m.q_rank > 0) {
      product(LlmOp::q_a_proj, L, T, H, m.q_rank, false);
      product(LlmOp::q_b_proj, L, T, m.q_rank, h * d, false);
    } else {
      product(LlmOp::q_proj, L, T, H, h * d, false);
    }
    const double R = m.kv_rank, dr = m.rope_dim, dn = m.nope_dim, ranks = m.q_rank + R;
    product(LlmOp::kv_a_proj, L, T, H, R + dr, false);
    put(LlmOp::rope, L, 0, rope_flops * T * (h + 1) * dr + rms_norm_flops * T * ranks, ranks, T * ((h + 1) * dr + ranks),
        T * ((h + 1) * dr + ranks));
    put(LlmOp::kv_write, L, 0, 0, 0, T * (R + dr), 0);
    out.kv_write[i - 1] = L * T * (R + dr);
    const double weights = R * h * (dn + dv);
    if (absorbed) {
      put(LlmOp::kv_b_proj, L, 2 * T * weights, 0, weights, T * h * (dn + R), T * h * (R + dv));
    } else {
      put(LlmOp::kv_b_proj, L, 2 * B * C * weights, 0, weights, B * S * R, B * C * h * (dn + dv));
      out.kv_read[i - 1] = L * B * (C - S) * R;
    }
  } else {
    product(LlmOp::q_proj, L, T, H, h * d, m.qkv_bias);
    product(LlmOp::k_proj, L, T, H, g * d, m.qkv_bias);
    product(LlmOp::v_proj, L, T, H, g * d, m.qkv_bias);
    if (m.rotary_dim > 0 || m.qk_norm) {
      const double width = m.qk_norm ? d : m.rotary_dim;
      put(LlmOp::rope, L, 0, T * (h + g) * (rope_flops * m.rotary_dim + (m.qk_norm ? rms_norm_flops * d : 0)), m.qk_norm ? 2 * d : 0,
          T * (h + g) * width, T * (h + g) * width);
    }
    put(LlmOp::kv_write, L, 0, 0, 0, 2 * T * g * d, 0);
    out.kv_write[i - 1] = L * 2 * T * g * d;
  }

  // Attention. What the scores are products over, how many key-value heads are read, and what a key and its value take together.
  const double dq = absorbed ? m.kv_rank + m.rope_dim : d, dp = absorbed ? m.kv_rank : dv;
  const double read_heads = !m.mla() ? g : absorbed ? 1 : h, both = absorbed ? dq : dq + dp;
  const bool from_cache = !m.mla() || absorbed;  // expanded keys and values are activations
  const auto read_keys = [&](double elements) { (from_cache ? out.kv_read[i - 1] : out.activation[i - 1]) += elements; };
  const auto attention = [&](double count, double window, bool windowed) {
    const auto part = [&](LlmOp op, double matrix, double vector, double activation, double output) {
      put(op, count, matrix, vector, 0, activation, output);
      out.windowed[i - 1] = windowed;
      out.sizes[i - 1] = {S, C, dq, B, h, window};
    };
    const double P = attention_pairs(S, C, setup.causal, window, m.chunked), K = keys_read(S, C, window, m.chunked);
    const double scores = B * h * P, queries = T * h * dq, outputs = T * h * dp;
    if (setup.attention == AttentionTraffic::unfused) {
      part(LlmOp::qk, 2 * scores * dq, 0, queries, scores);
      read_keys(count * B * K * read_heads * dq);
      part(LlmOp::softmax, 0, softmax_flops * scores, scores, scores);
      part(LlmOp::pv, 2 * scores * dp, 0, scores, outputs);
      read_keys(count * B * K * read_heads * dp);
      return;
    }
    double read = K;
    if (setup.attention == AttentionTraffic::flash && S > tile_rows) {
      // Each tile of query rows reads the keys up to its last row; a window's tile no more than the window and itself.
      const double tiles = std::ceil(S / tile_rows), before = C - S;
      read = setup.causal ? tiles * before + tile_rows * tiles * (tiles - 1) / 2 + S : tiles * C;
      if (window > 0) read = std::min(read, tiles * (window + tile_rows - 1));
      read = std::max(read, K);
    }
    part(LlmOp::attention, 2 * scores * (dq + dp), softmax_flops * scores, queries, outputs);
    read_keys(count * B * read * read_heads * both);
  };
  if (const double full = L - m.windowed_layers; full > 0) attention(full, 0, false);
  if (m.windowed_layers > 0) attention(m.windowed_layers, m.window, true);
  product(LlmOp::o_proj, L, T, h * dv, H, m.o_bias);

  const double a = Formats::catalogue()[setup.formats.activations].bytes();
  if (tp > 1) {
    // After attention and after the MLP; routed tokens come back by the all-to-all instead; in a parallel block both sums go together.
    const double count = L + (m.parallel ? 0 : m.dense_layers() + (ep > 1 ? 0 : m.moe_layers));
    put(LlmOp::all_reduce, count, 0, 0, 0, T * H, T * H);
    out.link_bytes[i - 1] = count * (2 * (tp - 1) / tp) * (T * H * a);
  }
  put(LlmOp::residual, 2 * L, 0, T * H, 0, 2 * T * H, T * H);
  if (m.norms > 1) norm(LlmOp::post_norm, L * (m.norms - 1));

  const double ins = m.gated ? 2 : 1, act = m.gated ? gated_act_flops : act_flops;
  if (const double dense = m.dense_layers(); dense > 0) {
    const double I = m.intermediate / tp;
    if (m.gated) product(LlmOp::gate_proj, dense, T, H, I, m.mlp_bias);
    product(LlmOp::up_proj, dense, T, H, I, m.mlp_bias);
    put(LlmOp::act_mul, dense, 0, act * T * I, 0, ins * T * I, T * I);
    product(LlmOp::down_proj, dense, T, I, H, m.mlp_bias);
  }
  if (m.moe_layers > 0) {
    const double tokens = pass.batch * S;  // of the whole deployment
    product(LlmOp::router, m.moe_layers, T, H, m.experts, m.expert_bias || m.router_correction);
    const double slots = tokens * m.top_k / ep, width = m.expert_intermediate / expert_tp;
    const double each = (ins + 1) * H * width + expert_bias_elements(setup) * (ins * width + H);
    // Gate and up as one product, the activation, the way down, and the weighted sum of the k results.
    put(LlmOp::experts, m.moe_layers, 2 * slots * (ins + 1) * H * width, act * slots * width + 2 * slots * H,
        distinct_experts(m.experts, m.top_k, tokens) / ep * each, slots * (2 * H + (ins + 1) * width),
        slots * (H + (ins + 1) * width) + T * H);
    if (m.shared_intermediate > 0) {
      const double I = m.shared_intermediate / tp;
      put(LlmOp::shared_experts, m.moe_layers, 2 * T * (ins + 1) * H * I, act * T * I, (ins + 1) * H * I + (m.shared_gate ? H : 0),
          T * (H + (ins + 1) * I), T * (H + (ins + 1) * I));
    }
    if (ep > 1) {
      // To the experts and back: each machine sends its share of the tokens k times, all but the part that stays.
      const double sent = 2 * m.top_k * (tokens / n) * H;
      put(LlmOp::all_to_all, m.moe_layers, 0, 0, 0, sent, sent);
      out.link_bytes[i - 1] = m.moe_layers * ((ep - 1) / ep) * (sent * a);
    }
  }
  norm(LlmOp::final_norm, 1);
  product(LlmOp::lm_head, 1, pass.decode || !setup.last_token ? T : B, H, m.vocab / tp, m.head_bias);
  out.size = i;
}

double expert_bias_elements(const LlmSetup& setup) {
  if (!setup.model.expert_bias) return 0;
  const Formats& formats = Formats::catalogue();
  return formats[setup.formats.weights].bytes() / formats[setup.formats.experts].bytes();
}

double layer_share(const LlmSetup& setup) {
  LlmRows rows;
  lay_out(setup, {}, 1, rows);
  double occurrences = 0;
  for (std::size_t i = 0; i < rows.size; ++i) occurrences += rows.count[i];
  return setup.model.layers / occurrences;
}

double prompt_tokens(const LlmSetup& setup, const LlmPass& pass) {
  return pass.decode || setup.draft ? 0 : std::ceil(pass.batch / (setup.machines() / setup.tp)) * pass.query;
}

}  // namespace roofline
