#include "serving/frontier_json.hpp"

#include <array>
#include <map>
#include <roofline/base/text.hpp>
#include <roofline/serving/launch_flags.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "llm/beyond_training.hpp"
#include "serving/pools.hpp"

namespace roofline {
namespace {

constexpr FrontierMetric metrics[] = {
    {"tp", "machines that share every matrix; of a decode worker where prefill has machines of its own", &FrontierPoint::tp},
    {"ep", "machines that share the experts", &FrontierPoint::ep},
    {"pp", "stages of a pipeline", &FrontierPoint::pp},
    {"dp", "replicas", &FrontierPoint::dp},
    {"prefill_workers", "0: prefill and decode on the same machines", &FrontierPoint::prefill_workers},
    {"prefill_tp", "of a prefill worker", &FrontierPoint::prefill_tp},
    {"prefill_ep", "of a prefill worker", &FrontierPoint::prefill_ep},
    {"decode_workers", "", &FrontierPoint::decode_workers},
    {"machines", "of the whole deployment", &FrontierPoint::machines},
    {"concurrency", "users", &FrontierPoint::concurrency},
    {"tpot_s", "estimate, s", &FrontierPoint::tpot_s},
    {"ttft_s", "estimate, s", &FrontierPoint::ttft_s},
    {"request_s", "estimate, from a request to its last token: ttft_s + (generate - 1) tpot_s; concurrency is requests per second times it",
     &FrontierPoint::request_s},
    {"tokens_per_s_per_user", "estimate: 1 / tpot_s", &FrontierPoint::tokens_per_s_per_user},
    {"tokens_per_s_per_machine", "estimate, output tokens", &FrontierPoint::tokens_per_s_per_machine},
    {"tokens_per_s", "estimate, output tokens", &FrontierPoint::tokens_per_s},
    {"joules_per_token", "per output token, at all-in power (server, network, cooling) where it is stated, else rated",
     &FrontierPoint::joules_per_token},
    {"usd_per_million_tokens", "output tokens; null: no price was chosen", &FrontierPoint::usd_per_million_tokens},
    {"bound_tpot_s", "s", &FrontierPoint::bound_tpot_s},
    {"bound_tokens_per_s_per_machine", "", &FrontierPoint::bound_tokens_per_s_per_machine}};

/// "FP8 E4M3 TP4, 2 replicas"
std::string layout_text(const FrontierPoint& p, const FrontierRequest& request) {
  const auto degree = [](const char* name, double n) { return n > 1 ? std::string(" ") + name + number(n) : std::string(); };
  const auto group = [&](double tp, double ep) {
    return tp < ep ? degree("DEP", ep) + degree("TP", tp) : degree("TP", tp) + degree("EP", ep);
  };
  const std::string& asked = request.weights[p.weights];
  std::string out = asked == "published" ? "original weights" : format_names(asked);
  if (p.prefill_workers > 0)
    return out + ", " + number(p.prefill_workers) + " prefill" + group(p.prefill_tp, p.prefill_ep) +
           (p.prefill_machine > 0 ? " on " + request.prefill_machines[p.prefill_machine - 1].name : std::string()) + " + " +
           number(p.decode_workers) + " decode" + group(p.tp, p.ep);
  return out + group(p.tp, p.ep) + degree("PP", p.pp) + (p.dp > 1 ? ", " + number(p.dp) + " replicas" : "");
}

void write_point(JsonOut& out, const FrontierPoint& p, const FrontierRequest& request) {
  out.object([&] {
    out.member("weights", request.weights[p.weights]);
    out.member("layout", layout_text(p, request));
    for (const FrontierMetric& m : metrics) out.member(m.name, p.*m.value);
    out.key("prefill_machine");
    write_name(out, p.prefill_machine > 0 ? request.prefill_machines[p.prefill_machine - 1].id : std::string());
    out.member("attention_dp", p.attention_dp);
    out.key("bound_by");
    write_name(out, to_string(p.limit));
    out.member("meets_limits", p.meets_limits);
    out.member("pareto", p.pareto);
  });
}

std::string point_schema() {
  ObjectSchema s;
  s.add("weights", schema::text, "as it was asked for");
  s.add("layout", schema::text, "weights and degrees of parallelism, as tables show them");
  for (const FrontierMetric& m : metrics) s.add(m.name, schema::number, m.meaning);
  s.add("prefill_machine", schema::name, "of the prefill workers; null: the same");
  s.add("attention_dp", schema::flag, "groups of tp machines take whole sequences each, and share the experts");
  s.add("bound_by", schema::name, "what keeps throughput from growing: cache, prefill, compute, memory or link");
  s.add("meets_limits", schema::flag, "tpot_max and ttft_max");
  s.add("pareto", schema::flag, "no other point that meets the limits has more tokens/s per user and per machine");
  return s.text();
}

std::string rejected_text(const FrontierMachine& m) {
  std::string out;
  const auto add = [&](std::size_t n, const char* one, const char* many) {
    if (n > 0) out += (out.empty() ? "" : ", ") + quantity(n, one, many);
  };
  add(m.rejected.unknown_memory, "layout could not be checked: the size of the machine's memory is not known",
      "layouts could not be checked: the size of the machine's memory is not known");
  add(m.rejected.unknown_link, "layout needs a link whose rate is not known", "layouts need a link whose rate is not known");
  add(m.rejected.unfit_layouts, "layout does not fit", "layouts do not fit");
  add(m.rejected.tpot, "misses the time per token even with one user", "miss the time per token even with one user");
  add(m.rejected.ttft, "misses the time to first token even with one user", "miss the time to first token even with one user");
  return out;
}

/// "Second: NVIDIA B200 SXM with FP8 weights TP2, 16% less."; "... does as well (0.5% less)." where that is less than the estimate tells.
std::string runner_up(const std::string& deployment, double less) {
  constexpr double tie = 0.02;
  return less < tie ? deployment + " does as well (" + percent(less) + " less)."
                    : "Second: " + deployment + ", " + percent(less) + " less.";
}

std::string users_text(double users) { return number(users) + (users == 1 ? " user" : " users"); }

/// "64 users", "50 tokens/s per user or more", "any speed".
std::string asked_text(const FrontierPick& pick) {
  if (known(pick.asked_users)) return users_text(pick.asked_users);
  return known(pick.tokens_per_s_per_user) ? number(pick.tokens_per_s_per_user) + " tokens/s per user or more" : "any speed";
}

/// Of a pick without a deployment: the nearest one holds too few users; else it takes too long.
bool holds_too_few(const FrontierPick& pick) {
  return pick.nearest->concurrency < pick.asked_users && !has_users(*pick.nearest, pick.asked_users);
}

/// "2.1x the time", "0.4% too long".
std::string too_long(double factor) { return factor < 1.1 ? percent(factor - 1) + " too long" : times(factor) + " the time"; }

/// Why a pick has no deployment; empty: it has one.
std::string missed_text(const FrontierPick& pick, const FrontierMachine& machine, const FrontierRequest& request) {
  if (pick.best) return "";
  if (!pick.nearest)
    return machine.why_unfit.empty() ? "none" : machine.rejected.unknown_memory > 0 ? "memory not known" : "the model does not fit";
  const std::string nearest = "none; the nearest, " + layout_text(*pick.nearest, request) + ", ";
  const double held = pick.nearest->concurrency;
  return holds_too_few(pick) ? nearest + "holds " + users_text(held) : nearest + "takes " + too_long(pick.missed_by);
}

/// One pick of one machine, and what it is of.
struct PickOf {
  const FrontierPick* pick;
  const FrontierMachine& machine;
  const FrontierRequest& request;
  const Scenario& scenario;
};
void write_launch(JsonOut& out, const PickOf& of) {
  if (!of.pick->best) return out.null();
  const LaunchFlags flags =
      launch_flags(*of.pick->best, of.request.formats[of.pick->best->weights], of.request.weights[of.pick->best->weights], of.scenario);
  out.object([&] {
    out.member("vllm", flags.vllm);
    out.member("sglang", flags.sglang);
    out.member("trtllm", flags.trtllm);
    out.member("benchmark", flags.benchmark);
  });
}
constexpr std::string_view launch_schema = R"("type":["object","null"],"additionalProperties":{"type":"string"})";
template <std::optional<FrontierPoint> FrontierPick::* point>
void maybe_point(JsonOut& out, const PickOf& of) {
  if (!(of.pick->*point)) return out.null();
  write_point(out, *(of.pick->*point), of.request);
}
std::string point_or_null() { return or_null(point_schema()); }

constexpr Member<PickOf> pick_members[] = {
    {"asked", schema::text, "its condition: users, or a speed", [](JsonOut& out, const PickOf& of) { out.value(asked_text(*of.pick)); }},
    {"tokens_per_s_per_user", schema::number, "at least; null: any", field<&PickOf::pick, &FrontierPick::tokens_per_s_per_user>},
    {"concurrency", schema::number, "users; null: any number", field<&PickOf::pick, &FrontierPick::asked_users>},
    {"best", point_or_null, "the most output tokens/s per machine; null: none meets the limits", maybe_point<&FrontierPick::best>},
    {"binds", schema::text, "what keeps it from being better", field<&PickOf::pick, &FrontierPick::binds>},
    {"throughput", schema::text, "how the throughput follows from the users and the times, in figures",
     [](JsonOut& out, const PickOf& of) {
       out.value(of.pick->best ? throughput_text(*of.pick->best, of.request.formats[of.pick->best->weights]) : std::string());
     }},
    {"launch", launch_schema, "how to start it in vLLM, SGLang and TensorRT-LLM (YAML), and how to measure it", write_launch},
    {"next", point_or_null, "the best of another layout or format", maybe_point<&FrontierPick::next>},
    {"next_loses", schema::number, "of the tokens/s per machine, a fraction",
     [](JsonOut& out, const PickOf& of) {
       out.value(of.pick->best && of.pick->next ? 1 - of.pick->next->tokens_per_s_per_machine / of.pick->best->tokens_per_s_per_machine
                                                : unknown);
     }},
    {"nearest", point_or_null, "where none meets the limits, the one that misses by least", maybe_point<&FrontierPick::nearest>},
    {"missed_by", schema::number, "factor by which it exceeds its worst limit, or the users exceed those it holds",
     field<&PickOf::pick, &FrontierPick::missed_by>},
    {"missed", schema::text, "why there is no best",
     [](JsonOut& out, const PickOf& of) { out.value(missed_text(*of.pick, of.machine, of.request)); }}};

constexpr Member<HourlyPrice> price_members[] = {
    {"name", schema::text, "on which terms", field<&HourlyPrice::name>},
    {"usd_per_hour", schema::number, "of one machine", field<&HourlyPrice::usd, &Figure::value>},
    {"source", schema::text, "", field<&HourlyPrice::usd, &Figure::source>}};

struct MachineOf {
  const FrontierMachine* machine;
  const Scenario& scenario;
  const FrontierRequest& request;
  bool points;
};
std::string points_schema() { return list_of(point_schema()); }
constexpr Member<MachineOf> machine_members[] = {
    {"id", schema::text, "", field<&MachineOf::machine, &FrontierMachine::id>},
    {"name", schema::text, "", field<&MachineOf::machine, &FrontierMachine::name>},
    {"stack", schema::text, "whose estimate it is", field<&MachineOf::machine, &FrontierMachine::stack>},
    {"tpot_error", schema::number, "median of the estimate on published runs; null: none of this machine is known",
     field<&MachineOf::machine, &FrontierMachine::tpot_error>},
    {"throughput_error", schema::number, "the same of output tokens/s", field<&MachineOf::machine, &FrontierMachine::throughput_error>},
    {"layouts", schema::count, "layouts and formats that were tried", field<&MachineOf::machine, &FrontierMachine::layouts>},
    {"evaluated", schema::count, "operating points that were computed", field<&MachineOf::machine, &FrontierMachine::evaluated>},
    {"rejected", schema::text, "why layouts gave no point",
     [](JsonOut& out, const MachineOf& of) { out.value(rejected_text(*of.machine)); }},
    {"unfit", schema::text, "why the layout that needs the least memory does not, or may not, fit; empty: the model fits",
     field<&MachineOf::machine, &FrontierMachine::why_unfit>},
    {"assumed", schema::text, "source of the machine's efficiencies if they are assumed; empty: they were measured",
     field<&MachineOf::machine, &FrontierMachine::assumed>},
    {"power_w", schema::number, "of one machine, of which the joules are: all-in where it is stated, else rated",
     [](JsonOut& out, const MachineOf& of) { out.value(serving_power_w(of.scenario.machine)); }},
    {"power", schema::name, "all-in or rated; null: neither is known",
     [](JsonOut& out, const MachineOf& of) {
       write_name(out, of.scenario.machine.all_in_w.known() ? "all-in" : of.scenario.machine.tdp_w.known() ? "rated" : "");
     }},
    {"usd_per_hour", schema::number, "of one machine; null: no price was chosen",
     field<&MachineOf::machine, &FrontierMachine::usd_per_hour>},
    {"prices", objects_of<price_members>, "that the machine has, to choose from",
     [](JsonOut& out, const MachineOf& of) { write_objects<price_members>(out, of.scenario.machine.per_hour); }},
    {"picks", objects_of<pick_members>, "the best under the limits, at 20, 50 and 100 tokens/s per user, and for the users asked for",
     [](JsonOut& out, const MachineOf& of) {
       out.begin_array();
       for (const FrontierPick& pick : of.machine->picks)
         write_object<pick_members>(out, PickOf{&pick, *of.machine, of.request, of.scenario});
       out.end_array();
     }},
    {"points", points_schema, "by layout, and users within it",
     [](JsonOut& out, const MachineOf& of) {
       out.begin_array();
       for (const FrontierPoint& p : of.machine->points) write_point(out, p, of.request);
       out.end_array();
     },
     [](const MachineOf& of) { return of.points; }},
    {"point_layouts", schema::texts, "if points are columns: the texts that their column \"layout\" indexes",
     [](JsonOut& out, const MachineOf& of) { write_value(out, point_layouts(*of.machine, of.request).texts); },
     [](const MachineOf& of) { return !of.points; }}};

struct FrontierDocument {
  const Frontier& frontier;
  const FrontierRequest& request;
  bool points;
};
constexpr Member<FrontierDocument> frontier_members[] = {
    document_id<FrontierDocument>("roofline-frontier/1"),
    {"model", schema::text, "its id", [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.formats[0].llm.setup.model.id); }},
    {"prompt", schema::number, "tokens, the longest",
     [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.formats[0].llm.prompt); }},
    {"generate", schema::number, "tokens, the longest",
     [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.formats[0].llm.generate); }},
    {"gpus", schema::number, "of each deployment; null: any number of a scale-up domain",
     [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.gpus); }},
    {"concurrency", schema::number, "users asked for, as of the last pick of each machine; null: any number",
     [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.concurrency); }},
    {"tpot_max", schema::number, "s; null: no limit", [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.tpot_max); }},
    {"ttft_max", schema::number, "s; null: no limit", [](JsonOut& out, const FrontierDocument& d) { out.value(d.request.ttft_max); }},
    {"price", schema::name, "the terms of the machines' prices; null: none was chosen",
     [](JsonOut& out, const FrontierDocument& d) { write_name(out, d.request.price); }},
    {"evaluated", schema::count, "operating points that were computed",
     [](JsonOut& out, const FrontierDocument& d) { out.count(d.frontier.evaluated()); }},
    {"main_pick", schema::count, "index of the pick of each machine that the finding compares",
     [](JsonOut& out, const FrontierDocument& d) { out.count(main_pick(d.request)); }},
    {"finding", schema::text, "the answer in a sentence",
     [](JsonOut& out, const FrontierDocument& d) { out.value(frontier_finding(d.frontier, d.request)); }},
    {"machines", objects_of<machine_members>, "in the order asked for", [](JsonOut& out, const FrontierDocument& d) {
       out.begin_array();
       for (std::size_t i = 0; i < d.frontier.machines.size(); ++i)
         write_object<machine_members>(out, MachineOf{&d.frontier.machines[i], d.request.machines[i], d.request, d.points});
       out.end_array();
     }}};

}  // namespace

