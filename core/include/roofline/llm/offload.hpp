// A model that a card and its host share, as llama.cpp splits it.
#pragma once

#include <optional>
#include <roofline/llm/inference.hpp>
#include <string>

namespace roofline {

/// What of a model is on the card.
struct Offload {
  double gpu_layers = 0;         ///< the LM head, then layers from the last one back: llama.cpp's --n-gpu-layers; layers + 1: all of it
  bool experts_on_host = false;  ///< whatever else is on the card: llama.cpp's --cpu-moe
};

/// Work of the card or of the host in one pass.
struct OffloadWork {
  double traffic = 0;                 ///< bytes of its memory
  double bound_s = 0, typical_s = 0;  ///< typical: the estimate
};

/// A pass. The card, the host and the link work one after the other, as in llama.cpp.
struct OffloadPass {
  OffloadWork card, host;
  double link_bytes = 0, link_s = 0;  ///< both directions; the time is NaN where the card states no link
  [[nodiscard]] double bound_s() const { return card.bound_s + host.bound_s + link_s; }
  [[nodiscard]] double typical_s() const { return card.typical_s + host.typical_s + link_s; }
};

/// Bytes that the card or the host keeps. The cache includes recurrent state.
struct OffloadMemory {
  double weights = 0, cache = 0;
};

struct OffloadSplit {
  Offload offload;
  OffloadMemory card, host;
  double activations = 0;  ///< bytes on the card
  OffloadPass decode, prefill;
  std::optional<bool> fits;  ///< in memory; a host of unknown capacity holds its part; null: the card's is not known
  bool barely_fits = false;  ///< with less than the request's reserve free
};

/// The split of a request's model between the card and its host, at the request's batch, context and prompt. For one card, without
/// speculation. The card takes a product of the host, with its weights over the link, where that is faster and the pass has 32 tokens or
/// more, as llama.cpp does. Latency is not counted. Source: github.com/ggml-org/llama.cpp, src/llama-model.cpp.
[[nodiscard]] OffloadSplit offload_split(const LlmRequest& request, const Scenario& card, const Scenario& host, const Offload& offload);

/// The split with the least estimated time per token of those that fit, else of those that barely fit; with nothing on the card if none
/// does.
[[nodiscard]] OffloadSplit best_offload(const LlmRequest& request, const Scenario& card, const Scenario& host, bool experts_on_host);

/// "With 41 of 81 layers on NVIDIA GeForce RTX 4090, the others on AMD EPYC 9654: 8.1 tokens/s, bound 10.2."
[[nodiscard]] std::string offload_finding(const LlmRequest& request, const Scenario& card, const Scenario& host, const OffloadSplit& split);

/// `offload` of a document's summary: the split, and the best one.
[[nodiscard]] std::string offload_json(const LlmRequest& request, const Scenario& card, const Scenario& host, const OffloadSplit& split,
                                       const OffloadSplit& best);

}  // namespace roofline
