#include "serving_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

namespace roofline::validation {
namespace {

const StackTermInfo& term_info(std::string_view key) {
  for (const StackTermInfo& term : stack_terms())
    if (term.key == key) return term;
  std::abort();
}

bool is_fraction(std::string_view key) { return key == "overlap" || key == "experts" || key == "block_scales"; }

bool has(const ServingParameter& p, const std::string& stack) {
  return std::find(p.stacks.begin(), p.stacks.end(), stack) != p.stacks.end();
}

/// Stacks of 2024. Their runs state only the throughput of static batches, enough to fit the host's time (layer_s, sequence_s). All other
/// figures are those of `vllm` and are not fitted to these runs.
constexpr const char* stacks_of_2024[] = {"vllm-2024", "vllm-2024-rocm"};
bool is_of_2024(const std::string& stack) {
  return std::find(std::begin(stacks_of_2024), std::end(stacks_of_2024), stack) != std::end(stacks_of_2024);
}

/// What is expected of a figure before any run, and how far off that may be, in logarithms. Fractions of the machine's own benchmarks are
/// near 1; the slopes of published times to first token over users give `burst` (0.075, 0.1 and 0.4 of a prompt's time per user where the
/// start alone would give 0.05); AIC has 0.8 ms per layer of a prompt in vLLM (github.com/ai-dynamo/aiconfigurator, commit 095f58a,
/// vllm_backend.py). The times per layer and per all-reduce, and NVLink's share, are round figures of regressions within single blocks, so
/// that errors on blocks held back are a little too good. `layer_s` of 2024 is near that of `fused`. The first entry that fits counts.
struct Prior {
  std::string_view key;
  double value, sigma;
  std::string_view stack = {};  ///< empty: of all
};
constexpr Prior priors[] = {{"layer_s", 60e-6, 0.7, "vllm-2024"},
                            {"layer_s", 60e-6, 0.7, "vllm-2024-rocm"},
                            {"sequence_s", 8e-6, 1, "vllm-2024"},
                            {"sequence_s", 8e-6, 1, "vllm-2024-rocm"},
                            {"compute", 0.9, 0.2},
                            {"bandwidth", 1, 0.08},
                            {"overlap", 0.5, 0.5},
                            {"nvlink", 0.6, 0.3},
                            {"widen", 1.47, 0.4},
                            {"layer_s", 40e-6, 0.4},
                            {"moe_layer_s", 20e-6, 0.5},
                            {"narrow_moe_layer_s", 20e-6, 0.7},
                            {"latent_layer_s", 10e-6, 0.7},
                            {"experts", 0.9, 0.1},
                            {"block_scales", 0.9, 0.1},
                            {"all_reduce_s", 10e-6, 0.5},
                            {"prompt_layer_s", 8e-4, 0.5},
                            {"sequence_s", 8e-6, 0.5},
                            {"request_s", 0.02, 1.5},
                            {"together", 1, 0.7},
                            {"burst", 1.5, 0.3, "trtllm"},
                            {"burst", 2, 0.3, "vllm"},
                            {"burst", 8, 0.3, "sglang"}};
const Prior& prior_of(const ServingParameter& parameter) {
  for (const Prior& p : priors)
    if (p.key == parameter.key && (p.stack.empty() || p.stack == parameter.stacks[0])) return p;
  std::abort();
}
constexpr std::size_t prior_rows = 10;  ///< the prior weighs as many runs that are off by a fifth at one sigma
constexpr double prior_error = 0.2;

constexpr double ttft_weight = 0.35;  ///< of an error of a time to first token beside one of a time per token

/// Two errors of each run: of its times, or of its throughput where that is all it states.
std::vector<double> serving_errors(const std::vector<const ServingRun*>& runs, const Values& values, std::optional<std::size_t> moved,
                                   const std::vector<double>& before) {
  std::vector<double> out(2 * runs.size());
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      for (std::size_t i = w; i < runs.size(); i += workers) {
        const Stack& stack = runs[i]->stack();
        if (moved && !has(serving_parameters()[*moved], stack.id)) {
          out[2 * i] = before[2 * i];
          out[2 * i + 1] = before[2 * i + 1];
          continue;
        }
        const ServingFigures estimate = runs[i]->estimate(serving_terms_under(values, stack)), measured = runs[i]->measured();
        const bool timed = known(measured.tpot_s);
        out[2 * i] =
            timed ? std::log(estimate.tpot_s / measured.tpot_s) : std::log(estimate.output_tokens_per_s / measured.output_tokens_per_s);
        out[2 * i + 1] = timed ? ttft_weight * std::log(estimate.ttft_s / measured.ttft_s) : 0;
      }
    });
  for (std::thread& t : threads) t.join();
  return out;
}

}  // namespace

