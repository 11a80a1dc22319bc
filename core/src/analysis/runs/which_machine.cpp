#include <algorithm>
#include <cmath>
#include <cstring>
#include <roofline/analysis/which_machine.hpp>
#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <tuple>
#include <unordered_map>

#include "analysis/blocks.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// One operation; of more than 1,024 all those with the same formats whose rates differ by a quarter at most, which is less than what
/// counts as beyond a roof. It has the highest rates of its operations, so that it exceeds every roof that one of them exceeds.
struct Kind {
  double matrix = 0, vector = 0, bytes = unknown;  ///< FLOP/s, B/s
  double weight = 0;                               ///< time; of rates alone, operations
  std::uint32_t formats = 0;                       ///< index into Points::workload.classes
};

std::uint64_t quarter_octave(double rate) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &rate, sizeof bits);
  return rate > 0 ? bits >> 50 : 0;  // exponent and the first two bits of the fraction
}

/// What a workload's operations do, few enough to hold against every machine.
class Points {
 public:
  explicit Points(const OpSet& ops) {
    const Workload& w = ops.workload();
    std::vector<std::uint32_t> formats;
    for (const OpClass& op_class : w.classes) formats.push_back(formats_of(op_class));
    std::vector<Kind> kinds;
    std::unordered_map<std::uint64_t, std::size_t> of_rates;
    const bool each_alone = w.size() <= 1024;
    double rates_only = 0;
    const auto flops_of = [](const std::vector<double>& column, std::uint32_t op) { return column.empty() ? 0 : column[op]; };
    for_each_block(ops.unfiltered(), [&](const OpBlock& block) {
      for (std::size_t j = 0; j < block.count; ++j) {
        const std::uint32_t op = block.index[j];
        const double time = block.time_s[j];
        if (!(time > 0)) continue;
        const double matrix = flops_of(w.matrix_flops, op) / time, vector = flops_of(w.vector_flops, op) / time;
        const double bytes = block.bytes[j] / time;
        if (!(matrix > 0) && !(vector > 0) && !(bytes > 0)) continue;
        if (const double both = matrix + vector; both > 0 && !(both <= flops)) {
          flops = both;
          integer = matrix > 0 && is_integer_product(w.classes[w.op_class[op]]);
        }
        if (!(bytes <= bandwidth)) bandwidth = known(bytes) ? bytes : bandwidth;
        const std::uint32_t f = formats[w.op_class[op]];
        const std::uint64_t rates =
            (((static_cast<std::uint64_t>(f) << 14 | quarter_octave(matrix)) << 14 | quarter_octave(vector)) << 14) | quarter_octave(bytes);
        const std::uint64_t key = each_alone ? op : rates;
        const auto [found, is_new] = of_rates.try_emplace(key, kinds.size());
        if (is_new) kinds.push_back({0, 0, unknown, 0, f});
        Kind& kind = kinds[found->second];
        kind.matrix = std::max(kind.matrix, known(matrix) ? matrix : 0);
        kind.vector = std::max(kind.vector, known(vector) ? vector : 0);
        if (!(bytes <= kind.bytes)) kind.bytes = known(bytes) ? bytes : kind.bytes;
        const bool stand_in = block.rates_only && block.rates_only[j] != 0;
        const double self = block.self_time_s[j];
        kind.weight += stand_in ? 0 : self > 0 ? self : time;
        rates_only += stand_in ? 1 : 0;
        whole += stand_in ? 0 : self > 0 ? self : time;
      }
    });
    if (whole == 0 && rates_only > 0) {  // rates alone: each kind counts alike
      for (Kind& kind : kinds) kind.weight = 1;
      whole = static_cast<double>(kinds.size());
    }
    class_weights.resize(workload.classes.size());
    for (const Kind& kind : kinds) {
      class_weights[kind.formats] += kind.weight;
      workload.op_class.push_back(kind.formats);
      workload.matrix_flops.push_back(kind.matrix);
      workload.vector_flops.push_back(kind.vector);
      workload.bytes.push_back(kind.bytes);
      workload.given_bytes.push_back(kind.bytes);
      workload.time_s.push_back(1);
      weights.push_back(kind.weight);
    }
  }

