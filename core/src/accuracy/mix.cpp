#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <roofline/accuracy/mix.hpp>
#include <roofline/base/text.hpp>
#include <set>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_layers = 20000;
constexpr double least_shown_speedup = 1.005;

/// What people ask for comes first: integers, integers in groups, floating formats, those in blocks, GGUF's types.
int refusal_order(FormatId id) {
  const Format& format = Formats::catalogue()[id];
  if (!format.quantises()) return 4;
  return (format.family == FormatFamily::integer ? 0 : 2) + (format.block > 1 ? 1 : 0);
}

/// A format that an operation could take.
struct Candidate {
  FormatId format = no_format;
  double sqnr_db = unknown, predicted_s = unknown;
};

struct Layer {
  std::uint32_t op = 0;
  double predicted_s = unknown, time_s = unknown;  ///< time_s: measured, else the estimate
  Limit limit = Limit::unknown;
  std::vector<Candidate> candidates;  ///< faster than today, the fastest first
  /// Whether a format may be advised: a roof is known to limit it.
  [[nodiscard]] bool advised() const { return limit != Limit::neither && limit != Limit::unknown; }
  [[nodiscard]] const Candidate* best(double threshold_db) const {
    for (const Candidate& c : candidates)
      if (c.sqnr_db >= threshold_db) return &c;
    return nullptr;
  }
  [[nodiscard]] Range then_s(const Candidate* c) const {
    return c ? whatif_times(time_s, predicted_s, c->predicted_s) : Range{time_s, time_s};
  }
  /// Whether the speed-up at best is not shown as 1x.
  [[nodiscard]] bool gains_from(const Candidate& c) const { return c.predicted_s > 0 && time_s >= least_shown_speedup * then_s(&c).low; }
};

/// Whether formats can be advised for its weights: those of a normalisation are a few numbers that every tool leaves as they are.
bool quantisable(const OpClass& op_class) { return op_class.weight != no_format && op_class.family != OpFamily::normalisation; }

/// Returns the operations with a bound and weights to quantise. Adds to `mix` the time of the set, and the operations without such weights.
std::vector<Layer> layers_of(const OpSet& ops, Mix& mix) {
  const Workload& w = ops.plan().workload();
  std::vector<Layer> layers;
  Blocks blocks(ops.plan(), device_axis, !w.timed());
  for_each_block(blocks, ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      const double predicted = block.predicted_s[j], time = today_s(block, j);
      if (time > 0) mix.time_s += time;
      if (!(predicted > 0)) continue;
      if (!quantisable(w.class_of(block.index[j]))) {
        ++mix.not_quantisable;
        mix.not_quantisable_s += time;
        continue;
      }
      layers.push_back({block.index[j], predicted, time, limit_of(ops.plan(), block, j), {}});
    }
  });
  return layers;
}

/// Adds to a time of the whole set what a choice changes in it.
void change(Range& time_s, const Layer& layer, const Candidate* c) {
  const Range then = layer.then_s(c);
  time_s.low += then.low - layer.time_s;
  time_s.high += then.high - layer.time_s;
}

/// Keeps the layers with the most time, in the order of the source; returns how many it leaves out.
std::size_t keep_longest(std::vector<Layer>& layers) {
  const std::size_t left_out = layers.size() > most_layers ? layers.size() - most_layers : 0;
  if (left_out > 0) {
    std::nth_element(layers.begin(), layers.begin() + most_layers, layers.end(),
                     [](const Layer& a, const Layer& b) { return a.time_s > b.time_s; });
    layers.resize(most_layers);
  }
  sort_stably(layers, [](const Layer& a, const Layer& b) { return a.op < b.op; });
  return left_out;
}

