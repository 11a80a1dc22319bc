// A machine as JSON: its members in tables, of the plain form and of the one whose figures say where they come from.
#include "base/entries.hpp"
#include "machine/json.hpp"

namespace roofline {
namespace {

constexpr const char *number_or_figure[] = {R"("type":["number","null"])", R"("anyOf":[{"$ref":"#/$defs/figure"},{"type":"null"}])"},
                     *numbers_or_figures[] = {R"("type":"object","additionalProperties":{"type":["number","null"]})",
                                              R"("type":"object","additionalProperties":{"$ref":"#/$defs/figure"})"};

constexpr Entry<Figure> figure_members[] = {
    {"value", schema::number, "null: not published", [](const Figure& f) { return f.known() ? Json(f.value) : Json(); }},
    {"source", schema::text, "", [](const Figure& f) { return Json(f.source); }},
    {"basis", schema::text, "what kind of figure it is: dense, boost, measured, assumed ...",
     [](const Figure& f) { return Json(f.basis); }},
    {"note", schema::text, "", [](const Figure& f) { return Json(f.note); }, [](const Figure& f) { return !f.note.empty(); }}};

template <bool sourced>
Json figure(const Figure& f) {
  if (!sourced || f == Figure{}) return figure_members[0].value(f);
  return json_of(figure_members, f);
}
template <bool sourced>
bool is_said(const Figure& f) {
  return f.known() || (sourced && !f.source.empty());  // a source may say: unpublished
}

/// The value of a figure that is a member of its object, and whether it is there.
template <bool sourced, auto member, class Of>
Json value_of(const Of& of) {
  return figure<sourced>(of.*member);
}
template <bool sourced, auto member, class Of>
bool has(const Of& of) {
  return is_said<sourced>(of.*member);
}

/// A figure of each format that has one.
template <bool sourced>
Json by_format(const std::vector<Peak>& peaks, Figure Peak::* member = &Peak::flops) {
  Json out = Json::object();
  for (const Peak& peak : peaks)
    if (member == &Peak::flops || is_said<sourced>(peak.*member)) out[Formats::catalogue()[peak.format].id] = figure<sourced>(peak.*member);
  return out;
}

template <bool sourced>
constexpr Entry<Machine> peak_members[] = {
    {"matrix", numbers_or_figures[sourced], "by format", [](const Machine& m) { return by_format<sourced>(m.matrix); }},
    {"vector", numbers_or_figures[sourced], "by format", [](const Machine& m) { return by_format<sourced>(m.vector); }}};

bool split(const Memory& m) { return m.split(); }
template <bool sourced>
constexpr Entry<Memory> memory_members[] = {
    {"name", schema::text, "", [](const Memory& m) { return Json(m.name); }},
    {"read_bandwidth", number_or_figure[sourced], "B/s", value_of<sourced, &Memory::read_bandwidth>, split},
    {"write_bandwidth", number_or_figure[sourced], "B/s", value_of<sourced, &Memory::write_bandwidth>, split},
    {"bandwidth", number_or_figure[sourced], "B/s", value_of<sourced, &Memory::bandwidth>, [](const Memory& m) { return !m.split(); }},
    {"capacity", number_or_figure[sourced], "B", value_of<sourced, &Memory::capacity>}};

template <bool sourced>
constexpr Entry<Link> link_members[] = {{"name", schema::text, "", [](const Link& l) { return Json(l.name); }},
                                        {"bandwidth", number_or_figure[sourced], "B/s", value_of<sourced, &Link::bandwidth>}};

template <bool sourced>
constexpr Entry<HourlyPrice> price_members[] = {{"name", schema::text, "on which terms", [](const HourlyPrice& p) { return Json(p.name); }},
                                                {"usd", number_or_figure[sourced], "USD", value_of<sourced, &HourlyPrice::usd>}};

template <bool sourced>
constexpr Entry<Machine> clock_members[] = {
    {"rated", number_or_figure[sourced], "", value_of<sourced, &Machine::rated_clock_hz>, has<sourced, &Machine::rated_clock_hz>},
    {"highest", number_or_figure[sourced], "", value_of<sourced, &Machine::highest_clock_hz>, has<sourced, &Machine::highest_clock_hz>}};

template <bool sourced>
constexpr Entry<Machine> achievable_members[] = {
    {"compute", number_or_figure[sourced], "a fraction", value_of<sourced, &Machine::achievable_compute>,
     has<sourced, &Machine::achievable_compute>},
    {"compute_by_format", numbers_or_figures[sourced], "fractions",
     [](const Machine& m) { return by_format<sourced>(m.matrix, &Peak::achievable); },
     [](const Machine& m) { return !by_format<sourced>(m.matrix, &Peak::achievable).empty(); }},
    {"bandwidth", number_or_figure[sourced], "a fraction", value_of<sourced, &Machine::achievable_bandwidth>,
     has<sourced, &Machine::achievable_bandwidth>}};

constexpr Entry<Machine> identity[] = {
    {"id", schema::text, "", [](const Machine& m) { return Json(m.id); }},
    {"name", schema::text, "", [](const Machine& m) { return Json(m.name); }},
    {"tool_chain", schema::text, "by whose rules the operations of networks are merged",
     [](const Machine& m) { return Json(to_string(m.tool_chain)); }, [](const Machine& m) { return m.tool_chain != ToolChain::none; }},
    {"vendor", schema::text, "", [](const Machine& m) { return Json(m.vendor); }, [](const Machine& m) { return !m.vendor.empty(); }},
    {"segment", schema::text, "data-centre, desktop or embedded", [](const Machine& m) { return Json(m.segment); },
     [](const Machine& m) { return !m.segment.empty(); }},
    {"architecture", schema::text, "", [](const Machine& m) { return Json(m.architecture); },
     [](const Machine& m) { return !m.architecture.empty(); }},
    {"based_on", schema::text, "id of the preset that a user's machine began as a copy of: it keeps that one's stack",
     [](const Machine& m) { return Json(m.based_on); }, [](const Machine& m) { return !m.based_on.empty(); }}};

constexpr Entry<Machine> description[] = {
    {"part_of", schema::text, "id of the whole card; this is one of its dies, which software shows as a device",
     [](const Machine& m) { return Json(m.part_of); }, [](const Machine& m) { return !m.part_of.empty(); }},
    {"aliases", schema::texts, "other names", [](const Machine& m) { return Json(m.aliases); },
     [](const Machine& m) { return !m.aliases.empty(); }}};

template <bool sourced>
constexpr Entry<Machine> figures[] = {
    {"peaks", object_of<peak_members<sourced>>, "FLOP/s", [](const Machine& m) { return json_of(peak_members<sourced>, m); }},
    {"sparse_peaks", numbers_or_figures[sourced], "by format, FLOP/s", [](const Machine& m) { return by_format<sourced>(m.sparse); },
     [](const Machine& m) { return !m.sparse.empty(); }},
    {"memories", objects_of<memory_members<sourced>>, "the device memory first",
     [](const Machine& m) { return json_list(memory_members<sourced>, m.memories); }},
    {"links", objects_of<link_members<sourced>>, "", [](const Machine& m) { return json_list(link_members<sourced>, m.links); }},
    {"tdp_w", number_or_figure[sourced], "W", value_of<sourced, &Machine::tdp_w>, has<sourced, &Machine::tdp_w>},
    {"price_usd", number_or_figure[sourced], "USD", value_of<sourced, &Machine::price_usd>, has<sourced, &Machine::price_usd>},
    {"all_in_w", number_or_figure[sourced], "W, with its share of server, network and cooling", value_of<sourced, &Machine::all_in_w>,
     has<sourced, &Machine::all_in_w>},
    {"per_hour", objects_of<price_members<sourced>>, "what it costs an hour",
     [](const Machine& m) { return json_list(price_members<sourced>, m.per_hour); }, [](const Machine& m) { return !m.per_hour.empty(); }},
    {"scale_up", number_or_figure[sourced], "machines that the first link connects", value_of<sourced, &Machine::scale_up>,
     has<sourced, &Machine::scale_up>},
    {"scale_out", number_or_figure[sourced], "B/s in one direction to machines beyond them", value_of<sourced, &Machine::scale_out>,
     has<sourced, &Machine::scale_out>},
    {"launch_s", number_or_figure[sourced], "s", value_of<sourced, &Machine::launch_s>, has<sourced, &Machine::launch_s>},
    {"units", number_or_figure[sourced], "matrix units", value_of<sourced, &Machine::units>, has<sourced, &Machine::units>},
    {"clock_hz", object_of<clock_members<sourced>>, "Hz", [](const Machine& m) { return json_of(clock_members<sourced>, m); },
     [](const Machine& m) { return !json_of(clock_members<sourced>, m).empty(); }},
    {"achievable", object_of<achievable_members<sourced>>, "what real kernels reach",
     [](const Machine& m) { return json_of(achievable_members<sourced>, m); },
     [](const Machine& m) { return !json_of(achievable_members<sourced>, m).empty(); }}};

constexpr Entry<Machine> remarks[] = {
    {"notes", schema::texts, "", [](const Machine& m) { return Json(m.notes); }, [](const Machine& m) { return !m.notes.empty(); }}};

}  // namespace

std::string machine_json(const Machine& machine, bool sourced) { return dump(machine_value(machine, sourced)); }

Json machine_value(const Machine& machine, bool sourced) {
  Json out = json_of(identity, machine);
  if (!sourced) return json_of(figures<false>, machine, std::move(out));
  return json_of(remarks, machine, json_of(figures<true>, machine, json_of(description, machine, std::move(out))));
}

ObjectSchema machine_value_schema(bool sourced) {
  if (!sourced) return ObjectSchema().with(identity).with(figures<false>);
  return ObjectSchema().with(identity).with(description).with(figures<true>).with(remarks);
}
ObjectSchema figure_schema() { return ObjectSchema().with(figure_members); }

}  // namespace roofline