  Workload workload;                  ///< one second of each kind
  std::vector<double> weights;        ///< Kind::weight
  std::vector<double> class_weights;  ///< their sums by class
  double whole = 0;
  double flops = unknown, bandwidth = unknown;
  bool integer = false;  ///< WhichMachine::integer

 private:
  static bool is_integer_product(const OpClass& c) {
    return Formats::is_integer(c.activation) && (c.weight == no_format || Formats::is_integer(c.weight));
  }
  std::uint32_t formats_of(const OpClass& op_class) {
    OpClass formats;
    formats.weight = op_class.weight;
    formats.activation = op_class.activation;
    formats.kv = op_class.kv;
    formats.matrix_work = op_class.matrix_work;
    formats.vector_work = op_class.vector_work;
    const auto found = std::find(workload.classes.begin(), workload.classes.end(), formats);
    if (found != workload.classes.end()) return static_cast<std::uint32_t>(found - workload.classes.begin());
    workload.classes.push_back(formats);
    return static_cast<std::uint32_t>(workload.classes.size() - 1);
  }
};

/// "HBM bandwidth", "FP16 peak".
std::string roof_name(const Plan& plan, std::size_t op, std::size_t resource) {
  const Resource& bound = plan.resources()[resource];
  if (bound.kind != ResourceKind::compute) return bound.name + " bandwidth";
  const FormatId format = plan.rates(plan.workload().op_class[op]).compute;
  return format == no_format ? "peak" : Formats::catalogue()[format].name + " peak";
}

void hold_against(const Points& points, MachineCandidate& candidate) {
  Scenario scenario;
  scenario.machine = *candidate.machine;
  const Plan plan(points.workload, scenario);
  const double above_peak = std::max(Summary::above_roof_ratio, candidate.machine->clock_headroom());
  double beyond = 0, lacking = 0;
  std::size_t highest = 0, bound = 0;
  for_each_block(plan, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      const double efficiency = block.predicted_s[j];  // of one second
      if (efficiency > 0 && !(efficiency <= candidate.reach)) {
        candidate.reach = efficiency;
        highest = block.index[j];
        bound = static_cast<std::size_t>(block.bound[j]);
      }
      if (efficiency > (block.bound[j] > 0 ? Summary::above_roof_ratio : above_peak)) beyond += points.weights[block.index[j]];
    }
  });
  for (std::size_t k = 0; k < points.class_weights.size(); ++k)
    if (points.workload.classes[k].matrix_work && plan.rates(k).compute != plan.rates(k).wanted) lacking += points.class_weights[k];
  if (known(candidate.reach)) candidate.roof = roof_name(plan, highest, bound);
  if (bound == 0) candidate.tolerance = std::max(candidate.tolerance, candidate.machine->clock_headroom());
  if (points.whole > 0) candidate.beyond = beyond / points.whole;
  candidate.lacks_a_format = lacking > Summary::mismatch_share * points.whole;
}

/// Smaller comes first.
auto rank(const MachineCandidate& c) {
  constexpr double distance_step = 0.05;  // smaller differences in distance do not identify a machine
  const double distance = known(c.reach) ? std::abs(c.reach - 1) : 1;
  const int match = static_cast<int>(c.match);
  const bool whole = c.machine->part_of.empty() || c.match < WordMatch::architecture;  // kernels run on a die, not on the whole card
  return std::tuple(-(c.match >= WordMatch::family ? match : 0), !c.holds(), -match, c.lacks_a_format, c.above(), whole,
                    std::round(distance / distance_step), c.machine->memories.empty() ? 0 : c.machine->memories[0].rate().value);
}