const std::vector<ServingParameter>& serving_parameters() {
  static const std::vector<ServingParameter> list = [] {
    const std::vector<std::string> today{"trtllm", "vllm", "sglang"};
    const auto with_2024 = [](std::vector<std::string> stacks, std::string_view key) {
      if (key != "layer_s" && key != "sequence_s") stacks.insert(stacks.end(), std::begin(stacks_of_2024), std::end(stacks_of_2024));
      return stacks;
    };
    std::vector<ServingParameter> out;
    for (const std::string_view key : {"compute", "bandwidth", "overlap", "nvlink", "widen", "latent_layer_s", "experts", "block_scales",
                                       "all_reduce_s", "prompt_layer_s", "sequence_s", "together"})
      out.push_back({key, with_2024(today, key)});
    for (const std::string_view key :
         {"layer_s", "moe_layer_s", "narrow_moe_layer_s", "request_s"}) {  // TensorRT-LLM's kernels, runtime and server are its own
      out.push_back({key, {"trtllm"}});
      out.push_back({key, with_2024({"vllm", "sglang"}, key)});
    }
    for (const std::string& stack : today) out.push_back({"burst", stack == "vllm" ? with_2024({stack}, "burst") : std::vector{stack}});
    for (const char* stack : stacks_of_2024) {
      out.push_back({"layer_s", {stack}});
      out.push_back({"sequence_s", {stack}});
    }
    return out;
  }();
  return list;
}

std::vector<std::string> fitted_serving_stacks() {
  std::vector<std::string> out{"trtllm", "vllm", "sglang"};
  out.insert(out.end(), std::begin(stacks_of_2024), std::end(stacks_of_2024));
  return out;
}

bool is_in_serving_fit(const ServingRun& run) {
  return is_of_2024(run.stack().id) ? run.mode() == "offline" : run.stack().terms.request_s && run.mode() == "aggregated";
}

Values serving_values_of_presets() {
  Values out;
  for (const ServingParameter& p : serving_parameters()) {
    const Stack& stack = Stacks::presets()[*Stacks::presets().find(p.stacks[0])];
    const StackTermInfo& term = term_info(p.key);
    out.push_back((stack.terms.*term.value).value_or(term.neutral));
  }
  return out;
}

StackTerms serving_terms_under(const Values& values, const Stack& stack) {
  StackTerms terms;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (has(serving_parameters()[i], stack.id))
      terms.*term_info(serving_parameters()[i].key).value = is_fraction(serving_parameters()[i].key) ? std::min(1.0, values[i]) : values[i];
  return terms;
}

std::vector<ServingFigures> serving_held_back(const std::vector<const ServingRun*>& runs, std::size_t folds, const std::string& salt) {
  const auto part = [&](const ServingRun* run) { return part_of(block_of(run->row()) + salt, folds); };
  std::vector<ServingFigures> out(runs.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<const ServingRun*> others;
    for (const ServingRun* run : runs)
      if (part(run) != fold) others.push_back(run);
    const Values values = fitted_to_serving(others);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (part(runs[i]) == fold) out[i] = runs[i]->estimate(serving_terms_under(values, runs[i]->stack()));
  }
  return out;
}

std::vector<EstimatedRun> serving_held_back_inside(const std::vector<const ServingRun*>& runs, std::size_t folds) {
  std::vector<EstimatedRun> out;
  for (std::size_t unseen = 0; unseen < folds; ++unseen) {
    std::vector<const ServingRun*> seen;
    for (const ServingRun* run : runs)
      if (part_of(block_of(run->row()), folds) != unseen) seen.push_back(run);
    const std::vector<ServingFigures> held = serving_held_back(seen, folds, " inside");
    for (std::size_t i = 0; i < seen.size(); ++i) out.push_back({seen[i], held[i]});
  }
  return out;
}

Values fitted_to_serving(const std::vector<const ServingRun*>& runs) {
  Values values;
  for (const ServingParameter& p : serving_parameters()) values.push_back(prior_of(p).value);
  for (const bool of_2024 : {false, true}) {
    std::vector<const ServingRun*> some;
    for (const ServingRun* run : runs)
      if (is_of_2024(run->stack().id) == of_2024) some.push_back(run);
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ServingParameter& p = serving_parameters()[i];
      if (is_of_2024(p.stacks[0]) == of_2024 &&
          std::any_of(some.begin(), some.end(), [&](const ServingRun* r) { return has(p, r->stack().id); }))
        free.push_back(i);
    }
    values =
        robust_fit(std::move(values), free, [&](const Values& at, std::optional<std::size_t> moved, const std::vector<double>& before) {
          std::vector<double> errors = serving_errors(some, at, moved, before);
          for (const std::size_t i : free) {
            const Prior& prior = prior_of(serving_parameters()[i]);
            errors.insert(errors.end(), prior_rows, prior_error * std::log(at[i] / prior.value) / prior.sigma);
          }
          return errors;
        });
  }
  return values;
}

}  // namespace roofline::validation
