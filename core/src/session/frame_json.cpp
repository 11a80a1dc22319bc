#include "session/frame_json.hpp"

#include <roofline/analysis/which_machine.hpp>
#include <roofline/frame/headline.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "write/op_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

void write_window(JsonOut& out, const Axes& decades) {
  out.member("log_x0", decades.log_x0);
  out.member("log_x1", decades.log_x1);
  out.member("log_y0", decades.log_y0);
  out.member("log_y1", decades.log_y1);
}

/// What the chart takes beside the columns.
void write_chart(JsonOut& out, const Plan& plan, const FrameRequest& request, const Frame& frame) {
  out.member("ops_per_mac", plan.scenario().ops_per_mac);
  out.member("integer_work", integer_work(plan));
  out.array("resources", [&] {
    for (const Resource& r : plan.resources()) out.value(r.name);
  });
  out.array("roofs", [&] {
    for (const Roof& r : frame.roofs)
      out.object([&] {
        out.member("kind", to_string(r.kind));
        out.member("name", r.name);
        out.member("rate", r.rate);
        out.member("integer", r.integer);
        out.member("in_play", r.in_play);
        out.member("whatif", r.whatif);
        out.member("achievable", r.achievable);
      });
  });
  out.object("density", [&] {
    out.member_count("width", Frame::grid_width);
    out.member_count("height", Frame::grid_height);
    write_window(out, request.window);
    out.member_count("outside", frame.density_outside);
    out.member_count("ops", frame.shown.ops - frame.points.size());
  });
  out.object("axes", [&] { write_window(out, chart_axes(plan.scenario().machine)); });
}

/// The limit of most of the time, as in the headline: a resource, "neither" or "unknown".
std::string limited_by(const Plan& plan, const Summary& s) {
  if (s.machine_mismatch() || s.mostly_partly_known()) return "unknown";
  if (s.mostly_neither()) return "neither";
  return resource_name(plan, s.limiting(), "unknown");
}

/// What people read beside the summary of what is shown: a status of its own for operations above the roof, and those that no roof limits.
void write_limits(JsonOut& out, const Plan& plan, const Summary& s) {
  out.object("limits", [&] {
    out.object("by_status", [&] {
      for (std::size_t i = 0; i < status_count; ++i)
        if (const auto status = static_cast<Status>(i); s.shown_as(status) > 0) out.member_count(to_string(status), s.shown_as(status));
    });
    out.member_count("above_roof", s.above_roof);
    out.member_count("neither", s.neither);
    out.member("neither_time_s", s.neither_s);
    out.member_count("partly_known", s.partly_known);
    out.member("partly_known_time_s", s.partly_known_s);
    out.member("compared_time_s", s.judged_time_s);
    out.member("compared_bound_s", s.judged_predicted_s);
    out.member("below_bound_s", s.below_bound_s());
    out.member("limited_by", limited_by(plan, s));
    out.member("collect", s.partly_known > 0 ? counting_command(plan.workload().source_format) : "");
  });
}

}  // namespace

std::string chart_json(const Plan& plan, const FrameRequest& request, const Frame& frame) {
  return json_text([&](JsonOut& out) { out.object([&] { write_chart(out, plan, request, frame); }); });
}

std::string frame_json(const OpSet& ops, const FrameRequest& request, const Frame& frame, bool grouped, const ProfileRank* ranks) {
  const Plan& plan = ops.plan();
  return json_text([&](JsonOut& out) {
    out.object([&] {
      const Finding sentence = headline(ops, frame);
      out.member("headline", sentence.text());
      write_finding(out, sentence);
      out.member("source", plan.workload().source);
      out.member("grouped", grouped);
      out.list("statuses", names_of<Status>);
      out.list("symbols", names_of<Symbol>);
      out.list("memories", plan.axes());  // that can be on the x axis
      out.member("machine_basis", to_string(plan.scenario().basis));
      out.member("asks_for_machine", asks_for_machine(ops, frame.all));
      out.member("ran_elsewhere", frame.all.machine_mismatch());
      const std::optional<std::uint32_t> program = program_row(ops);
      out.member("program_efficiency", program ? plan.analyze(*program).efficiency : unknown);
      out.member("lowest_intensity", frame.intensity_range.low);
      out.member("highest_intensity", frame.intensity_range.high);
      out.key("all");
      write_summary(out, plan, frame.all);
      out.key("shown");
      write_summary(out, plan, frame.shown);
      write_limits(out, plan, frame.shown);
      const WhatIfOutcome whatif = whatif_outcome(plan, frame.shown);
      out.object("whatif_outcome", [&] {
        out.member("low", whatif.speedup.low);
        out.member("high", whatif.speedup.high);
        out.member("today_s", whatif.today_s);
        out.member("least_s", whatif.then_s.low);
        out.member("most_s", whatif.then_s.high);
        out.member("per_item", whatif.per_item);
        out.key("without_rate");
        write_format(out, whatif.without_rate);
      });
      write_chart(out, plan, request, frame);
      out.object("table", [&] {
        out.member_count("total", frame.shown.ops);
        out.member_count("offset", request.offset);
        out.member("sort", to_string(frame.sort));
        out.key("selected_row");
        frame.selected_row ? out.count(*frame.selected_row) : out.null();
        out.array("rows", [&] {
          for (const std::uint32_t op : frame.rows) write_row(out, plan, op, plan.analyze(op), ranks);
        });
      });
    });
  });
}

}  // namespace roofline
