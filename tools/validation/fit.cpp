#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "robust_fit.hpp"

namespace roofline::validation {
namespace {

const StackTermInfo& info(std::string_view key) {
  for (const StackTermInfo& term : stack_terms())
    if (term.key == key) return term;
  std::abort();
}

bool shares(const Parameter& p, const std::string& stack) { return std::find(p.stacks.begin(), p.stacks.end(), stack) != p.stacks.end(); }

/// ln(estimated / measured) of every run; of those without the parameter that moved, what it was.
std::vector<double> errors(const std::vector<const Run*>& runs, const Values& values, const Parameter* moved = nullptr,
                           const std::vector<double>& before = {}) {
  std::vector<double> out(runs.size());
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      for (std::size_t i = w; i < runs.size(); i += workers)
        if (moved && !shares(*moved, runs[i]->stack().id))
          out[i] = before[i];
        else
          out[i] = std::log(runs[i]->estimate_s(terms_under(values, runs[i]->stack())) / runs[i]->measured_s());
    });
  for (std::thread& t : threads) t.join();
  return out;
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const std::vector<std::string> all{"fused", "fastertransformer", "llama.cpp-cuda", "llama.cpp-metal", "eager"};
  static const std::vector<std::string> unfused{"llama.cpp-cuda", "llama.cpp-metal", "eager"};
  static const std::vector<std::string> kernels{"kernels", "kernels-rocm", "rocblas", "hipblaslt", "aiter"};
  static const std::vector<Parameter> list{{"compute", all},
                                           {"all_reduce_s", all},
                                           {"nvlink", all},
                                           {"pcie", all},
                                           {"other_link", all},
                                           {"widen", all},
                                           {"layer_s", {"fused"}},
                                           {"layer_s", {"fastertransformer", "eager"}},
                                           {"layer_s", {"llama.cpp-cuda"}},
                                           {"layer_s", {"llama.cpp-metal"}},
                                           {"elementwise", unfused},
                                           {"score_bytes", unfused},
                                           {"bandwidth", kernels},
                                           {"tile_s", kernels},
                                           {"misaligned", kernels},
                                           {"attention", {"kernels"}},
                                           {"attention", {"kernels-rocm"}},
                                           {"attention_s", {"kernels-rocm"}},
                                           {"launch_s", {"kernels"}},
                                           {"compute", {"kernels"}},
                                           {"launch_s", {"rocblas"}},
                                           {"compute", {"rocblas"}},
                                           {"launch_s", {"hipblaslt", "kernels-rocm"}},
                                           {"compute", {"hipblaslt", "kernels-rocm"}},
                                           {"launch_s", {"aiter"}},
                                           {"compute", {"aiter"}},
                                           {"compute", {"npu-hailo-8"}},
                                           {"run_s", {"npu-hailo-8"}},
                                           {"compute", {"npu-hailo-8l"}},
                                           {"run_s", {"npu-hailo-8l"}},
                                           {"compute", {"npu-rk3588"}},
                                           {"run_s", {"npu-rk3588"}},
                                           {"compute", {"npu-rk3576"}},
                                           {"run_s", {"npu-rk3576"}},
                                           {"compute", {"npu-coral"}},
                                           {"run_s", {"npu-coral"}}};
  return list;
}

Values values_of_presets() {
  Values out;
  for (const Parameter& p : parameters()) {
    const Stack& stack = Stacks::presets()[*Stacks::presets().find(p.stacks[0])];
    const StackTermInfo& term = info(p.key);
    out.push_back((stack.terms.*term.value).value_or(term.neutral));
  }
  return out;
}

StackTerms terms_under(const Values& values, const Stack& stack) {
  StackTerms terms;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (shares(parameters()[i], stack.id)) terms.*info(parameters()[i].key).value = values[i];
  return terms;
}

Values fitted(const std::vector<const Run*>& runs) {
  Values values = values_of_presets();
  std::vector<std::size_t> free;  // the parameters that some run depends on
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0 && std::any_of(runs.begin(), runs.end(), [&](const Run* r) { return shares(parameters()[i], r->stack().id); }))
      free.push_back(i);
  return robust_fit(std::move(values), free, [&](const Values& at, std::optional<std::size_t> moved, const std::vector<double>& before) {
    return errors(runs, at, moved ? &parameters()[*moved] : nullptr, before);
  });
}

std::vector<double> held_back(const std::vector<std::unique_ptr<Run>>& runs, const std::function<std::string(const Run&)>& block,
                              std::size_t folds) {
  std::vector<double> out(runs.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<const Run*> others;
    for (const auto& run : runs)
      if (stable_hash(block(*run)) % folds != fold) others.push_back(run.get());
    const Values values = fitted(others);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (stable_hash(block(*runs[i])) % folds == fold)
        out[i] = runs[i]->estimate_s(terms_under(values, runs[i]->stack())) / runs[i]->measured_s();
  }
  return out;
}

}  // namespace roofline::validation