void find_candidates(std::vector<Layer>& layers, const OpSet& ops, const std::vector<FormatId>& formats, Roles roles, const Sqnr& sqnr) {
  std::vector<std::uint32_t> chosen;
  for (const Layer& layer : layers) chosen.push_back(layer.op);
  for (const FormatId format : formats) {
    Scenario scenario = ops.plan().scenario();
    scenario.whatif = with_format({}, format, roles);
    const Plan plan(ops.plan().workload(), scenario);
    Blocks blocks(plan);
    for_each_gathered(blocks, chosen, [&](const OpBlock& block, std::size_t first) {
      for (std::size_t j = 0; j < block.count; ++j) {
        Layer& layer = layers[first + j];
        const Candidate candidate{format, sqnr(layer.op, format), block.whatif_s[j]};
        if (layer.advised() && known(candidate.sqnr_db) && layer.gains_from(candidate)) layer.candidates.push_back(candidate);
      }
    });
  }
  for (Layer& layer : layers)
    sort_stably(layer.candidates, [](const Candidate& a, const Candidate& b) {
      return a.predicted_s < b.predicted_s * 0.9999 || (a.predicted_s <= b.predicted_s * 1.0001 && a.sqnr_db > b.sqnr_db);
    });
}

/// The one format for all layers with the least time.
void choose_uniform(Mix& out, const std::vector<Layer>& layers, const std::vector<FormatId>& formats, double threshold_db) {
  for (const FormatId format : formats) {
    Range time{out.time_s, out.time_s};
    double least_db = std::numeric_limits<double>::infinity();  // of the layers that gain from it
    for (const Layer& layer : layers)
      for (const Candidate& c : layer.candidates)
        if (c.format == format) change(time, layer, &c), least_db = std::min(least_db, c.sqnr_db);
    if (time.low < out.time_s && least_db >= threshold_db && !(time.low >= out.uniform_s.low)) out.uniform = format, out.uniform_s = time;
  }
}

/// Counts an unchanged layer if its quantised weights have an SQNR below the threshold.
void add_already_below(Mix& out, FormatId own, double sqnr_db, double threshold_db) {
  constexpr double most_bits = 8;  // wider formats are what people quantise from
  if (!(sqnr_db < threshold_db) || Formats::catalogue()[own].bits > most_bits) return;
  ++out.already_below;
  if (!(out.least_accurate.sqnr_db <= sqnr_db)) out.least_accurate = {own, sqnr_db};
}

void choose_per_layer(Mix& out, const std::vector<Layer>& layers, const Workload& w, const Sqnr& sqnr, double threshold_db) {
  out.then_s = {out.time_s, out.time_s};
  for (const Layer& layer : layers) {
    const Candidate* best = layer.best(threshold_db);
    if (const FormatId own = w.class_of(layer.op).weight; !best) add_already_below(out, own, sqnr(layer.op, own), threshold_db);
    LayerChoice choice{layer.op, no_format, unknown, layer.time_s, layer.then_s(best), layer.limit};
    if (best) choice.format = best->format, choice.sqnr_db = best->sqnr_db;
    out.limited_by_neither += layer.limit == Limit::neither ? 1 : 0;
    out.limit_unknown += layer.limit == Limit::unknown ? 1 : 0;
    change(out.then_s, layer, best);
    out.layers.push_back(choice);
  }
}

/// The speed-up at each SQNR threshold, from the highest threshold down.
void compute_curve(Mix& out, const std::vector<Layer>& layers) {
  std::vector<double> thresholds;
  for (const Layer& layer : layers)
    for (const Candidate& c : layer.candidates) thresholds.push_back(c.sqnr_db);
  std::sort(thresholds.begin(), thresholds.end(), std::greater<>());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  constexpr std::size_t most_points = 64;
  const std::size_t step = std::max<std::size_t>(1, (thresholds.size() + most_points - 1) / most_points);
  std::set<FormatId> before;
  for (std::size_t i = 0; i < thresholds.size(); i += step) {
    double time = out.time_s;
    std::set<FormatId> taken;
    for (const Layer& layer : layers) {
      const Candidate* best = layer.best(thresholds[i]);
      time += layer.then_s(best).low - layer.time_s;
      if (best) taken.insert(best->format);
    }
    const double speedup = out.time_s / time;
    if (!out.curve.empty() && !(speedup > out.curve.back().speedup)) continue;
    out.curve.push_back({thresholds[i], speedup, {}});
    std::set_difference(taken.begin(), taken.end(), before.begin(), before.end(), std::back_inserter(out.curve.back().formats));
    before = std::move(taken);
  }
}

}  // namespace

