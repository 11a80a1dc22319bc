// Which occurrences of each operator run on the card, and so its weights, its cache and its time.
#include <algorithm>
#include <cmath>
#include <roofline/llm/offload.hpp>

#include "llm/offload/layer_bytes.hpp"

namespace roofline {
namespace {

constexpr double streamed_from_tokens = 32;  // of a prompt: llama.cpp, ggml/src/ggml-cuda/ggml-cuda.cu, min_batch_size
constexpr double logit_bytes = 4;            // logits come back to the host in FP32

/// Layers that have something in common, and how many of them are on the card.
struct LayerCount {
  double all = 0, on_card = 0;
  void add(bool has, bool card) {
    all += has ? 1 : 0;
    on_card += has && card ? 1 : 0;
  }
  [[nodiscard]] double share() const { return all > 0 ? on_card / all : 0; }
};

/// The layers of a model by kind.
struct LayerCounts {
  LayerCount every, attention, full, windowed, recurrent, dense, experts, indexed;

  LayerCounts(const Model& m, double layers_on_card) {
    for (double i = 0; i < m.layers; ++i) {
      const bool card = i >= m.layers - layers_on_card, attends = m.has_attention(i);
      every.add(true, card);
      attention.add(attends, card);
      full.add(attends && !m.has_window(i), card);
      windowed.add(m.has_window(i), card);
      recurrent.add(m.has_recurrent(i), card);
      dense.add(m.has_mlp(i) && !m.has_experts(i), card);
      experts.add(m.has_experts(i), card);
      indexed.add(m.has_indexer(i), card);
    }
  }
};

class Splitter {
 public:
  Splitter(const LlmRequest& request, const LayerBytes& bytes, const Scenario& card, const Scenario& host, const Offload& offload)
      : request_(request),
        bytes_(bytes),
        model_(request.setup.model),
        card_(request.setup, card),
        host_(request.setup, host),
        experts_on_host_(offload.experts_on_host),
        gpu_layers_(std::min(offload.gpu_layers, model_.layers + 1)),
        head_on_card_(gpu_layers_ >= 1),
        layers_on_card_(std::max(0.0, gpu_layers_ - 1)),
        counts_(model_, layers_on_card_),
        link_rate_(card.machine.link_rate()) {}

  [[nodiscard]] OffloadSplit split() const {
    OffloadSplit out;
    out.offload = {gpu_layers_, experts_on_host_};
    place_weights(out);
    place_cache(out);
    // As LlmInference::memory_footprint() counts them for a card alone.
    const double longest = request_.longest();
    const double of_a_step = std::max(card_.activation_bytes(LlmPass::decode_step(request_.batch, longest)),
                                      card_.activation_bytes(largest_prefill(request_, request_)));
    out.activations = head_on_card_ ? of_a_step + card_.kv_copy_bytes(request_.batch, longest) : 0;
    out.decode = mean_step();
    LlmRows on_card, on_host;
    const LlmPass prefill = LlmPass::prefill(request_.batch, request_.prompt, request_.prompt_end());
    card_.evaluate(prefill, on_card);
    host_.evaluate(prefill, on_host);
    out.prefill = shared_pass(prefill, on_card.rows(), on_host.rows());
    out.fits = fits(out, 1);
    out.barely_fits = out.fits == std::optional<bool>(true) && !*fits(out, 1 - request_.reserve);
    return out;
  }

 private:
  /// The fraction of an operator's occurrences that are on the card.
  [[nodiscard]] double share(const LlmRow& row) const {
    switch (row.op) {
      case LlmOp::final_norm:
      case LlmOp::lm_head:
        return head_on_card_ ? 1 : 0;
      case LlmOp::qk:
      case LlmOp::softmax:
      case LlmOp::pv:
      case LlmOp::attention:
        return row.windowed ? counts_.windowed.share() : counts_.full.share();
      case LlmOp::short_conv:
      case LlmOp::gated_delta:
      case LlmOp::ssm_scan:
      case LlmOp::linear_norm:
        return counts_.recurrent.share();
      case LlmOp::index_scores:
        return counts_.indexed.share();
      case LlmOp::act_mul:
        return counts_.dense.share();
      case LlmOp::residual:
        return counts_.every.share();
      case LlmOp::rope:
        return counts_.attention.share();
      default:  // placed with its weights; without weights, with the attention
        const std::optional<WeightPart> weights = weights_of(model_, row.op);
        return weights ? share(*weights) : counts_.attention.share();
    }
  }

  /// The fraction of the layers with a class of tensors that are on the card, with those tensors.
  [[nodiscard]] double share(WeightPart part) const {
    switch (part) {
      case WeightPart::embedding:
        return 0;
      case WeightPart::head:
        return head_on_card_ ? 1 : 0;
      case WeightPart::linear:
        return counts_.recurrent.share();
      case WeightPart::indexer:
        return counts_.indexed.share();
      case WeightPart::gate:
      case WeightPart::up:
      case WeightPart::down:
        return counts_.dense.share();
      case WeightPart::experts:
        return experts_on_host_ ? 0 : counts_.experts.share();
      case WeightPart::shared_experts:
      case WeightPart::router:
        return counts_.experts.share();
      case WeightPart::norms:
        return counts_.every.share();
      default:
        return counts_.attention.share();
    }
  }