std::span<const FrontierMetric> frontier_metrics() { return metrics; }

PointLayouts point_layouts(const FrontierMachine& machine, const FrontierRequest& request) {
  PointLayouts out;
  std::map<std::array<double, 10>, std::size_t> known_layouts;
  for (const FrontierPoint& p : machine.points) {
    const double weights = p.weights, prefill_machine = p.prefill_machine;
    const std::array<double, 10> layout = {
        weights, p.tp, p.ep, p.pp, p.dp, prefill_machine, p.prefill_tp, p.prefill_ep, p.prefill_workers, p.decode_workers};
    const auto [found, added] = known_layouts.try_emplace(layout, out.texts.size());
    if (added) out.texts.push_back(layout_text(p, request));
    out.of_point.push_back(found->second);
  }
  return out;
}

ObjectSchema frontier_schema() { return ObjectSchema().with(frontier_members); }

std::string frontier_json(const Frontier& frontier, const FrontierRequest& request, bool points) {
  return object_text<frontier_members>(FrontierDocument{frontier, request, points});
}

std::string frontier_csv(const Frontier& frontier, const FrontierRequest& request) {
  CsvRow row;
  for (const char* name : {"machine", "weights"}) row.add_plain(name);
  for (const FrontierMetric& m : metrics) row.add_plain(m.name);
  for (const char* name : {"prefill_machine", "attention_dp", "bound_by", "meets_limits", "pareto"}) row.add_plain(name);
  std::string out = row.take();
  for (const FrontierMachine& machine : frontier.machines)
    for (const FrontierPoint& p : machine.points) {
      const auto add_flag = [&row](bool v) { row.add_plain(v ? "true" : "false"); };
      row.add(machine.id);
      row.add(request.weights[p.weights]);
      for (const FrontierMetric& m : metrics) row.add(p.*m.value);
      row.add(p.prefill_machine > 0 ? request.prefill_machines[p.prefill_machine - 1].id : std::string());
      add_flag(p.attention_dp);
      row.add_plain(to_string(p.limit));
      add_flag(p.meets_limits);
      add_flag(p.pareto);
      out += row.take();
    }
  return out;
}

