#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <roofline/accuracy/mix.hpp>
#include <roofline/accuracy/network_plan.hpp>
#include <roofline/base/text.hpp>
#include <set>
#include <unordered_map>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// A node with weights, and the operations that it becomes.
struct PlannedNode {
  const NodeWeights* weights = nullptr;
  std::vector<std::uint32_t> ops;
  std::vector<Range> time_s;  ///< in each option of its layer
};

/// Weights that could change, with all nodes that have them: these share a format.
struct PlannedLayer {
  std::vector<PlannedNode> nodes;
  std::vector<FormatOption> options;  ///< the first: as it is
  std::vector<double> sqnr_db;        ///< of each option
  bool own_error = false;
};

/// Networks run with 8 bits in all operands; formats of fewer bits are for weights, which are dequantised.
Roles roles_in(FormatId format) { return Formats::catalogue()[format].bits >= 8 ? Roles::all : Roles::weights; }

class NetworkPlanner {
 public:
  NetworkPlanner(const OpSet& ops, const std::vector<NodeWeights>& layers, const ByteSource& file, const NetworkPlanOptions& options)
      : ops_(ops), file_(file), options_(options) {
    std::unordered_map<std::string_view, const NodeWeights*> by_name;
    for (const NodeWeights& layer : layers)
      if (layer.floats) by_name.emplace(layer.node, &layer);
    any_floats_ = !by_name.empty();
    std::unordered_map<std::uint32_t, std::size_t> places;         // of weights
    std::unordered_map<const NodeWeights*, std::size_t> in_layer;  // of nodes
    Blocks blocks(ops.plan(), device_axis, !ops.plan().workload().timed());
    for_each_block(blocks, ops, [&](const OpBlock& block) {
      for (std::size_t j = 0; j < block.count; ++j) {
        const double predicted = block.predicted_s[j], time = today_s(block, j);
        if (!(time > 0)) continue;
        total_s_ += time;
        const NodeWeights* weights = weights_of(by_name, ops.plan().workload().name_of(block.index[j]));
        if (!weights || !(predicted > 0)) continue;
        const auto [place, is_new] = places.try_emplace(weights->tensor_id, layers_.size());
        if (is_new) {
          layers_.emplace_back();
          layers_.back().options.push_back({no_format, stored_bytes(*weights), 0, 0});
          layers_.back().sqnr_db.push_back(std::numeric_limits<double>::infinity());
        }
        PlannedLayer& layer = layers_[place->second];
        const auto [node, is_new_node] = in_layer.try_emplace(weights, layer.nodes.size());
        if (is_new_node) layer.nodes.push_back({weights, {}, {{0, 0}}});
        layer.nodes[node->second].ops.push_back(block.index[j]);
        add({time, time}, layer.nodes[node->second].time_s[0]);
        layer.options[0].time_s += time;
        times_[block.index[j]] = {time, predicted};
      }
    });
    std::set<std::uint32_t> counted;
    for (const NodeWeights& layer : layers)
      if (counted.insert(layer.tensor_id).second) total_bytes_ += stored_bytes(layer), stored_.insert(layer.format);
  }

  Result<FormatPlan> plan() {
    if (layers_.empty()) return fail(nothing_to_choose());
    for (const FormatId format : options_.formats)
      if (!Formats::catalogue()[format].quantises())
        return fail("no tool rounds a network's weights to " + Formats::catalogue()[format].name +
                    ": expected formats other than GGUF's types, INT32 and INT64");
    for (PlannedLayer& layer : layers_)
      if (const Result<void> listed = list_options(layer); !listed) return Unexpected(listed.error());
    for (const FormatId format : options_.formats) time(format);
    std::vector<std::vector<FormatOption>> items;
    for (const PlannedLayer& layer : layers_) items.push_back(layer.options);
    const bool by_bytes = options_.budget.kind == BudgetKind::bytes;
    const FormatSweep sweep(items, by_bytes ? &FormatOption::bytes : &FormatOption::time_s);
    const double rest = by_bytes ? total_bytes_ : total_s_;
    double planned = 0;
    for (const PlannedLayer& layer : layers_) planned += by_bytes ? layer.options[0].bytes : layer.options[0].time_s;
    const double value = options_.budget.value;
    const FormatSweep::Choice choice = options_.budget.kind == BudgetKind::sqnr ? sweep.within_noise(std::pow(10, -value / 10))
                                                                                : sweep.within_cost(value - (rest - planned));
    FormatPlan out = described(choice);
    out.front = sweep.front();
    for (SweepPoint& point : out.front) point.cost += rest - planned;
    out.finding = finding(out);
    return out;
  }

 private:
  struct Times {
    double time_s = 0, predicted_s = 0;
  };

  static void add(Range time_s, Range& sum) {
    sum.low += time_s.low;
    sum.high += time_s.high;
  }

  static double stored_bytes(const NodeWeights& layer) { return layer.elements * Formats::catalogue()[layer.format].bytes(); }

