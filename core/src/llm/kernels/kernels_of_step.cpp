#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/llm/kernels_of_step.hpp>

#include "base/joined.hpp"
#include "base/sort_stably.hpp"
#include "llm/kernels/kernel_places.hpp"
#include "llm/pass.hpp"
#include "llm/request_json.hpp"
#include "read/text/kernel_name.hpp"
#include "read/trace/step_annotation.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

KernelPlace place_of(const LlmRow& row, const Model& model, bool windows_apart) {
  switch (row.op) {
    case LlmOp::embed:
      return KernelPlace::embedding;
    case LlmOp::input_norm:
    case LlmOp::post_norm:
    case LlmOp::final_norm:
    case LlmOp::residual:
      return KernelPlace::norms;
    case LlmOp::rope:
      return KernelPlace::rope;
    case LlmOp::kv_write:
      return KernelPlace::cache;
    case LlmOp::qk:
    case LlmOp::softmax:
    case LlmOp::pv:
    case LlmOp::attention:
      return row.windowed && windows_apart ? KernelPlace::windowed_attention : KernelPlace::attention;
    case LlmOp::o_proj:
    case LlmOp::kv_b_proj:  // absorbed, it is half before attention and half after
      return model.mla() ? KernelPlace::qkv : KernelPlace::output;
    case LlmOp::gate_proj:
    case LlmOp::up_proj:
      return KernelPlace::mlp_in;
    case LlmOp::act_mul:
      return KernelPlace::activation;
    case LlmOp::down_proj:
      return KernelPlace::mlp_out;
    case LlmOp::router:
      return KernelPlace::router;
    case LlmOp::experts:
      return KernelPlace::experts;
    case LlmOp::shared_experts:
      return KernelPlace::shared_experts;
    case LlmOp::lm_head:
      return KernelPlace::head;
    case LlmOp::all_reduce:
      return KernelPlace::all_reduce;
    case LlmOp::all_to_all:
      return KernelPlace::all_to_all;
    default:  // projections of queries, keys and values
      return KernelPlace::qkv;
  }
}

/// The operators of a step's pass: as many tokens and as much context as it states, spread evenly over its requests; the pairs of a query
/// and a key are the step's own where no window cuts them.
LlmPass pass_of(const StepAnnotation& step) {
  const StepPart all = step.whole();
  return {all.requests, all.queries / all.requests, all.keys / all.requests, step.prefill.requests == 0};
}

void state_pairs(const LlmSetup& setup, const StepAnnotation& step, const LlmPass& pass, LlmRows& rows) {
  const double stated = step.whole().pairs(), even = pass.batch * attention_pairs(pass.query, pass.context, true, 0, false);
  if (!setup.causal || !known(stated) || !(even > 0)) return;
  for (std::size_t i = 0; i < rows.size; ++i) {
    const LlmRow row = rows[i];
    if (row.windowed || (row.op != LlmOp::attention && row.op != LlmOp::qk && row.op != LlmOp::softmax && row.op != LlmOp::pv)) continue;
    rows.matrix_flops[i] *= stated / even;
    rows.vector_flops[i] *= stated / even;
  }
}

/// Kernels of one place in a step.
struct Kernels {
  double time_s = 0;
  std::size_t launches = 0;
};

/// Kernels of one name that no operator stands beside.
struct UnmatchedKernel {
  std::string name;
  Kernels kernels;
};

/// What was matched in all steps, for the diagnostics.
struct MatchStats {
  double all_s = 0, matched_s = 0;
  std::size_t all = 0, matched = 0;
  std::vector<std::string> without_kernel;
  std::vector<UnmatchedKernel> unmatched;
  bool sums_between_machines = false;
};

class StepMatcher {
 public:
  StepMatcher(const Workload& launches, const ServedModel& model, const Scenario& scenario)
      : launches_(launches),
        setup_(model.setup),
        context_(model.context),
        plan_(model.setup, scenario),
        rows_(launches.source, launches.source_format) {
    for (const Channel& c : link_channels(setup_, scenario.machine)) rows_.add_channel(c.name, true);
  }

  Result<Workload> run() {
    if (launches_.source_format != SourceFormat::pytorch)
      return fail("not a trace of PyTorch's profiler: a model is matched to the kernels of one");
    std::optional<Error> refused;
    std::vector<std::vector<std::uint32_t>> of_step(launches_.steps.size());  // rows of launches_
    for (std::uint32_t i = 0; i < launches_.step.size(); ++i) of_step[launches_.step[i]].push_back(i);
    for (std::size_t s = 0; s < of_step.size(); ++s)
      if (Result<void> put = put_step(launches_.steps[s], of_step[s]); !put && !refused) refused = put.error();
    if (stats_.matched == 0)
      return Unexpected(
          refused.value_or(Error{"no step of the trace says what was run: expected annotations such as "
                                 "execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785sqsq32sqsk32785), which vLLM writes with "
                                 "detailed_trace_annotation",
                                 0,
                                 0,
                                 {}}));
    if (2 * stats_.matched_s < stats_.all_s)
      return fail(percent(stats_.matched_s / stats_.all_s) + " of the GPU's time could be matched to operators of " + setup_.model.name +
                  ": expected at least half; without --model the trace opens as it is");
    report(refused);
    Workload out = rows_.take();
    out.own_records = true;
    out.properties = launches_.properties;
    out.device_time = launches_.device_time;
    out.machine_json = launches_.machine_json;
    out.machine_words = launches_.machine_words;
    out.diagnostics.insert(out.diagnostics.begin(), launches_.diagnostics.begin(), launches_.diagnostics.end());
    out.fill_bytes();
    return out;
  }