std::string throughput_text(const FrontierPoint& p, const ServingRequest& request) {
  const double generate = request.mean_generate();
  std::string out = users_text(p.concurrency) + " x " + number(generate) + " tokens / " + seconds(p.request_s) +
                    " per request = " + number(p.tokens_per_s) + " tokens/s";
  if (p.machines > 1) out += ", " + number(p.tokens_per_s_per_machine) + " on each of " + number(p.machines) + " machines";
  out += ". A request takes " + seconds(p.ttft_s) + " to its first token";
  return generate > 1 ? out + ", then " + number(generate - 1) + " x " + seconds(p.tpot_s) + "." : out + ".";
}

std::string frontier_finding(const Frontier& frontier, const FrontierRequest& request) {
  const auto pick_of = [&](const FrontierMachine* m) -> const FrontierPick& { return m->picks[main_pick(request)]; };
  const auto most = [&](const FrontierMachine* m) { return pick_of(m).best->tokens_per_s_per_machine; };
  // Machines with a known benchmark come first, as in the comparison of machines.
  const bool any_measured = std::any_of(frontier.machines.begin(), frontier.machines.end(),
                                        [&](const FrontierMachine& m) { return m.assumed.empty() && pick_of(&m).best; });
  const FrontierMachine *best = nullptr, *next = nullptr, *nearest = nullptr, *guessed = nullptr;
  std::string unfit, unknown_memory;
  for (const FrontierMachine& m : frontier.machines) {
    std::string& names = m.rejected.unknown_memory > 0 ? unknown_memory : unfit;
    if (!m.why_unfit.empty()) names += (names.empty() ? "" : ", ") + m.name;
    if (pick_of(&m).nearest && (!nearest || pick_of(&m).missed_by < pick_of(nearest).missed_by)) nearest = &m;
    if (!pick_of(&m).best) continue;
    if (any_measured && !m.assumed.empty()) {
      if (!guessed || most(&m) > most(guessed)) guessed = &m;
      continue;
    }
    if (!best || most(&m) > most(best)) {
      next = best;
      best = &m;
    } else if (!next || most(&m) > most(next)) {
      next = &m;
    }
  }
  const bool limited = known(request.tpot_max) || known(request.ttft_max), of_users = known(request.concurrency);
  const std::string asked = asked_text(pick_of(&frontier.machines[0]));
  std::string out;
  const bool any_fits =
      std::any_of(frontier.machines.begin(), frontier.machines.end(), [](const FrontierMachine& m) { return m.why_unfit.empty(); });
  if (!best && !nearest && any_fits) return "No time per token is known: answers of one token have none; expected a longer answer.";
  if (!best && !nearest) {
    if (unknown_memory.empty()) return "The model fits on none of these machines.";
  } else if (best) {
    const FrontierPoint& p = *pick_of(best).best;
    out = (of_users  ? "For " + asked + (limited ? " within the limits, " : ", ")
           : limited ? "Within the limits, "
                     : "At " + asked + ", ") +
          best->name + " has the highest throughput per machine: " + number(p.tokens_per_s_per_machine) + " output tokens/s, with " +
          layout_text(p, request) + (of_users ? "." : " and " + users_text(p.concurrency) + ".");
    if (!pick_of(best).binds.empty()) out += " Limited by " + pick_of(best).binds + ".";
    if (next) out += ' ' + runner_up(next->name + " with " + layout_text(*pick_of(next).best, request), 1 - most(next) / most(best));
    if (guessed && most(guessed) > most(best))
      out += " " + guessed->name + ", without a known benchmark, may reach " + number(most(guessed)) + ".";
  } else {
    const FrontierPick& pick = pick_of(nearest);
    const bool too_many = holds_too_few(pick);
    out = "No deployment " + (too_many ? "holds " + asked : "meets the limits" + (of_users ? " for " + asked : "")) + ". The nearest, " +
          nearest->name + " with " + layout_text(*pick.nearest, request) +
          (too_many ? ", holds " + number(pick.nearest->concurrency) + "." : ", takes " + too_long(pick.missed_by) + ".");
  }
  if (!unfit.empty()) out += " The model does not fit on " + unfit + ".";
  if (!unknown_memory.empty()) out += " The model may not fit on " + unknown_memory + ": the size of the memory is not known.";
  if (const std::string training = beyond_training_sentence(request.formats.front().llm); !training.empty())
    out += ' ' + training.substr(0, training.size() - 1);
  return out.substr(out.find_first_not_of(' '));
}