  /// The fraction of a class of tensors, by bytes, that the card keeps. A tied head on the card is a copy of the embedding.
  [[nodiscard]] double byte_share(WeightPart part) const {
    if (part == WeightPart::embedding || part == WeightPart::head || (part == WeightPart::experts && experts_on_host_)) return share(part);
    return bytes_.share(part, layers_on_card_);
  }

  void place_weights(OffloadSplit& out) const {
    const WeightFormats& formats = request_.setup.formats.weights;
    const Parameters p = parameters(model_);
    const auto add_bytes = [&](double bytes, double on_card) {
      out.card.weights += bytes * on_card;
      out.host.weights += bytes * (1 - on_card);
    };
    const auto add = [&](double elements, WeightPart stored_as, double on_card) {
      if (elements > 0) add_bytes(elements * formats.bytes(stored_as), on_card);
    };
    const double last_norm = std::min(model_.hidden * (model_.layer_norm ? 2 : 1), p.by_part[static_cast<std::size_t>(WeightPart::norms)]);
    for (std::size_t i = 0; i < weight_parts; ++i) {
      const auto part = static_cast<WeightPart>(i);
      add(p.by_part[i] - (part == WeightPart::norms ? last_norm : 0), part, byte_share(part));
    }
    add(last_norm, WeightPart::norms, head_on_card_ ? 1 : 0);
    add(p.expert_biases, WeightPart::norms, byte_share(WeightPart::experts));
    if (model_.stored) add_bytes(model_.stored->other_bytes + model_.stored->mtp_bytes, counts_.every.share());
    if (model_.tied && head_on_card_) out.card.weights += model_.vocab * model_.hidden * formats.bytes(WeightPart::embedding);
    // Whole tensors have whole bytes; means over a class have none.
    out.card.weights = std::round(out.card.weights);
    out.host.weights = std::round(out.host.weights);
  }

  void place_cache(OffloadSplit& out) const {
    const double context = request_.longest(), element = card_.rates(LlmOp::kv_write).kv;
    const auto add = [&](double bytes, const LayerCount& layers) {
      out.card.cache += request_.batch * bytes * layers.share();
      out.host.cache += request_.batch * bytes * (1 - layers.share());
    };
    add(model_.full_caches() * context * model_.kv_elements() * element, counts_.full);
    add(model_.windowed_caches() * std::min(context, model_.window) * model_.kv_elements(true) * element, counts_.windowed);
    if (model_.recurrent.layers > 0) add(card_.state_bytes(1), counts_.recurrent);
    if (model_.index_layers > 0) add(context * card_.index_bytes_per_token(), counts_.indexed);
  }

  /// A decode step at the context; of a generation, the mean of its steps.
  [[nodiscard]] OffloadPass mean_step() const {
    const LlmPass step = LlmPass::decode_step(request_.batch, request_.context);
    LlmRows on_card, on_host;
    if (request_.phase == LlmPhase::generate && request_.generate >= 2) {
      const double first = request_.prompt + 1, last = request_.prompt + request_.generate - 1, weight = 1 / (request_.generate - 1);
      card_.decode_range(request_.batch, 1, first, last, weight, on_card);
      host_.decode_range(request_.batch, 1, first, last, weight, on_host);
    } else {
      card_.evaluate(step, on_card);
      host_.evaluate(step, on_host);
    }
    return shared_pass(step, by_operator(on_card), by_operator(on_host));
  }

  /// A row for each operator, in the order of a pass: a range of steps has one for each bound that it meets.
  static std::vector<LlmRow> by_operator(const LlmRows& rows) {
    std::vector<LlmRow> out;
    for (const LlmRow& row : rows.rows()) {
      const auto same = [&](const LlmRow& r) { return r.op == row.op && r.windowed == row.windowed; };
      const auto found = std::find_if(out.begin(), out.end(), same);
      if (found == out.end()) {
        out.push_back(row);
        continue;
      }
      for (const auto sum : {&LlmRow::matrix_flops, &LlmRow::weight, &LlmRow::bytes, &LlmRow::predicted_s, &LlmRow::typical_s})
        *found.*sum += row.*sum;
    }
    return out;
  }

  /// A part of a row's work: the fraction of its occurrences, and of the bytes of its weights, which not every layer has the same of.
  struct Part {
    double occurrences, weights;
    [[nodiscard]] Part rest() const { return {1 - occurrences, 1 - weights}; }
  };
  [[nodiscard]] Part on_card_of(const LlmRow& row) const {
    const std::optional<WeightPart> weights = weights_of(model_, row.op);
    const double occurrences = share(row);
    const bool of_layers = weights && row.op != LlmOp::embed && row.op != LlmOp::lm_head && *weights != WeightPart::norms;
    return {occurrences, of_layers ? byte_share(*weights) : occurrences};
  }

