// A machine as JSON: its members in tables, of the plain form and of the one whose figures say where they come from.
#include <algorithm>

#include "machine/json.hpp"

namespace roofline {
namespace {

constexpr const char *number_or_figure[] = {R"("type":["number","null"])", R"("anyOf":[{"$ref":"#/$defs/figure"},{"type":"null"}])"},
                     *numbers_or_figures[] = {R"("type":"object","additionalProperties":{"type":["number","null"]})",
                                              R"("type":"object","additionalProperties":{"$ref":"#/$defs/figure"})"};

constexpr Member<Figure> figure_members[] = {
    {"value", schema::number, "null: not published", field<&Figure::value>},
    {"source", schema::text, "", field<&Figure::source>},
    {"basis", schema::text, "what kind of figure it is: dense, boost, measured, assumed ...", field<&Figure::basis>},
    {"note", schema::text, "", field<&Figure::note>, [](const Figure& f) { return !f.note.empty(); }}};

template <bool sourced>
void write_figure(JsonOut& out, const Figure& f) {
  if (!sourced || f == Figure{}) return out.value(f.value);
  write_object<figure_members>(out, f);
}
template <bool sourced>
bool is_said(const Figure& f) {
  return f.known() || (sourced && !f.source.empty());  // a source may say: unpublished
}

/// The value of a figure that is a member of its object, and whether it is there.
template <bool sourced, auto member, class Of>
void figure(JsonOut& out, const Of& of) {
  write_figure<sourced>(out, of.*member);
}
template <bool sourced, auto member, class Of>
bool has(const Of& of) {
  return is_said<sourced>(of.*member);
}

template <bool sourced, auto peaks>
void peaks_by_format(JsonOut& out, const Machine& m) {
  out.object([&] {
    for (const Peak& peak : m.*peaks) {
      out.key(Formats::catalogue()[peak.format].id);
      write_figure<sourced>(out, peak.flops);
    }
  });
}

template <bool sourced>
constexpr Member<Machine> peak_members[] = {
    {"matrix", numbers_or_figures[sourced], "by format", peaks_by_format<sourced, &Machine::matrix>},
    {"vector", numbers_or_figures[sourced], "by format", peaks_by_format<sourced, &Machine::vector>}};

bool split(const Memory& m) { return m.split(); }
template <bool sourced>
constexpr Member<Memory> memory_members[] = {
    {"name", schema::text, "", field<&Memory::name>},
    {"read_bandwidth", number_or_figure[sourced], "B/s", figure<sourced, &Memory::read_bandwidth>, split},
    {"write_bandwidth", number_or_figure[sourced], "B/s", figure<sourced, &Memory::write_bandwidth>, split},
    {"bandwidth", number_or_figure[sourced], "B/s", figure<sourced, &Memory::bandwidth>, [](const Memory& m) { return !m.split(); }},
    {"capacity", number_or_figure[sourced], "B", figure<sourced, &Memory::capacity>}};

template <bool sourced>
constexpr Member<Link> link_members[] = {{"name", schema::text, "", field<&Link::name>},
                                         {"bandwidth", number_or_figure[sourced], "B/s", figure<sourced, &Link::bandwidth>}};

template <bool sourced>
constexpr Member<HourlyPrice> price_members[] = {{"name", schema::text, "on which terms", field<&HourlyPrice::name>},
                                                 {"usd", number_or_figure[sourced], "USD", figure<sourced, &HourlyPrice::usd>}};

template <bool sourced>
constexpr Member<Machine> clock_members[] = {
    {"rated", number_or_figure[sourced], "", figure<sourced, &Machine::rated_clock_hz>, has<sourced, &Machine::rated_clock_hz>},
    {"highest", number_or_figure[sourced], "", figure<sourced, &Machine::highest_clock_hz>, has<sourced, &Machine::highest_clock_hz>}};

template <bool sourced>
constexpr Member<Machine> achievable_members[] = {
    {"compute", number_or_figure[sourced], "a fraction", figure<sourced, &Machine::achievable_compute>,
     has<sourced, &Machine::achievable_compute>},
    {"compute_by_format", numbers_or_figures[sourced], "fractions",
     [](JsonOut& out, const Machine& m) {
       out.object([&] {
         for (const Peak& peak : m.matrix)
           if (is_said<sourced>(peak.achievable)) {
             out.key(Formats::catalogue()[peak.format].id);
             write_figure<sourced>(out, peak.achievable);
           }
       });
     },
     [](const Machine& m) {
       return std::any_of(m.matrix.begin(), m.matrix.end(), [](const Peak& peak) { return is_said<sourced>(peak.achievable); });
     }},
    {"bandwidth", number_or_figure[sourced], "a fraction", figure<sourced, &Machine::achievable_bandwidth>,
     has<sourced, &Machine::achievable_bandwidth>}};

constexpr Member<Machine> identity[] = {
    {"id", schema::text, "", field<&Machine::id>},
    {"name", schema::text, "", field<&Machine::name>},
    {"tool_chain", schema::text, "the tool chain whose rules merge the operations of networks", field<&Machine::tool_chain>,
     [](const Machine& m) { return m.tool_chain != ToolChain::none; }},
    {"vendor", schema::text, "", field<&Machine::vendor>, [](const Machine& m) { return !m.vendor.empty(); }},
    {"segment", schema::text, "data-centre, desktop or embedded", field<&Machine::segment>,
     [](const Machine& m) { return !m.segment.empty(); }},
    {"architecture", schema::text, "", field<&Machine::architecture>, [](const Machine& m) { return !m.architecture.empty(); }},
    {"based_on", schema::text, "id of the preset that a user's machine began as a copy of: it keeps that one's stack",
     field<&Machine::based_on>, [](const Machine& m) { return !m.based_on.empty(); }}};

constexpr Member<Machine> description[] = {
    {"part_of", schema::text, "id of the whole card; this is one of its dies, which software shows as a device", field<&Machine::part_of>,
     [](const Machine& m) { return !m.part_of.empty(); }},
    {"aliases", schema::texts, "other names", field<&Machine::aliases>, [](const Machine& m) { return !m.aliases.empty(); }}};

template <bool sourced>
constexpr Member<Machine> figures[] = {
    {"peaks", object_of<peak_members<sourced>>, "FLOP/s",
     [](JsonOut& out, const Machine& m) { write_object<peak_members<sourced>>(out, m); }},
    {"sparse_peaks", numbers_or_figures[sourced], "by format, FLOP/s", peaks_by_format<sourced, &Machine::sparse>,
     [](const Machine& m) { return !m.sparse.empty(); }},
    {"memories", objects_of<memory_members<sourced>>, "the device memory first",
     [](JsonOut& out, const Machine& m) { write_objects<memory_members<sourced>>(out, m.memories); }},
    {"links", objects_of<link_members<sourced>>, "",
     [](JsonOut& out, const Machine& m) { write_objects<link_members<sourced>>(out, m.links); }},
    {"tdp_w", number_or_figure[sourced], "W", figure<sourced, &Machine::tdp_w>, has<sourced, &Machine::tdp_w>},
    {"price_usd", number_or_figure[sourced], "USD", figure<sourced, &Machine::price_usd>, has<sourced, &Machine::price_usd>},
    {"all_in_w", number_or_figure[sourced], "W, with its share of server, network and cooling", figure<sourced, &Machine::all_in_w>,
     has<sourced, &Machine::all_in_w>},
    {"per_hour", objects_of<price_members<sourced>>, "what it costs an hour",
     [](JsonOut& out, const Machine& m) { write_objects<price_members<sourced>>(out, m.per_hour); },
     [](const Machine& m) { return !m.per_hour.empty(); }},
    {"scale_up", number_or_figure[sourced], "machines that the first link connects", figure<sourced, &Machine::scale_up>,
     has<sourced, &Machine::scale_up>},
    {"scale_out", number_or_figure[sourced], "B/s in one direction to machines beyond them", figure<sourced, &Machine::scale_out>,
     has<sourced, &Machine::scale_out>},
    {"launch_s", number_or_figure[sourced], "s", figure<sourced, &Machine::launch_s>, has<sourced, &Machine::launch_s>},
    {"units", number_or_figure[sourced], "matrix units", figure<sourced, &Machine::units>, has<sourced, &Machine::units>},
    {"clock_hz", object_of<clock_members<sourced>>, "Hz",
     [](JsonOut& out, const Machine& m) { write_object<clock_members<sourced>>(out, m); },
     [](const Machine& m) { return any_present<clock_members<sourced>>(m); }},
    {"achievable", object_of<achievable_members<sourced>>, "what real kernels reach",
     [](JsonOut& out, const Machine& m) { write_object<achievable_members<sourced>>(out, m); },
     [](const Machine& m) { return any_present<achievable_members<sourced>>(m); }}};

constexpr Member<Machine> remarks[] = {
    {"notes", schema::texts, "", field<&Machine::notes>, [](const Machine& m) { return !m.notes.empty(); }}};

}  // namespace

std::string machine_json(const Machine& machine, bool sourced) {
  return dump(json_value([&](JsonOut& out) {
    out.object([&] {
      write_members<identity>(out, machine);
      if (!sourced) return write_members<figures<false>>(out, machine);
      write_members<description>(out, machine);
      write_members<figures<true>>(out, machine);
      write_members<remarks>(out, machine);
    });
  }));
}

ObjectSchema machine_value_schema(bool sourced) {
  if (!sourced) return ObjectSchema().with(identity).with(figures<false>);
  return ObjectSchema().with(identity).with(description).with(figures<true>).with(remarks);
}
ObjectSchema figure_schema() { return ObjectSchema().with(figure_members); }

}  // namespace roofline
