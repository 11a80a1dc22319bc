// The operators of one pass. docs/llm.md has each formula with its source; info() has them as text, and a test holds the two together.
#include <algorithm>
#include <cmath>
#include <roofline/llm/llm.hpp>

namespace roofline {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

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

const LlmOpInfo& info(LlmOp op) {
  static constexpr LlmOpInfo infos[llm_op_count] = {
      {"embed", "embedding", Symbol::diamond, "Pe * T * H", "(2 + Pe) * T * H"},
      {"input_norm", "normalisation", Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"q_proj", "projection", Symbol::circle, "2 * T * H * Q", "T * H + H * Q + bq * Q + T * Q"},
      {"k_proj", "projection", Symbol::circle, "2 * T * H * K", "T * H + H * K + bq * K + T * K"},
      {"v_proj", "projection", Symbol::circle, "2 * T * H * K", "T * H + H * K + bq * K + T * K"},
      {"q_a_proj", "projection", Symbol::circle, "2 * T * H * Rq", "T * H + H * Rq + T * Rq"},
      {"q_b_proj", "projection", Symbol::circle, "2 * T * Rq * Q", "T * Rq + Rq * Q + T * Q"},
      {"kv_a_proj", "projection", Symbol::circle, "2 * T * H * (R + dr)", "T * H + H * (R + dr) + T * (R + dr)"},
      {"kv_b_proj", "projection", Symbol::circle, "2 * X * R * h * (dn + dv)", "R * h * (dn + dv) + Xi + Xo"},
      {"rope", "element-wise", Symbol::triangle, "3 * T * Hr * dr + Qf * T * Qn", "2 * T * Rm + Qw"},
      {"kv_write", "cache", Symbol::diamond, "", "2 * T * Kv"},
      {"qk", "attention", Symbol::circle, "2 * B * h * P * d", "B * S * h * d + B * Kr * g * d + B * h * P"},
      {"softmax", "attention", Symbol::triangle, "5 * B * h * P", "2 * B * h * P"},
      {"pv", "attention", Symbol::circle, "2 * B * h * P * dv", "B * h * P + B * Kr * g * dv + B * S * h * dv"},
      {"attention", "attention", Symbol::circle, "2 * B * h * P * (d + dv) + 5 * B * h * P", "B * S * h * (d + dv) + B * Kr * g * dkv"},
      {"o_proj", "projection", Symbol::circle, "2 * T * O * H", "T * O + O * H + bo * H + T * H"},
      {"residual", "element-wise", Symbol::triangle, "T * H", "3 * T * H"},
      {"post_norm", "normalisation", Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"gate_proj", "mlp", Symbol::circle, "2 * T * H * I", "T * H + H * I + bm * I + T * I"},
      {"up_proj", "mlp", Symbol::circle, "2 * T * H * I", "T * H + H * I + bm * I + T * I"},
      {"act_mul", "mlp", Symbol::triangle, "Af * T * I", "(G + 1) * T * I"},
      {"down_proj", "mlp", Symbol::circle, "2 * T * I * H", "T * I + I * H + bm * H + T * H"},
      {"router", "moe", Symbol::circle, "2 * T * H * E", "T * H + H * E + br * E + T * E"},
      {"experts", "moe", Symbol::circle, "2 * Ts * (G + 1) * H * Ie + Af * Ts * Ie + 2 * Ts * H",
       "Ea * ((G + 1) * H * Ie + be * (G * Ie + H)) + Ts * (3 * H + (2 * G + 2) * Ie) + T * H"},
      {"shared_experts", "moe", Symbol::circle, "2 * T * (G + 1) * H * Is + Af * T * Is",
       "(G + 1) * H * Is + gs * H + T * (2 * H + (2 * G + 2) * Is)"},
      {"final_norm", "normalisation", Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"lm_head", "embedding", Symbol::circle, "2 * To * H * V", "To * H + H * V + bh * V + To * V"},
      {"all_reduce", "communication", Symbol::x, "", "2 * T * H"},
      {"all_to_all", "communication", Symbol::x, "", "4 * k * Tm * H"},
  };
  return infos[static_cast<std::size_t>(op)];
}

OpClass LlmPlan::kind(LlmOp op) const {
  const LlmFormats& f = setup_.formats;
  const LlmOpInfo& known = info(op);
  OpClass kind;
  kind.type = known.id;
  kind.category = known.category;
  kind.symbol = known.symbol;
  kind.activation = kind.output = f.activations;
  switch (op) {
    case LlmOp::embed:
      kind.activation = no_format;
      kind.weight = f.weights;
      break;
    case LlmOp::experts:
      kind.weight = f.experts;
      break;
    case LlmOp::rope:
      if (setup_.model.qk_norm || setup_.model.mla()) kind.weight = f.weights;
      break;
    case LlmOp::residual:
    case LlmOp::act_mul:
    case LlmOp::softmax:
    case LlmOp::all_reduce:
    case LlmOp::all_to_all:
      break;
    case LlmOp::kv_write:
      kind.output = no_format;
      kind.kv = f.kv;
      break;
    case LlmOp::qk:
    case LlmOp::pv:
    case LlmOp::attention:
      kind.kv = f.kv;
      break;
    default:
      kind.weight = f.weights;
  }
  kind.matrix_work = kind.symbol == Symbol::circle;
  kind.vector_work = kind.symbol == Symbol::triangle || op == LlmOp::attention || op == LlmOp::experts || op == LlmOp::shared_experts;
  return kind;
}

LlmPlan::LlmPlan(const LlmSetup& setup, const Scenario& scenario) : setup_(setup), scenario_(scenario) {
  Workload kinds;
  for (std::size_t op = 0; op < llm_op_count; ++op) kinds.classes.push_back(kind(static_cast<LlmOp>(op)));
  Scenario today = scenario;
  today.whatif = {};
  const Plan plan(kinds, today);
  for (std::size_t op = 0; op < llm_op_count; ++op) rates_[op] = plan.rates(op);

  const auto known = [](double rate) { return rate > 0 ? rate : unlimited; };
  const Machine& machine = scenario.machine;
  const Memory device = machine.memories.empty() ? Memory{} : machine.memories[0];
  total_rate_ = device.split() ? unlimited : known(device.bandwidth.value);
  read_rate_ = device.split() ? known(device.read_bandwidth.value) : unlimited;
  write_rate_ = device.split() ? known(device.write_bandwidth.value) : unlimited;
  link_rate_ = machine.links.empty() ? unlimited : known(machine.links[0].bandwidth.value);
  const auto inverse = [](const Figure& fraction) { return fraction.known() ? 1 / fraction.value : 1.0; };
  typical_compute_ = inverse(machine.achievable_compute);
  typical_memory_ = inverse(machine.achievable_bandwidth);
  launch_s_ = machine.launch_s.known() ? machine.launch_s.value : 0;

  // FlashAttention: tiles of Q, O, K and V share the on-chip memory. The innermost memory whose capacity is known, else the usual kernel's.
  const Model& m = setup.model;
  for (std::size_t i = machine.memories.size(); i-- > 1;) {
    const double capacity = machine.memories[i].capacity.value;
    if (!(capacity > 0)) continue;
    const double row = 2 * (m.query_dim() + m.output_dim()) * rates(LlmOp::attention).activation;
    tile_rows_ = std::max(1.0, std::floor(capacity / row));
    break;
  }
}

// Everything is per machine: TP divides heads, MLP widths and the vocabulary, EP the experts; a head that does not divide stays whole.
void LlmPlan::fill(const LlmPass& pass, LlmRows& out) const {
  const Model& m = setup_.model;
  const double tp = setup_.tp, ep = setup_.ep, n = setup_.machines();
  const double replicas = n / tp, expert_tp = n / ep;
  const double B = replicas > 1 ? std::ceil(pass.batch / replicas) : pass.batch;
  const double S = pass.query, C = pass.context, T = B * S, H = m.hidden, L = m.layers;
  const double h = tp > 1 ? std::ceil(m.heads / tp) : m.heads, g = tp > 1 ? std::ceil(m.kv_heads / tp) : m.kv_heads;
  const double d = m.query_dim(), dv = m.output_dim();
  const bool absorbed = m.mla() && (setup_.mla == MlaForm::absorbed || (setup_.mla == MlaForm::automatic && pass.decode));
  const double norm_flops = m.layer_norm ? layer_norm_flops : rms_norm_flops, norm_weights = m.layer_norm ? 2 : 1;

  LlmRow* row = out.row.data();
  const auto put = [&](LlmOp op, double count, double matrix, double vector, double weight, double activation, double output) {
    row->op = op;
    row->windowed = false;
    row->count = count;
    row->matrix_flops = count * matrix;
    row->vector_flops = count * vector;
    row->weight = count * weight;
    row->activation = count * activation;
    row->output = count * output;
    row->kv_read = 0;
    row->kv_write = 0;
    row->link_bytes = 0;
    ++row;
  };
  /// A product of a (tokens x in) and a (in x out) matrix with an optional bias.
  const auto product = [&](LlmOp op, double count, double tokens, double in, double outs, bool bias) {
    put(op, count, 2 * tokens * in * outs, 0, in * outs + (bias ? outs : 0), tokens * in, tokens * outs);
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
    row[-1].kv_write = L * T * (R + dr);
    const double weights = R * h * (dn + dv);
    if (absorbed) {
      put(LlmOp::kv_b_proj, L, 2 * T * weights, 0, weights, T * h * (dn + R), T * h * (R + dv));
    } else {
      put(LlmOp::kv_b_proj, L, 2 * B * C * weights, 0, weights, B * S * R, B * C * h * (dn + dv));
      row[-1].kv_read = L * B * (C - S) * R;
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
    row[-1].kv_write = L * 2 * T * g * d;
  }

  // Attention. What the scores are products over, how many key-value heads are read, and what a key and its value take together.
  const double dq = absorbed ? m.kv_rank + m.rope_dim : d, dp = absorbed ? m.kv_rank : dv;
  const double read_heads = !m.mla() ? g : absorbed ? 1 : h, both = absorbed ? dq : dq + dp;
  const bool from_cache = !m.mla() || absorbed;  // expanded keys and values are activations
  const auto read_keys = [&](double elements) { (from_cache ? row[-1].kv_read : row[-1].activation) += elements; };
  const auto attention = [&](double count, double window, bool windowed) {
    const double P = attention_pairs(S, C, setup_.causal, window, m.chunked), K = keys_read(S, C, window, m.chunked);
    const double scores = B * h * P, queries = T * h * dq, outputs = T * h * dp;
    if (setup_.attention == AttentionTraffic::unfused) {
      put(LlmOp::qk, count, 2 * scores * dq, 0, 0, queries, scores);
      read_keys(count * B * K * read_heads * dq);
      row[-1].windowed = windowed;
      put(LlmOp::softmax, count, 0, softmax_flops * scores, 0, scores, scores);
      row[-1].windowed = windowed;
      put(LlmOp::pv, count, 2 * scores * dp, 0, 0, scores, outputs);
      read_keys(count * B * K * read_heads * dp);
      row[-1].windowed = windowed;
      return;
    }
    double read = K;
    if (setup_.attention == AttentionTraffic::flash && S > tile_rows_) {
      // Each tile of query rows reads the keys up to its last row; a window's tile no more than the window and itself.
      const double tiles = std::ceil(S / tile_rows_), before = C - S;
      read = setup_.causal ? tiles * before + tile_rows_ * tiles * (tiles - 1) / 2 + S : tiles * C;
      if (window > 0) read = std::min(read, tiles * (window + tile_rows_ - 1));
      read = std::max(read, K);
    }
    put(LlmOp::attention, count, 2 * scores * (dq + dp), softmax_flops * scores, 0, queries, outputs);
    read_keys(count * B * read * read_heads * both);
    row[-1].windowed = windowed;
  };
  if (const double full = L - m.windowed_layers; full > 0) attention(full, 0, false);
  if (m.windowed_layers > 0) attention(m.windowed_layers, m.window, true);
  product(LlmOp::o_proj, L, T, h * dv, H, m.o_bias);

  const double a = rates(LlmOp::all_reduce).activation;
  if (tp > 1) {
    // After attention and after the MLP; routed tokens come back by the all-to-all instead; in a parallel block both sums go together.
    const double count = L + (m.parallel ? 0 : m.dense_layers() + (ep > 1 ? 0 : m.moe_layers));
    put(LlmOp::all_reduce, count, 0, 0, 0, T * H, T * H);
    row[-1].link_bytes = count * (2 * (tp - 1) / tp) * (T * H * a);
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
    const double each = (ins + 1) * H * width + (m.expert_bias ? ins * width + H : 0);
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
      row[-1].link_bytes = m.moe_layers * ((ep - 1) / ep) * (sent * a);
    }
  }
  norm(LlmOp::final_norm, 1);
  product(LlmOp::lm_head, 1, pass.decode || !setup_.last_token ? T : B, H, m.vocab / tp, m.head_bias);
  out.size = static_cast<std::size_t>(row - out.row.data());
}

void LlmPlan::bound(LlmRows& out) const {
  LlmTotals t;
  for (std::size_t i = 0; i < out.size; ++i) {
    LlmRow& r = out.row[i];
    const Plan::ClassRates& k = rates(r.op);
    const double read = r.weight * k.weight + r.activation * k.activation + r.kv_read * k.kv,
                 write = r.output * k.output + r.kv_write * k.kv;
    r.flops = r.matrix_flops + r.vector_flops;
    r.bytes = read + write;
    r.intensity = r.flops / r.bytes;
    r.compute_s = std::max(r.matrix_flops / k.matrix, r.vector_flops / k.vector);
    r.memory_s = std::max(r.bytes / total_rate_, std::max(read / read_rate_, write / write_rate_));
    r.link_s = r.link_bytes / link_rate_;
    r.bound = r.compute_s > 0 ? LlmBound::compute : LlmBound::none;
    r.predicted_s = r.compute_s;
    if (r.memory_s > r.predicted_s) r.predicted_s = r.memory_s, r.bound = LlmBound::memory;
    if (r.link_s > r.predicted_s) r.predicted_s = r.link_s, r.bound = LlmBound::link;
    r.typical_s = std::max(r.link_s, std::max(r.compute_s * typical_compute_, r.memory_s * typical_memory_)) + launch_s_ * r.count;
    r.attainable_flops = r.flops / r.predicted_s;
    t.flops += r.flops;
    t.matrix_flops += r.matrix_flops;
    t.bytes += r.bytes;
    t.weight_bytes += r.weight * k.weight;
    t.kv_bytes += (r.kv_read + r.kv_write) * k.kv;
    t.link_bytes += r.link_bytes;
    t.predicted_s += r.predicted_s;
    t.typical_s += r.typical_s;
    t.bound_s[static_cast<std::size_t>(r.bound)] += r.predicted_s;
    t.launches += r.count;
  }
  out.total = t;
}

void LlmPlan::evaluate(const LlmPass& pass, LlmRows& out) const {
  fill(pass, out);
  bound(out);
}

// --- generation ------------------------------------------------------------------------------------------------------------------------

void LlmPlan::add(LlmRows& out, const LlmRows& from, double times) {
  for (const LlmRow& r : from.rows()) {
    LlmRow* to = std::find_if(out.row.data(), out.row.data() + out.size,
                              [&](const LlmRow& o) { return o.op == r.op && o.windowed == r.windowed && o.bound == r.bound; });
    if (to == out.row.data() + out.size) {
      if (out.size == LlmRows::most) continue;  // four bounds of every operator fit
      ++out.size;
      *to = LlmRow{};
      to->op = r.op;
      to->windowed = r.windowed;
      to->bound = r.bound;
    }
    for (const auto field : {&LlmRow::count, &LlmRow::matrix_flops, &LlmRow::vector_flops, &LlmRow::weight, &LlmRow::activation,
                             &LlmRow::output, &LlmRow::kv_read, &LlmRow::kv_write, &LlmRow::link_bytes, &LlmRow::flops, &LlmRow::bytes,
                             &LlmRow::compute_s, &LlmRow::memory_s, &LlmRow::link_s, &LlmRow::predicted_s, &LlmRow::typical_s})
      to->*field += times * (r.*field);
    to->intensity = to->flops / to->bytes;
    to->attainable_flops = to->flops / to->predicted_s;
  }
  LlmTotals& t = out.total;
  for (const auto field : {&LlmTotals::flops, &LlmTotals::matrix_flops, &LlmTotals::bytes, &LlmTotals::weight_bytes, &LlmTotals::kv_bytes,
                           &LlmTotals::link_bytes, &LlmTotals::predicted_s, &LlmTotals::typical_s, &LlmTotals::launches})
    t.*field += times * (from.total.*field);
  for (std::size_t i = 0; i < t.bound_s.size(); ++i) t.bound_s[i] += times * from.total.bound_s[i];
}

void LlmPlan::decode_range(double batch, double query, double first, double last, double weight, LlmRows& out) const {
  const Model& m = setup_.model;
  LlmRows at;
  const auto bounds = [&](double context) {  // two bits for each row
    evaluate({batch, query, context, true}, at);
    std::uint64_t bits = 0;
    for (const LlmRow& r : at.rows()) bits = bits << 2 | static_cast<std::uint64_t>(r.bound);
    return bits;
  };
  for (double from = first; from <= last;) {
    // Up to where a window fills or a chunk ends, keys grow by one each step; while several queries straddle that edge, each context alone.
    double to = last;
    if (m.windowed_layers > 0) {
      const double edge = m.chunked ? std::ceil(from / m.window) * m.window : m.window;
      const double past = m.chunked ? edge - m.window : edge;
      if (query > 1 && from > past && from < past + query)
        to = from;
      else if (from <= edge)
        to = std::min(last, edge);
    }
    const std::uint64_t here = bounds(from);
    if (to > from && bounds(to) != here) {  // the last context with the bounds of the first: each row changes at most once
      double same = from, other = to;
      while (other - same > 1) {
        const double middle = std::floor((same + other) / 2);
        (bounds(middle) == here ? same : other) = middle;
      }
      to = same;
    }
    evaluate({batch, query, (from + to) / 2, true}, at);
    add(out, at, (to - from + 1) * weight);
    from = to + 1;
  }
}

// --- memory ----------------------------------------------------------------------------------------------------------------------------

double LlmPlan::weight_bytes() const {
  const Parameters p = parameters(setup_.model);
  return (p.total() - p.experts) * rates(LlmOp::q_proj).weight + p.experts * rates(LlmOp::experts).weight;
}

double LlmPlan::weight_bytes_per_machine() const {
  const Parameters p = parameters(setup_.model);
  const double width = rates(LlmOp::q_proj).weight;
  return ((p.total() - p.experts - p.norms) / setup_.tp + p.norms) * width + p.experts / setup_.machines() * rates(LlmOp::experts).weight;
}

double LlmPlan::kv_bytes_per_token() const { return setup_.model.layers * setup_.model.kv_elements() * rates(LlmOp::kv_write).kv; }

double LlmPlan::kv_bytes(double batch, double context) const {
  const Model& m = setup_.model;
  const double tokens =
      (m.layers - m.windowed_layers) * context + m.windowed_layers * (m.window > 0 ? std::min(context, m.window) : context);
  return batch * tokens * m.kv_elements() * rates(LlmOp::kv_write).kv;
}

double LlmPlan::kv_bytes_per_machine(double batch, double context) const {
  const Model& m = setup_.model;
  const double share = m.mla() ? 1 : std::ceil(m.kv_heads / setup_.tp) / m.kv_heads;  // a latent belongs to all heads
  const double replicas = setup_.machines() / setup_.tp;
  return kv_bytes(std::ceil(batch / replicas), context) * share;
}

double LlmPlan::activation_bytes(const LlmPass& pass) const {
  LlmRows at;
  fill(pass, at);
  double most = 0;
  for (const LlmRow& r : at.rows()) {
    const Plan::ClassRates& k = rates(r.op);
    most = std::max(most, (r.activation * k.activation + r.output * k.output) / r.count);
  }
  const double replicas = setup_.machines() / setup_.tp;
  return most + std::ceil(pass.batch / replicas) * pass.query * setup_.model.hidden * rates(LlmOp::residual).activation;
}

}  // namespace roofline
