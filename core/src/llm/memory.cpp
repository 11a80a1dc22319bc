// What a request keeps in memory: weights, the cache of the longest context, the largest step's activations.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/base/whole_numbers.hpp>
#include <roofline/llm/inference.hpp>

namespace roofline {
namespace {

/// The largest whole number that `holds`, which it does for all below; 0: none, infinite: no limit up to 2^30.
template <class Test>
double largest(const Test& holds) {
  if (!holds(1.0)) return 0;
  double low = 1, high = 2;
  while (high <= 0x1p30 && holds(high)) low = high, high *= 2;
  if (high > 0x1p30) return std::numeric_limits<double>::infinity();
  return last_whole(low, high, holds);
}

}  // namespace

LlmPass largest_prefill(const LlmRequest& request, const LlmRun& run) {
  const double length = run.longest(), query = std::min(length, request.chunk);
  return LlmPass::prefill(std::min(run.batch, request.chunk / query * request.setup.attention_replicas()), query, length);
}

std::string MemoryVerdict::text() const {
  const std::string size = with_unit(capacity, "B");
  switch (fit) {
    case MemoryFit::unknown:
      return {};
    case MemoryFit::fits:
      return "fits in " + size;
    case MemoryFit::tight: {
      const std::string free = percent(1 - footprint.total() / capacity), target = percent(reserve);
      return "barely fits: " + (free == target ? "just under " : std::string()) + free + " of " + size + " free (target " + target + ")";
    }
    case MemoryFit::too_large:
      return "does not fit in " + size;
    case MemoryFit::too_long:
      return training_text();
  }
  return {};
}

std::string MemoryVerdict::training_text() const {
  return "the context of " + number(context) + " tokens is longer than the " + number(trained_context) + " that the model was trained for";
}

MemoryFootprint LlmInference::memory_footprint(const LlmRun& run) const {
  MemoryFootprint n;
  n.weights = plan_.weight_bytes_per_machine();
  n.kv = plan_.kv_bytes_per_machine(run.batch, run.longest());
  n.activations =
      std::max(plan_.activation_bytes(largest_prefill(request_, run)), plan_.activation_bytes({run.batch, 1, run.longest(), true})) +
      plan_.kv_copy_bytes(run.batch, run.longest());
  if (draft_) {
    const std::optional<StoredWeights>& stored = request_.setup.model.stored;
    const bool counted = request_.speculation->shares_vocabulary && stored && stored->mtp_bytes > 0;  // the file's own MTP block
    if (!counted) n.weights += draft_->weight_bytes_per_machine(!request_.speculation->shares_vocabulary);
    n.kv += draft_->kv_bytes_per_machine(run.batch, run.longest());
  }
  return n;
}

MemoryVerdict LlmInference::memory(const LlmRun& run) const {
  MemoryVerdict v{memory_footprint(run), capacity(), request_.reserve, run.longest(), request_.setup.model.trained_context};
  const double total = v.footprint.total();
  if (v.capacity > 0) v.fit = total > v.capacity ? MemoryFit::too_large : v.keeps_reserve() ? MemoryFit::fits : MemoryFit::tight;
  if (v.fit != MemoryFit::too_large && v.beyond_training()) v.fit = MemoryFit::too_long;
  return v;
}

LlmRequest on_enough_machines(LlmRequest r, const Scenario& scenario) {
  const Machine& machine = scenario.machine;
  const auto keeps_reserve = [&] { return LlmInference(r, scenario).memory(r).keeps_reserve(); };
  while (machine.capacity() > 0 && !keeps_reserve() && !machine.links.empty() && 2 * r.setup.tp <= r.setup.model.heads &&
         2 * r.setup.machines() <= machine.linked())
    r.setup.tp *= 2;
  return r;
}

std::optional<double> barely_fits_on(const LlmRequest& asked, const LlmRequest& enough, const Scenario& scenario) {
  LlmRequest fewer = enough;
  if (enough.setup.tp < 2 * asked.setup.tp) return {};
  fewer.setup.tp /= 2;
  const bool in_memory = LlmInference(fewer, scenario).memory(fewer).in_memory().value_or(false);
  return in_memory && LlmInference(enough, scenario).memory(enough).keeps_reserve() ? std::optional(fewer.setup.machines()) : std::nullopt;
}

double LlmInference::capacity() const { return plan_.scenario().machine.capacity(); }

double LlmInference::usable_capacity() const { return capacity() * (1 - request_.reserve); }

double LlmInference::largest_batch(LlmRun run) const {
  if (!(usable_capacity() > 0)) return unknown;
  return largest([&](double batch) {
    run.batch = batch;
    return memory_footprint(run).total() <= usable_capacity();
  });
}

LongestContext LlmInference::longest_context(LlmRun run) const {
  const double trained = request_.setup.model.trained_context;
  if (!(usable_capacity() > 0)) return {};
  run.generate = 0;
  const double fits = largest([&](double context) {
    run.prompt = run.context = context;
    return memory_footprint(run).total() <= usable_capacity();
  });
  if (trained < fits) return {trained, ContextLimit::training};
  return {fits, std::isinf(fits) ? ContextLimit::none : ContextLimit::memory};
}

}  // namespace roofline