Mix mix_formats(const OpSet& ops, const std::vector<FormatId>& formats, Roles roles, double threshold_db, const Sqnr& sqnr) {
  Mix out;
  out.roles = roles;
  out.language_model = ops.workload().source_format == SourceFormat::model;
  std::vector<Layer> layers = layers_of(ops, out);
  out.left_out = keep_longest(layers);
  find_candidates(layers, ops, formats, roles, sqnr);
  std::map<FormatId, double> most_db;
  for (const Layer& layer : layers)
    for (const Candidate& c : layer.candidates) most_db.try_emplace(c.format, c.sqnr_db);
  for (auto& [format, most] : most_db)  // over the layers that do not gain from it, too
    for (const Layer& layer : layers)
      if (const double db = sqnr(layer.op, format); db > most) most = db;
  out.refused = refused_formats(most_db, threshold_db);
  choose_uniform(out, layers, formats, threshold_db);
  choose_per_layer(out, layers, ops.workload(), sqnr, threshold_db);
  compute_curve(out, layers);
  return out;
}

std::string refusal(const std::vector<MixFormat>& refused, FormatId taken, double least_db, const std::string& threshold) {
  if (refused.empty()) return {};
  const auto name = [](FormatId format) { return Formats::catalogue()[format].describe({}); };  // "INT4 in groups of 128"
  const auto db = [](double v) { return v - v == 0 ? number(v) + " dB" : "no loss"; };
  const std::string groups = Formats::catalogue()[refused[0].format].name + ", ";
  double in_groups = unknown;
  for (const MixFormat& other : refused)
    if (Formats::catalogue()[other.format].name.starts_with(groups) && !(other.sqnr_db <= in_groups)) in_groups = other.sqnr_db;
  return " No layer can use " + name(refused[0].format) + " at " + threshold + " (best layer: " + db(refused[0].sqnr_db) +
         (known(in_groups) ? ", in groups " + number(in_groups) + " dB" : "") + ')' +
         (taken == no_format ? "." : ". " + name(taken) + " can (worst layer: " + db(least_db) + ").");
}

FormatId main_format(const std::map<FormatId, std::size_t>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? no_format : most->first;
}