  /// An operation is called as its node is, or NODE/PART.
  static const NodeWeights* weights_of(const std::unordered_map<std::string_view, const NodeWeights*>& by_name, const std::string& name) {
    if (const auto found = by_name.find(name); found != by_name.end()) return found->second;
    const auto found = by_name.find(std::string_view(name).substr(0, name.rfind('/')));
    return found == by_name.end() ? nullptr : found->second;
  }

  /// What the file stores instead of weights that can be rounded.
  [[nodiscard]] std::string nothing_to_choose() const {
    if (any_floats_) return "The time of no layer with weights is known on this machine, so no formats can be chosen.";
    if (stored_.empty()) return "The file stores no weight matrices: there are no formats to choose. Open the network with its weights.";
    std::string formats;
    for (const FormatId format : stored_) formats += (formats.empty() ? "" : " and ") + Formats::catalogue()[format].name;
    return "The weights are stored in " + formats + " already: there are no formats to choose. Open the network as it was before it was " +
           "quantised, with weights in FP32, FP16 or BF16.";
  }

  Result<void> list_options(PlannedLayer& layer) {
    const NodeWeights& w = *layer.nodes.front().weights;
    const Result<WeightSample> sample = sample_layer(w, file_);
    if (!sample) return Unexpected(sample.error());
    for (const FormatId format : options_.formats) {
      const double own = sqnr_db(*sample, format), db = known(own) ? own : sqnr_db(format, Sample::gaussian);
      layer.own_error = layer.own_error || known(own);
      layer.options.push_back(
          {format, w.elements * Formats::catalogue()[format].bytes(), 0, std::pow(10, -db / 10) / static_cast<double>(layers_.size())});
      layer.sqnr_db.push_back(db);
      for (PlannedNode& node : layer.nodes) node.time_s.push_back({0, 0});
    }
    return {};
  }

  /// Fills the times of the options in a format. An option costs the most that it may take, so that a budget of time is kept in any case.
  void time(FormatId format) {
    Scenario scenario = ops_.plan().scenario();
    scenario.whatif = with_format({}, format, roles_in(format));
    const Plan plan(ops_.plan().workload(), scenario);
    Blocks blocks(plan);
    struct Op {
      std::uint32_t index;
      PlannedLayer* layer;
      PlannedNode* node;
    };
    std::vector<Op> order;
    for (PlannedLayer& layer : layers_)
      for (PlannedNode& node : layer.nodes)
        for (const std::uint32_t op : node.ops) order.push_back({op, &layer, &node});
    sort_stably(order, [](const Op& a, const Op& b) { return a.index < b.index; });
    std::vector<std::uint32_t> chosen;
    chosen.reserve(order.size());
    for (const Op& op : order) chosen.push_back(op.index);
    for_each_gathered(blocks, chosen, [&](const OpBlock& block, std::size_t first) {
      for (std::size_t j = 0; j < block.count; ++j) {
        const Op& op = order[first + j];
        const Times& now = times_.at(op.index);
        const Range then =
            block.whatif_s[j] > 0 ? whatif_times(now.time_s, now.predicted_s, block.whatif_s[j]) : Range{now.time_s, now.time_s};
        for (std::size_t i = 0; i < op.layer->options.size(); ++i)
          if (op.layer->options[i].format == format) op.layer->options[i].time_s += then.high, add(then, op.node->time_s[i]);
      }
    });
  }