/// The first word that names a GPU, but neither one of the machines nor an architecture ("mi200"); empty: none.
std::string unlisted_product(const std::vector<std::string>& words, std::span<const Machine> machines) {
  for (const std::string& word : words)
    if (is_product(word) &&
        std::none_of(machines.begin(), machines.end(), [&](const Machine& m) { return match(m, word) >= WordMatch::architecture; }))
      return word;
  return {};
}

/// Whether the product's name begins with the word: "rtx4090" for "rtx_4090_laptop". File names often leave the variant out.
bool is_base_of(std::string_view word, std::string_view product) {
  return !product.empty() && normalised(product).starts_with(normalised(word));
}

bool has_measurements(const Workload& w) {
  return w.timed() || std::any_of(w.classes.begin(), w.classes.end(), [](const OpClass& c) { return c.rates_only; });
}

std::string rates_of(const WhichMachine& found) {
  std::string out;
  if (known(found.flops)) out = with_unit(found.flops, found.integer ? "OP/s" : "FLOP/s");
  if (known(found.bandwidth)) out += std::string(out.empty() ? "" : " and ") + with_unit(found.bandwidth, "B/s");
  return out;
}

}  // namespace

WhichMachine which_machine(const OpSet& ops, std::span<const Machine> machines) {
  const Points points(ops);
  WhichMachine out;
  out.flops = points.flops;
  out.bandwidth = points.bandwidth;
  out.integer = points.integer;
  out.measured = has_measurements(ops.workload());
  const std::vector<std::string>& words = ops.workload().machine_words;
  out.unlisted = unlisted_product(words, machines);
  for (const Machine& machine : machines) {
    if (machine.vendor.empty()) continue;
    MachineCandidate candidate;
    candidate.machine = &machine;
    for (const std::string& word : words)
      if (const WordMatch m = match(machine, word); m > candidate.match && !is_base_of(word, out.unlisted))
        candidate.match = m, candidate.word = word;
    hold_against(points, candidate);
    out.candidates.push_back(std::move(candidate));
  }
  sort_stably(out.candidates, [](const MachineCandidate& a, const MachineCandidate& b) { return rank(a) < rank(b); });
  if (!known(points.flops) && !known(points.bandwidth) && !out.words_match()) out.candidates.clear();
  return out;
}

std::vector<MachineCandidate> candidates_of(const OpSet& ops, std::span<const Machine> machines) {
  std::vector<MachineCandidate> out;
  if (machines.empty()) return out;
  const Points points(ops);
  for (const Machine& machine : machines) {
    out.push_back({});
    out.back().machine = &machine;
    hold_against(points, out.back());
  }
  return out;
}

std::string short_name(const Machine& machine) {
  const bool prefixed = !machine.vendor.empty() && machine.name.starts_with(machine.vendor + ' ');
  return prefixed ? machine.name.substr(machine.vendor.size() + 1) : machine.name;
}

std::string asked(const WhichMachine& found) {
  const std::string rates = rates_of(found);
  return (found.measured ? "Which machine ran this?" : "Which machine was this built for?") +
         (rates.empty() ? rates : " The fastest rows reach " + rates);
}

std::vector<const MachineCandidate*> likely(const WhichMachine& found, std::size_t most) {
  std::vector<const MachineCandidate*> out;
  const auto add = [&](WordMatch least, const auto& test) {
    for (const MachineCandidate& c : found.candidates)
      if (out.size() < most && c.match >= least && test(c)) out.push_back(&c);
    return !out.empty();
  };
  if (!found.words_match()) return out;  // the points alone fit too many
  for (const WordMatch least : {WordMatch::family, WordMatch::architecture, WordMatch::vendor}) {
    if (least < WordMatch::family && !found.unlisted.empty()) return out;  // machines of the same architecture have other figures
    if (add(least, [](const auto& c) { return c.plausible(); }) || add(least, [](const auto& c) { return c.holds(); })) return out;
  }
  add(WordMatch::architecture, [](const auto&) { return true; });  // the figures exceed its roof, but the words name it
  return out;
}