std::string layers_by_format(const std::map<FormatId, std::size_t>& counts, std::size_t unchanged, const std::string& layer,
                             const std::function<std::string(FormatId)>& named) {
  std::vector<std::pair<FormatId, std::size_t>> by_count(counts.begin(), counts.end());
  sort_stably(by_count, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  const auto add = [&](std::size_t n, const char* one, const char* several, const std::string& what) {
    out += (out.empty() ? quantity(n, layer, layer + 's') : ", " + with_commas(n)) + (n == 1 ? one : several) + what;
  };
  for (const auto& [format, n] : by_count) add(n, " takes ", " take ", named(format));
  if (unchanged > 0) add(unchanged, " is ", " are ", "unchanged");
  return out;
}

std::vector<MixFormat> refused_formats(const std::map<FormatId, double>& most_db, double threshold_db) {
  std::vector<MixFormat> out;
  const Formats& formats = Formats::catalogue();
  // FP8 E5M2 is not listed as refused if FP8 E4M3 meets the threshold, or the reverse.
  const auto same_width_float = [&](FormatId other, FormatId format) {
    return formats[format].family == FormatFamily::floating && formats[other].family == FormatFamily::floating &&
           formats[format].block <= 1 && formats[other].block <= 1 && formats[format].bits == formats[other].bits;
  };
  for (const auto& [format, db] : most_db) {
    const bool represented = std::any_of(most_db.begin(), most_db.end(), [&, id = format](const auto& other) {
      return other.second >= threshold_db && same_width_float(other.first, id);
    });
    if (db < threshold_db && !represented) out.push_back({format, db});
  }
  sort_stably(out, [](const MixFormat& a, const MixFormat& b) {
    const int first = refusal_order(a.format), second = refusal_order(b.format);
    return first != second ? first < second : a.sqnr_db > b.sqnr_db;
  });
  return out;
}

namespace {

std::string refusal(const Mix& mix, FormatId taken, const std::string& threshold) {
  double least = unknown;
  std::vector<MixFormat> refused = mix.refused;  // "no layer can use INT4" is not said where one takes INT4 in groups
  const auto taken_in_groups = [&](const MixFormat& f) {
    return std::any_of(mix.layers.begin(), mix.layers.end(), [&](const LayerChoice& layer) {
      return layer.format != no_format && Formats::catalogue()[layer.format].name.starts_with(Formats::catalogue()[f.format].name + ",");
    });
  };
  refused.erase(std::remove_if(refused.begin(), refused.end(), taken_in_groups), refused.end());
  for (const LayerChoice& layer : mix.layers)
    if (layer.format == taken && !(layer.sqnr_db >= least)) least = layer.sqnr_db;
  return refusal(refused, taken, least, threshold);
}

}  // namespace

Finding mix_finding(const Mix& mix, double threshold_db) {
  Finding out;
  if (mix.layers.empty()) return out;
  std::map<FormatId, std::size_t> counts;
  std::size_t stay = 0;
  for (const LayerChoice& layer : mix.layers) layer.format == no_format ? ++stay : ++counts[layer.format];
  const std::string threshold = std::to_string(std::lround(threshold_db)) + " dB", at = "At " + threshold;
  const std::string layer = mix.language_model ? "operation" : "layer", layers = layer + 's';
  std::string unchanged;
  const bool all_by_neither = mix.limited_by_neither == mix.layers.size();
  if (mix.limited_by_neither > 0 && !all_by_neither)
    unchanged += ' ' + quantity(mix.limited_by_neither, layer + " keeps its formats", layers + " keep their formats") +
                 ": neither compute nor memory limits " + (mix.limited_by_neither == 1 ? "it." : "them.");
  if (mix.already_below > 0)
    unchanged += " Already below " + threshold + ": " + quantity(mix.already_below, layer, layers) + ", lowest in " +
                 Formats::catalogue()[mix.least_accurate.format].describe({}) + " (" + number(mix.least_accurate.sqnr_db) + " dB).";
  if (mix.limit_unknown > 0) unchanged += " " + quantity(mix.limit_unknown, layer + " has", layers + " have") + " an unknown limit.";
  if (all_by_neither)
    return out.say(
        "Neither compute nor memory limits " + (stay == 1 ? "the only " + layer : "any of the " + quantity(stay, layer, layers)) +
        " with weights: a narrower format may not make " + (stay == 1 ? "it" : "them") + " faster." + refusal(mix, no_format, threshold));
  if (counts.empty())
    return out.say(at + ", no format makes " +
                   (mix.layers.size() == 1 ? "the only " + layer : "any of the " + quantity(mix.layers.size(), layer, layers)) +
                   " with weights faster." + refusal(mix, no_format, threshold) + unchanged);
  const auto gain_words = [&](Range then_s) {
    const Range gained = speedup(mix.time_s, then_s);
    const std::string low = times(gained.low), high = times(gained.high);
    return low == high ? high : low + " to " + high;
  };
  const auto gain = [&](Range then_s) {
    const std::string today = seconds(mix.time_s) + " today / " + seconds(then_s.low), low = times(speedup(mix.time_s, then_s).low);
    const std::string words = gain_words(then_s);
    return out.figure(words, {words == low ? today : today + "; " + low + " where the time above the bound stays"});
  };
  if (mix.time_s / mix.then_s.low < least_gain) {
    if (gain_words(mix.then_s) == times(1))
      return out.say(at + ", no choice of formats is faster in total." + refusal(mix, no_format, threshold) + unchanged);
    out.say(at + ", formats by layer gain only ");
    gain(mix.then_s);
    return out.say("." + refusal(mix, no_format, threshold) + unchanged);
  }
  const auto named = [&](FormatId format) { return formats_words(with_format({}, format, mix.roles)); };
  out.say(at + ", " + layers_by_format(counts, stay, layer, named) + ": ");
  gain(mix.then_s);
  if (counts.size() > 1 && mix.uniform != no_format && gain_words(mix.uniform_s) != gain_words(mix.then_s)) {
    out.say(". " + Formats::catalogue()[mix.uniform].name + " in all " + layers + ": ");
    gain(mix.uniform_s);
  }
  if (mix.not_quantisable > 0)
    out.say(". " + quantity(mix.not_quantisable, "operation without weights to quantise (", "operations without weights to quantise ("))
        .figure(percent(mix.not_quantisable_s / mix.time_s), {seconds(mix.not_quantisable_s) + " of " + seconds(mix.time_s)})
        .say(mix.not_quantisable == 1 ? " of the time) keeps its format" : " of the time) keep their formats");
  return out.say("." + refusal(mix, main_format(counts), threshold) + unchanged);
}

}  // namespace roofline