  [[nodiscard]] FormatPlan described(const FormatSweep::Choice& choice) const {
    FormatPlan out;
    out.subject = ops_.plan().workload().source;
    out.machine = ops_.plan().scenario().machine.id;
    out.budget = options_.budget;
    out.activations = true;
    out.bytes = total_bytes_;
    out.today_s = total_s_;
    Range time{total_s_, total_s_};
    double noise = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const PlannedLayer& layer = layers_[l];
      const FormatOption& chosen = layer.options[choice[l]];
      out.bytes += chosen.bytes - layer.options[0].bytes;
      noise += chosen.noise;
      for (const PlannedNode& node : layer.nodes) {
        const NodeWeights& w = *node.weights;
        const bool first = &node == &layer.nodes.front();
        const Range then = node.time_s[choice[l]];
        add({then.low - node.time_s[0].low, then.high - node.time_s[0].high}, time);
        const FormatOption own{chosen.format, first ? chosen.bytes : 0, then.high, first ? chosen.noise : 0};
        out.tensors.push_back({w.node, w.module, w.tensor, w.type, w.elements, own, layer.sqnr_db[choice[l]], layer.own_error,
                               first ? std::string() : layer.nodes.front().weights->node, w.unnamed_output,
                               chosen.format == no_format ? std::nullopt : std::optional(roles_in(chosen.format))});
      }
    }
    out.time_s = time.high;
    out.least_s = time.low;
    out.sqnr_db = -10 * std::log10(noise);
    const bool sqnr = options_.budget.kind == BudgetKind::sqnr;
    out.reached = sqnr ? out.sqnr_db : options_.budget.kind == BudgetKind::time ? out.time_s : out.bytes;
    out.admissible = sqnr ? out.reached >= options_.budget.value - 1e-9 : out.reached <= options_.budget.value * (1 + 1e-12);
    return out;
  }

  [[nodiscard]] std::string finding(const FormatPlan& plan) const {
    const BudgetKind kind = plan.budget.kind;
    std::map<FormatId, std::size_t> counts;
    std::size_t unchanged = 0;
    for (const PlannedTensor& t : plan.tensors) t.chosen.format == no_format ? ++unchanged : ++counts[t.chosen.format];
    const auto named = [](FormatId format) { return formats_words(with_format({}, format, roles_in(format))); };
    const std::string formats = layers_by_format(counts, unchanged, "layer", named);
    const double missed = std::fabs(plan.reached - plan.budget.value);
    const std::string budget = budget_text(kind, plan.budget.value);
    const std::string kept = plan.admissible
                                 ? (kind == BudgetKind::sqnr ? "At " : "Within ") + budget + ", "
                                 : "No plan keeps to " + budget + ". The nearest misses it by " + budget_text(kind, missed) + ": ";
    const auto range = [](const std::string& low, const std::string& high) { return low == high ? high : low + " to " + high; };
    const Range gain = speedup(plan.today_s, {plan.least_s, plan.time_s});
    return kept + formats + ": " + range(times(gain.low), times(gain.high)) + " (" +
           (ops_.workload().time_s.empty() ? "an estimated " : "") + seconds(plan.today_s) + " today, then " +
           range(seconds(plan.least_s), seconds(plan.time_s)) + "). Weights " + with_unit(total_bytes_, "B") + " to " +
           with_unit(plan.bytes, "B") +
           (std::isfinite(plan.sqnr_db) ? ", SQNR " + number(plan.sqnr_db) + " dB, " + basis_of_errors(plan) + '.' : ", nothing is lost.") +
           (kind == BudgetKind::sqnr ? refusal_of(plan.budget.value, main_format(counts), plan) : std::string());
  }

  /// How the SQNR was obtained: "measured on the file's weights; the error of activations is not included".
  [[nodiscard]] static std::string basis_of_errors(const FormatPlan& plan) {
    std::size_t rounded = 0, own = 0;
    bool activations = false;
    for (const PlannedTensor& t : plan.tensors) {
      if (t.chosen.format == no_format) continue;
      ++rounded;
      own += t.own_error ? 1 : 0;
      activations = activations || t.operands != std::optional(Roles::weights);
    }
    const std::string of_weights = own == rounded ? "measured on the file's weights"
                                   : own == 0     ? "assumed for weights: the file has none"
                                                  : "measured on the weights of " + with_commas(own) + " of " +
                                                    quantity(rounded, "layer", "layers") + " and assumed for the others";
    return of_weights + (activations ? "; the error of activations is not included" : "");
  }

  /// The sentence about formats that would make a layer faster but that no layer can take within the budget.
  [[nodiscard]] std::string refusal_of(double least_db, FormatId taken, const FormatPlan& plan) const {
    std::map<FormatId, double> most_db;
    for (const PlannedLayer& layer : layers_)
      for (std::size_t i = 1; i < layer.options.size(); ++i)
        if (const double db = layer.sqnr_db[i]; known(db) && layer.options[i].time_s < layer.options[0].time_s * 0.9999)
          if (double& most = most_db.try_emplace(layer.options[i].format, db).first->second; db > most) most = db;
    double taken_db = unknown;
    for (const PlannedTensor& t : plan.tensors) {
      if (t.chosen.format == no_format) continue;
      most_db.erase(t.chosen.format);  // in use: the budget limits the mean over all layers
      if (t.chosen.format == taken && !(t.sqnr_db >= taken_db)) taken_db = t.sqnr_db;
    }
    return refusal(refused_formats(most_db, least_db), taken_db >= least_db ? taken : no_format, taken_db,
                   budget_text(BudgetKind::sqnr, least_db));
  }

  const OpSet& ops_;
  const ByteSource& file_;
  const NetworkPlanOptions& options_;
  std::vector<PlannedLayer> layers_;
  std::unordered_map<std::uint32_t, Times> times_;
  double total_s_ = 0, total_bytes_ = 0;
  bool any_floats_ = false;
  std::set<FormatId> stored_;  ///< formats of weights in the file
};

}  // namespace

Result<WeightSample> sample_layer(const NodeWeights& layer, const ByteSource& file) {
  if (layer.data == 0) return WeightSample();
  Result<WeightSample> read = sample_weights(file, {layer.data, static_cast<std::uint64_t>(layer.elements),
                                                    static_cast<std::uint64_t>(layer.row), layer.format, layer.k_is_first_dimension});
  if (!read) return fail("weights \"" + printable(layer.tensor) + "\": " + read.error().message);
  return read;
}

Result<FormatPlan> plan_network(const OpSet& ops, const std::vector<NodeWeights>& layers, const ByteSource& file,
                                const NetworkPlanOptions& options) {
  return NetworkPlanner(ops, layers, file, options).plan();
}

}  // namespace roofline