  /// Adds a part of a row. Where memory bounds the row, its time goes with its bytes.
  static void add_part(OffloadWork& out, const LlmRow& row, const LlmPlan& plan, const Part& part) {
    const double weights = row.weight > 0 ? row.weight * plan.rates(row.op).weight : 0;
    const double bytes = part.weights * weights + part.occurrences * (row.bytes - weights);
    const bool by_bytes =
        row.bytes > 0 && row.bound_by < plan.resources().size() && plan.resources()[row.bound_by].kind == ResourceKind::memory;
    const double of_time = by_bytes ? bytes / row.bytes : part.occurrences;
    out.traffic += bytes;
    out.bound_s += of_time * row.predicted_s;
    out.typical_s += of_time * row.typical_s;
  }

  /// Both have the same operators in the same order.
  [[nodiscard]] OffloadPass shared_pass(const LlmPass& pass, const std::vector<LlmRow>& on_card, const std::vector<LlmRow>& on_host) const {
    const double tokens = pass.batch * pass.query;
    OffloadPass out;
    for (std::size_t i = 0; i < on_card.size(); ++i) {
      const LlmRow &card = on_card[i], &host = on_host[i];
      const Part here = on_card_of(card), there = here.rest();
      add_part(out.card, card, card_, here);
      if (there.occurrences == 0) continue;
      const double weights = card.weight * card_.rates(card.op).weight, over_link = weights / link_rate_;
      const bool product = card.matrix_flops > 0 && weights > 0;
      if (product && head_on_card_ && tokens >= streamed_from_tokens && card.typical_s + over_link < host.typical_s) {
        add_part(out.card, card, card_, there);
        out.link_bytes += there.weights * weights;
      } else {
        add_part(out.host, host, host_, there);
      }
    }
    out.link_bytes += hidden_bytes(pass, tokens);
    out.link_s = out.link_bytes > 0 ? out.link_bytes / link_rate_ : 0;
    return out;
  }

  /// Hidden states to the card and logits back; with experts on the host, each of the card's layers sends and takes them once more.
  [[nodiscard]] double hidden_bytes(const LlmPass& pass, double tokens) const {
    if (!head_on_card_) return 0;
    const double hidden = model_.hidden * card_.rates(LlmOp::residual).activation;
    const double with_logits = pass.decode || !request_.setup.last_token ? tokens : pass.batch;
    double bytes = (layers_on_card_ > 0 ? tokens : with_logits) * hidden + with_logits * model_.vocab * logit_bytes;
    if (experts_on_host_) bytes += counts_.experts.on_card * 2 * tokens * hidden;
    return bytes;
  }

  /// Whether each side takes at most `share` of its memory; null: the card's capacity is not known.
  [[nodiscard]] std::optional<bool> fits(const OffloadSplit& split, double share) const {
    const double card = card_.scenario().machine.capacity(), host = host_.scenario().machine.capacity();
    if (!(card > 0)) return std::nullopt;
    // A host of unknown memory size is assumed to hold its part.
    const bool on_host = !(host > 0) || split.host.weights + split.host.cache <= host * share;
    return on_host && split.card.weights + split.card.cache + split.activations <= card * share;
  }

  const LlmRequest& request_;
  const LayerBytes& bytes_;
  const Model& model_;
  LlmPlan card_, host_;
  bool experts_on_host_;
  double gpu_layers_;
  bool head_on_card_;
  double layers_on_card_;
  LayerCounts counts_;
  double link_rate_;
};

}  // namespace

OffloadSplit offload_split(const LlmRequest& request, const Scenario& card, const Scenario& host, const Offload& offload) {
  return Splitter(request, LayerBytes(request), card, host, offload).split();
}

OffloadSplit best_offload(const LlmRequest& request, const Scenario& card, const Scenario& host, bool experts_on_host) {
  constexpr double most_layers = 1000;  // beyond all models; each is a split of its own
  const auto rank = [](const OffloadSplit& split) { return !split.fits || split.barely_fits ? 1 : *split.fits ? 2 : 0; };
  // The reserve free first, then barely fitting or of unknown capacity, then not fitting; of equal rank the fastest. Without a link's
  // bandwidth only the split without a layer on the card has a time.
  const auto better = [&rank](const OffloadSplit& a, const OffloadSplit& b) {
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    const double time = a.decode.typical_s(), other = b.decode.typical_s();
    return time < other || (known(time) && !known(other));
  };
  const LayerBytes bytes(request);
  OffloadSplit best = Splitter(request, bytes, card, host, {0, experts_on_host}).split();
  for (double n = 1; n <= std::min(request.setup.model.layers + 1, most_layers); ++n) {
    const OffloadSplit split = Splitter(request, bytes, card, host, {n, experts_on_host}).split();
    if (better(split, best)) best = split;
  }
  return best;
}

}  // namespace roofline