const Machine* machine_in_words(const OpSet& ops, std::span<const Machine> machines) {
  const Workload& w = ops.workload();
  const bool engine = w.source_format == SourceFormat::tensorrt;  // built for one machine
  if (!w.machine_json.empty() || !(has_measurements(w) || engine)) return nullptr;
  const WhichMachine found = which_machine(ops, machines);
  const std::vector<const MachineCandidate*> first = likely(found, 1);
  if (first.empty() || first[0]->match < WordMatch::architecture || !first[0]->holds()) return nullptr;
  if (is_cpu(*first[0]->machine) && first[0]->match < WordMatch::family) return nullptr;  // "cpu" is any of them
  return first[0]->machine;
}

std::string evidence(const MachineCandidate& c) {
  if (c.match == WordMatch::none) return {};
  // Files write these in several ways: "sm90_xmma", "ISA942".
  return c.word.starts_with("sm_") || c.word.starts_with("gfx") ? "kernels for " + c.word : c.word + " in the file";
}

std::string reason(const MachineCandidate& c) {
  const bool newer = c.match == WordMatch::vendor && c.word.starts_with("sm_") && !c.machine->architecture.starts_with(c.word);
  std::string out = newer ? "newer than " + c.word + ", the kernels' target" : evidence(c);
  if (c.plausible() && !c.fits()) return out + (out.empty() ? "" : ", ") + "no peak for the file's formats";
  if (!known(c.reach)) return out;
  const std::string roof = !c.holds()  ? percent(c.beyond) + " of the time exceeds its roof"
                           : c.above() ? "up to " + percent(c.reach) + " of its " + c.roof
                                       : percent(c.reach) + " of its " + c.roof;
  return out + (out.empty() ? "" : ", ") + roof;
}

std::string reservation(const WhichMachine& found) {
  if (found.candidates.empty()) return {};
  const std::vector<const MachineCandidate*> named = likely(found, 1);
  if (named.empty() && !found.unlisted.empty()) {
    std::string product = found.unlisted;
    std::replace(product.begin(), product.end(), '_', ' ');
    return "the file names \"" + product + "\", which is not in the list: choose a machine, or enter its figures";
  }
  if (found.words_match() ? named.empty() || !named[0]->holds() : !found.candidates[0].holds())
    return (!named.empty() ? "many rows exceed its roof" : "no known machine allows these rates") +
           std::string(": is a unit or a format wrong?");
  if (found.words_match()) return {};
  const auto fitting = std::count_if(found.candidates.begin(), found.candidates.end(), [](const MachineCandidate& c) { return c.fits(); });
  const std::string unnamed = "the file names no machine, and ";
  if (fitting == 0) return unnamed + "none of the known ones quite allows these rates";
  return unnamed + with_commas(static_cast<std::size_t>(fitting)) + " of " + with_commas(found.candidates.size()) +
         " known machines allow these rates";
}

std::string question(const WhichMachine& found) {
  if (found.candidates.empty()) return {};
  std::string out = asked(found);
  bool first = true;
  for (const MachineCandidate* c : likely(found, 3)) {
    out += (!first ? " · " : out.back() == '?' ? " " : ": ") + short_name(*c->machine);
    if (first) out += " (" + reason(*c) + ")";
    first = false;
  }
  const std::string but = reservation(found);
  return but.empty() ? out : out + (first ? ": " : ", ") + but;
}

bool asks_for_machine(const OpSet& ops, const Summary& summary) {
  const bool measured = summary.timed_ops > 0 || summary.rates_only > 0;
  const MachineBasis basis = ops.plan().scenario().basis;
  const bool asked_if_measured = basis == MachineBasis::assumed || (basis == MachineBasis::chosen && summary.machine_mismatch());
  return basis == MachineBasis::guessed || (measured && asked_if_measured);
}

}  // namespace roofline