std::string frontier_table(const Frontier& frontier, const FrontierRequest& request) {
  std::string out =
      frontier_finding(frontier, request) + "\n" + number(static_cast<double>(frontier.evaluated())) + " operating points searched.\n";
  for (const FrontierMachine& m : frontier.machines) {
    out += "\n" + m.name + ": " + number(static_cast<double>(m.layouts)) + " layouts and formats";
    if (const std::string rejected = rejected_text(m); !rejected.empty()) out += " (" + rejected + ")";
    const std::string rest = (known(m.tpot_error) ? " and " + percent(m.tpot_error) + " in time per token" : "") + ", median\n";
    out += known(m.throughput_error) ? "; estimates of " + m.stack + " are " + percent(m.throughput_error) + " off in throughput" + rest
                                     : "; the error of estimates of " + m.stack + " on this machine is not known\n";
    if (!m.assumed.empty()) out += "Assumed efficiencies: " + m.assumed + "\n";
    if (!m.why_unfit.empty()) {
      out += "The model " + m.why_unfit + "\n";
      continue;
    }
    std::vector<std::vector<std::string>> rows = {
        {"asked for", "tokens/s per GPU", "per user", "TTFT", "request", "users", "GPUs", "layout", "limited by", "next best"}};
    for (const FrontierPick& pick : m.picks) {
      if (const auto& p = pick.best) {
        rows.push_back({asked_text(pick), number(p->tokens_per_s_per_machine), number(p->tokens_per_s_per_user), seconds(p->ttft_s),
                        seconds(p->request_s), number(p->concurrency), number(p->machines), layout_text(*p, request), pick.binds,
                        pick.next ? layout_text(*pick.next, request) + ", " +
                                        percent(1 - pick.next->tokens_per_s_per_machine / p->tokens_per_s_per_machine) + " less"
                                  : ""});
      } else {
        rows.push_back({asked_text(pick), "-", "", "", "", "", "", missed_text(pick, m, request), "", ""});
      }
    }
    out += align(rows, "lrrrrrrlll");
    if (const auto& p = m.picks[main_pick(request)].best) out += throughput_text(*p, request.formats[p->weights]) + "\n";
  }
  return out;
}

}  // namespace roofline