 private:
  Result<void> put_step(const std::string& name, const std::vector<std::uint32_t>& here) {
    std::vector<StepKernel> kernels;
    for (const std::uint32_t i : here) {
      kernels.push_back({launches_.name_of(i), launches_.time_s[i]});
      stats_.all_s += launches_.time_s[i];
    }
    stats_.all += kernels.size();
    std::optional<StepAnnotation> step = parse_step(name);
    if (step && !step->states_context())
      for (StepPart* part : {&step->prefill, &step->decode}) part->keys = known_or(part->keys, part->requests * context_);
    Result<std::vector<KernelPlace>> places =
        !step ? Result<std::vector<KernelPlace>>(std::vector<KernelPlace>(kernels.size()))
        : step->states_context() && known(step->whole().queries)
            ? places_of(kernels, setup_.model)
            : fail("step \"" + printable(name) +
                   "\" does not state its context: expected sums as vLLM's detailed_trace_annotation writes them, or --context with the "
                   "tokens of each sequence");
    const bool placed = places.has_value() && step;
    put_operators(placed ? &*step : nullptr, name, kernels, placed ? *places : std::vector<KernelPlace>(kernels.size()));
    put_rest(name, here, kernels);
    if (!places) return Unexpected(places.error());
    return {};
  }

  /// A row for every place that the model has operators for. Matched kernels are taken out of `kernels`: their name is empty.
  void put_operators(const StepAnnotation* step, const std::string& name, std::vector<StepKernel>& kernels,
                     const std::vector<KernelPlace>& places) {
    if (!step) return;
    const LlmPass pass = pass_of(*step);
    const auto evaluated = std::make_unique<LlmRows>();
    plan_.evaluate(pass, *evaluated);
    state_pairs(setup_, *step, pass, *evaluated);
    const Workload model = pass_workload(plan_, *evaluated, name, prompt_tokens(setup_, pass));

    std::array<Kernels, kernel_places> ran{};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      Kernels& at = ran[static_cast<std::size_t>(places[i])];
      at.time_s += kernels[i].time_s;
      ++at.launches;
    }
    if (ran[static_cast<std::size_t>(KernelPlace::all_reduce)].launches > 0) stats_.sums_between_machines = true;
    const bool windows_apart = ran[static_cast<std::size_t>(KernelPlace::windowed_attention)].launches > 0;
    std::array<std::vector<std::size_t>, kernel_places> operators;
    std::vector<std::size_t> order;  // places, as the model has them
    for (std::size_t i = 0; i < model.size(); ++i) {
      const auto place = static_cast<std::size_t>(place_of((*evaluated)[i], setup_.model, windows_apart));
      if (operators[place].empty()) order.push_back(place);
      operators[place].push_back(i);
    }
    for (const std::size_t place : order) put_operator(model, operators[place], ran[place], name);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (places[i] == KernelPlace::none || operators[static_cast<std::size_t>(places[i])].empty()) continue;
      stats_.matched_s += kernels[i].time_s;
      ++stats_.matched;
      kernels[i].name.clear();
    }
  }

  void put_operator(const Workload& model, const std::vector<std::size_t>& operators, const Kernels& ran, const std::string& step) {
    OpNumbers n;
    double count = 0;
    std::vector<double> link_bytes(model.channels.size(), unknown);
    std::string name;
    OpClass traits;
    double most = -1;
    bool matrix = false, vector = false;
    for (const std::size_t i : operators) {
      for_each_column([&](const NumberColumn& c) {
        if (c.of == ColumnOf::work && known(c.standard)) n.*c.value += at(model.*c.values, i, c.standard);
      });
      for (std::size_t c = 0; c < link_bytes.size(); ++c)
        if (const double bytes = model.channels[c].bytes[i]; known(bytes)) link_bytes[c] = known_or(link_bytes[c], 0) + bytes;
      count = std::max(count, model.count_of(i));
      name += (name.empty() ? "" : " + ") + model.name_of(i);
      const OpClass& k = model.class_of(i);
      matrix = matrix || k.matrix_work;
      vector = vector || k.vector_work;
      const double weights = at(model.weight, i, 0);
      if (weights > most) most = weights, traits = k;
    }
    if (operators.size() == 1) n.sizes = model.sizes_of(operators[0]);
    traits.matrix_work = matrix;
    traits.vector_work = vector;
    n.count = ran.launches > 0 ? static_cast<double>(ran.launches) : count;
    if (ran.launches > 0)
      n.time_s = ran.time_s;
    else if (std::find(stats_.without_kernel.begin(), stats_.without_kernel.end(), name) == stats_.without_kernel.end())
      stats_.without_kernel.push_back(name);
    push(traits, n, name, step, link_bytes);
  }

  /// The kernels and copies that match no operator of the model, by name; copies with their bytes.
  void put_rest(const std::string& step, const std::vector<std::uint32_t>& here, const std::vector<StepKernel>& kernels) {
    std::vector<std::pair<std::uint32_t, OpNumbers>> rest;  // by the first launch of its name
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (kernels[i].name.empty()) continue;
      const std::uint32_t row = here[i];
      const auto found = std::find_if(rest.begin(), rest.end(), [&](const auto& r) {
        return launches_.shape_hash[r.first] == launches_.shape_hash[row] && launches_.op_class[r.first] == launches_.op_class[row];
      });
      const bool first = found == rest.end();
      OpNumbers& n = first ? rest.emplace_back(row, OpNumbers()).second : found->second;
      n.sizes = launches_.sizes_of(row);
      for_each_column([&](const NumberColumn& c) {
        const double value = at(launches_.*c.values, row, c.standard);
        n.*c.value = first ? value : n.*c.value + value;
      });
    }
    for (const auto& [row, n] : rest) {
      const std::string full = launches_.name_of(row), name(short_kernel_name(full));
      push(launches_.class_of(row), n, name, step, std::vector<double>(rows_.workload().channels.size(), unknown));
      const auto listed =
          std::find_if(stats_.unmatched.begin(), stats_.unmatched.end(), [&](const UnmatchedKernel& l) { return l.name == name; });
      UnmatchedKernel& kernel = listed == stats_.unmatched.end() ? stats_.unmatched.emplace_back(UnmatchedKernel{name, {}}) : *listed;
      kernel.kernels.time_s += n.time_s;
      kernel.kernels.launches += static_cast<std::size_t>(n.count);
    }
  }

  /// `link_bytes`: per channel.
  void push(const OpClass& traits, const OpNumbers& n, const std::string& name, const std::string& step,
            const std::vector<double>& link_bytes) {
    rows_.push({rows_.op_class(traits), n, rows_.keep(name), {}, 0});
    rows_.set_step(step);
    for (std::size_t c = 0; c < link_bytes.size(); ++c) rows_.set_channel(c, link_bytes[c]);
  }

  void report(const std::optional<Error>& refused) {
    const auto share = [&](double time_s) { return percent(time_s / stats_.all_s) + " of the GPU's time"; };
    rows_.note(Severity::info, "matched " + with_commas(stats_.matched) + " of " + with_commas(stats_.all) + " kernels and copies (" +
                                   share(stats_.matched_s) + ", " + seconds(stats_.all_s) + ") to operators of " + setup_.model.name +
                                   ", by order and name");
    for (const std::string& note : assumptions(setup_.model)) rows_.note(Severity::info, note, "model");
    if (refused) rows_.note(Severity::warning, "steps without the model: " + refused->message);
    if (stats_.sums_between_machines && setup_.machines() == 1)
      rows_.note(Severity::warning, "the kernels sum between machines (all-reduce), and " + setup_.model.name +
                                        " is taken to be on one: expected --tp with the number that share it");
    if (!stats_.unmatched.empty()) {
      sort_stably(stats_.unmatched, [](const UnmatchedKernel& a, const UnmatchedKernel& b) { return a.kernels.time_s > b.kernels.time_s; });
      constexpr std::size_t most = 5;
      std::string list;
      for (std::size_t i = 0; i < stats_.unmatched.size() && i < most; ++i) {
        const UnmatchedKernel& kernel = stats_.unmatched[i];
        list += (i > 0 ? ", " : "") + printable(kernel.name) + " (" + with_commas(kernel.kernels.launches) + "x, " +
                seconds(kernel.kernels.time_s) + ")";
      }
      if (stats_.unmatched.size() > most) list += ", ...";
      rows_.note(Severity::info, share(stats_.all_s - stats_.matched_s) + " matches no operator of the model: " + list);
    }
    if (!stats_.without_kernel.empty())
      rows_.note(Severity::info,
                 "predicted only: no kernel's name identifies it, or it is part of another: " + joined(stats_.without_kernel, ", "));
  }

  const Workload& launches_;
  const LlmSetup& setup_;
  const double context_;
  const LlmPlan plan_;
  WorkloadBuilder rows_;
  MatchStats stats_;
};

}  // namespace

Result<ServedModel> parse_served_model(std::string_view json) {
  const auto value = parse_json(json, "a model's request, such as {\"model\": \"llama-3-8b\"}");
  if (!value) return Unexpected(value.error());
  Result<LlmRequest> request = llm_request_from(*value);
  if (!request) return Unexpected(request.error());
  return ServedModel{std::move(request->setup), value->contains("context") ? request->context : unknown};
}

Result<Workload> place_kernels(const Workload& launches, const ServedModel& model, const Scenario& scenario) {
  return StepMatcher(launches, model, scenario).run();
}

}  // namespace roofline
