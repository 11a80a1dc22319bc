// The roofline chart as SVG, for documents: on white paper, without interaction.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <roofline/analysis/explain.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/base/text.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/frame/style.hpp>
#include <roofline/write/write.hpp>

#include "analysis/wording.hpp"
#include "base/joined.hpp"

namespace roofline {
namespace {

constexpr double width = 960, height = 600, left = 84, right = 20, top = 64, bottom = 96;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    const char* entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : nullptr;
    if (entity != nullptr)
      out += entity;
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::string px(double v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2f", v);
  return buffer;
}

std::string colour(std::string_view role) { return std::string(on_white(role)); }
constexpr const char* hatched = "url(#above)";
std::string colour(Limit limit) {
  constexpr Status statuses[] = {Status::compute_bound, Status::memory_bound, Status::link_bound, Status::memory_inefficient,
                                 Status::unknown};
  return std::string(on_white(to_string(statuses[static_cast<std::size_t>(limit)]), "status-"));
}
constexpr double strong = 0.82;  // opacity
constexpr const char* with_the_changes = "with the changes";

class Chart {
 public:
  Chart(const Plan& plan, const Frame& frame, const std::vector<Mark>& marks, const Sink& sink)
      : plan_(plan),
        frame_(frame),
        marks_(marks),
        sink_(sink),
        axes_(chart_axes(plan.scenario().machine)),
        work_(plan.scenario()),
        integer_(integer_work(plan)) {
    if (std::any_of(frame.flags.begin(), frame.flags.end(), has_no_flops)) lane_ = lane_width;
  }

  void draw() {
    out("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 600\" width=\"960\" height=\"600\" font-family=\"system-ui, "
        "sans-serif\" font-size=\"12\">\n");
    out("<rect width=\"960\" height=\"600\" fill=\"" + colour("surface") + "\"/>\n");
    const std::string source = plan_.workload().source;
    out("<text x=\"84\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"" + colour("ink") + "\">" +
        escaped((source.empty() ? std::string() : source + " on ") + plan_.scenario().machine.name) + "</text>\n");
    std::string finding = headline(plan_, frame_).text();
    for (double line = 44; !finding.empty() && line < top; line += 15) {
      const std::size_t end = finding.size() <= 130 ? finding.size() : finding.rfind(' ', 130);
      out("<text x=\"84\" y=\"" + px(line) + "\" fill=\"" + colour("muted") + "\">" + escaped(finding.substr(0, end)) +
          (line + 15 < top || end >= finding.size() ? "" : " ...") + "</text>\n");
      finding.erase(0, std::min(end, finding.size()) + 1);
    }
    grid();
    out("<clipPath id=\"plot\"><rect x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(width - left - right) + "\" height=\"" +
        px(height - top - bottom) + "\"/></clipPath>\n");
    if (frame_.shown.above_roof > 0)  // hatched: above the roof
      out("<pattern id=\"above\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect "
          "width=\"4\" height=\"4\" fill=\"" +
          colour("surface") + "\"/><rect width=\"2\" height=\"4\" fill=\"" + colour("ink") + "\"/></pattern>\n");
    out("<g clip-path=\"url(#plot)\">\n");
    density();
    roof_lines();
    lane_scale();
    points();
    measured();
    out("</g>\n");
    legend();
    out("</svg>\n");
  }

 private:
  static bool has_no_flops(std::uint8_t flags) { return (flags & point_flag::no_flops) != 0; }
  [[nodiscard]] double x(double log_intensity) const {
    return left + lane_ + (log_intensity - axes_.log_x0) / (axes_.log_x1 - axes_.log_x0) * (width - left - lane_ - right);
  }
  [[nodiscard]] double y(double log_flops) const {
    return height - bottom - (log_flops - axes_.log_y0) / (axes_.log_y1 - axes_.log_y0) * (height - top - bottom);
  }

  void grid() {
    const double shift = -std::log10(work_.scaled(1));  // a MAC is two FLOPs: labels stand at round numbers of what is shown
    for (double d = std::ceil(axes_.log_x0 - shift); d + shift <= axes_.log_x1 + 1e-9; ++d) {
      const std::string at = px(x(d + shift));
      out("<line x1=\"" + at + "\" x2=\"" + at + "\" y1=\"" + px(top) + "\" y2=\"" + px(height - bottom) + "\" stroke=\"" + colour("grid") +
          "\"/>");
      out("<text x=\"" + at + "\" y=\"" + px(height - bottom + 18) + "\" text-anchor=\"middle\" fill=\"" + colour("muted") + "\">" +
          number(std::pow(10, d)) + "</text>\n");
    }
    for (double d = std::ceil(axes_.log_y0 - shift); d + shift <= axes_.log_y1 + 1e-9; ++d) {
      const std::string at = px(y(d + shift));
      out("<line y1=\"" + at + "\" y2=\"" + at + "\" x1=\"" + px(left + lane_) + "\" x2=\"" + px(width - right) + "\" stroke=\"" +
          colour("grid") + "\"/>");
      out("<text x=\"" + px(left - 6) + "\" y=\"" + px(y(d + shift) + 4) + "\" text-anchor=\"end\" fill=\"" + colour("muted") + "\">" +
          with_unit(std::pow(10, d), "") + "</text>\n");
    }
    if (lane_ > 0) {  // operations without FLOPs: intensity 0
      out("<line x1=\"" + px(left + lane_) + "\" x2=\"" + px(left + lane_) + "\" y1=\"" + px(top) + "\" y2=\"" + px(height - bottom) +
          "\" stroke=\"" + colour("grid") + "\"/>");
      out("<text x=\"" + px(left) + "\" y=\"" + px(height - bottom + 18) + "\" fill=\"" + colour("muted") + "\">0</text>\n");
      out("<text font-size=\"10\" x=\"" + px(left) + "\" y=\"" + px(height - bottom + 38) + "\" fill=\"" + colour("muted") +
          "\">No FLOPs: bytes/s</text>\n");
    }
    out("<text x=\"" + px((left + width - right) / 2) + "\" y=\"" + px(height - bottom + 38) + "\" text-anchor=\"middle\" fill=\"" +
        colour("ink") + "\">Intensity (" + work_.name(integer_) + "/B)</text>\n");
    out("<text transform=\"translate(18 " + px((top + height - bottom) / 2) + ") rotate(-90)\" text-anchor=\"middle\" fill=\"" +
        colour("ink") + "\">Performance (" + work_.name(integer_) + "/s)</text>\n");
  }

  /// The lane's scale in B/s, up to a decade above the fastest memory; its labels keep clear of the roofs, or stay readable over them.
  void lane_scale() {
    if (!(lane_ > 0)) return;
    double fastest = 0;
    std::vector<double> roofs;  // heights of those drawn across the lane
    for (const Roof& r : frame_.roofs) {
      if (r.kind == ResourceKind::memory) fastest = std::max(fastest, r.rate);
      if (r.kind != ResourceKind::compute && r.in_play) roofs.push_back(y(std::log10(r.rate) + axes_.log_x0));
    }
    const auto is_struck = [&](double baseline) {
      return std::any_of(roofs.begin(), roofs.end(), [&](double roof) { return roof > baseline - 9 && roof < baseline + 2; });
    };
    const double last = std::min(axes_.log_y1 - axes_.log_x0, fastest > 0 ? std::log10(10 * fastest) : 99);
    for (double d = std::ceil(axes_.log_y0 - axes_.log_x0); d <= last + 1e-9; ++d) {
      const double line = y(d + axes_.log_x0);
      const std::string at = px(line), middle = px(left + lane_ / 2);
      out("<line y1=\"" + at + "\" y2=\"" + at + "\" x1=\"" + px(left) + "\" x2=\"" + px(left + lane_) + "\" stroke=\"" + colour("grid") +
          "\"/>");
      out("<text font-size=\"9\" x=\"" + middle + "\" y=\"" + px(is_struck(line - 3) && !is_struck(line + 10) ? line + 10 : line - 3) +
          "\" text-anchor=\"middle\" fill=\"" + colour("muted") + "\" stroke=\"" + colour("surface") +
          "\" stroke-width=\"3\" paint-order=\"stroke\">" + with_unit(std::pow(10, d), "B/s") + "</text>\n");
    }
  }

  void density() {
    if (frame_.density.empty()) return;
    const double most = *std::max_element(frame_.density.begin(), frame_.density.end());
    const double w = (width - left - lane_ - right) / Frame::grid_width, h = (height - top - bottom) / Frame::grid_height;
    for (std::size_t i = 0; i < frame_.density.size(); ++i) {
      if (frame_.density[i] == 0) continue;
      const std::size_t row = i / Frame::grid_width, column = i % Frame::grid_width;
      const double opacity = 0.08 + 0.5 * std::log1p(frame_.density[i]) / std::log1p(most);
      out("<rect x=\"" + px(left + lane_ + static_cast<double>(column) * w) + "\" y=\"" +
          px(height - bottom - static_cast<double>(row + 1) * h) + "\" width=\"" + px(w) + "\" height=\"" + px(h) + "\" fill=\"" +
          colour("density") + "\" fill-opacity=\"" + px(opacity) + "\"/>\n");
    }
  }

  void roof_lines() {
    double peak = 0, bandwidth = 0;  // each kind of roof ends where the highest of the other kind cuts it
    for (const Roof& r : frame_.roofs) {
      if (r.achievable || r.whatif || !r.in_play) continue;
      double& most = r.kind == ResourceKind::compute ? peak : bandwidth;
      most = std::max(most, r.rate);
    }
    if (!(peak > 0)) peak = std::pow(10, axes_.log_y1);
    if (!(bandwidth > 0)) bandwidth = std::pow(10, axes_.log_y1 - axes_.log_x0);
    double label_y = 0;
    for (const Roof& r : frame_.roofs) {
      if (!r.in_play) continue;
      const double log_rate = std::log10(r.rate);
      double x0, y0, x1, y1;
      std::string label;
      if (r.kind == ResourceKind::compute) {
        x0 = std::max(axes_.log_x0, log_rate - std::log10(bandwidth)), x1 = axes_.log_x1, y0 = y1 = log_rate;
        label = r.name + " " + work_.rate(r.rate, r.integer);
      } else {
        x0 = axes_.log_x0, y0 = log_rate + x0;
        x1 = std::min(axes_.log_x1, std::log10(peak) - log_rate), y1 = log_rate + x1;
        label = r.name + " " + with_unit(r.rate, "B/s");
      }
      const std::string stroke = colour(r.whatif ? "whatif" : "roof");
      out("<line x1=\"" + px(x(x0)) + "\" y1=\"" + px(y(y0)) + "\" x2=\"" + px(x(x1)) + "\" y2=\"" + px(y(y1)) + "\" stroke=\"" + stroke +
          "\" stroke-width=\"1.6\"" + (r.achievable || r.whatif ? " stroke-dasharray=\"6 4\"" : "") + "/>\n");
      if (r.kind != ResourceKind::compute && lane_ > 0)
        out("<line x1=\"" + px(left) + "\" y1=\"" + px(y(y0)) + "\" x2=\"" + px(x(x0)) + "\" y2=\"" + px(y(y0)) + "\" stroke=\"" + stroke +
            "\" stroke-width=\"1.6\"" + (r.achievable || r.whatif ? " stroke-dasharray=\"6 4\"" : "") + "/>\n");
      if (r.achievable) continue;
      if (r.kind == ResourceKind::compute) {
        double at = y(y1) - 5;
        if (std::abs(at - label_y) < 13) at = label_y + 26;
        label_y = at;
        out("<text x=\"" + px(width - right - 6) + "\" y=\"" + px(at) + "\" text-anchor=\"end\" fill=\"" + stroke + "\">" + escaped(label) +
            "</text>\n");
      } else {
        const double at = x0 + 0.12 * (x1 - x0);
        const double angle = std::atan2(y(y1) - y(y0), x(x1) - x(x0)) * 57.29577951308232;
        out("<text transform=\"translate(" + px(x(at)) + " " + px(y(log_rate + at) - 6) + ") rotate(" + px(angle) + ")\" fill=\"" + stroke +
            "\">" + escaped(label) + "</text>\n");
      }
    }
  }

  void mark(double cx, double cy, double r, Symbol symbol, const std::string& fill, double opacity, const std::string& title) {
    const std::string style =
        opacity == 0 ? "fill=\"none\" stroke=\"" + fill + "\" stroke-width=\"1.5\""
                     : "fill=\"" + fill + "\" fill-opacity=\"" + px(opacity) + "\" stroke=\"" + colour("surface") + "\" stroke-width=\"1\"";
    std::string corners;
    for (const auto& [dx, dy] : marker_outline(symbol)) corners += px(cx + dx * r) + ',' + px(cy + dy * r) + ' ';
    const char* shape = corners.empty() ? "circle" : "polygon";
    const std::string where = corners.empty() ? "cx=\"" + px(cx) + "\" cy=\"" + px(cy) + "\" r=\"" + px(r) : "points=\"" + corners;
    out(std::string("<") + shape + ' ' + where + "\" " + style + "><title>" + escaped(title) + "</title></" + shape + ">\n");
  }

  [[nodiscard]] bool flagged(std::size_t n, std::uint8_t flag) const { return (frame_.flags[n] & flag) != 0; }
  [[nodiscard]] Limit limit_of(std::size_t n) const {
    if (flagged(n, point_flag::neither)) return Limit::neither;
    if (flagged(n, point_flag::partly_known) || frame_.bound[n] == no_resource) return Limit::unknown;
    return static_cast<Limit>(plan_.resources()[frame_.bound[n]].kind);
  }

  void points() {
    for (std::size_t n = frame_.points.size(); n-- > 0;) {  // the largest last, on top
      const bool lane = has_no_flops(frame_.flags[n]);
      if (!(lane || frame_.intensity[n] > 0) || !(frame_.attained[n] > 0)) continue;
      // In the lane by bandwidth, where a memory's roof at that bandwidth meets it.
      const double log_x = lane ? axes_.log_x0 : std::log10(frame_.intensity[n]);
      const double log_y = std::log10(frame_.attained[n]) + (lane ? log_x : 0);
      const double at = lane ? left + lane_ / 2 : x(log_x);
      const auto status = static_cast<Status>(frame_.status[n]);
      const auto symbol = static_cast<Symbol>(frame_.symbol[n]);
      const double radius = marker_radius(frame_.time_share[n]);
      const std::string name = plan_.workload().name_of(frame_.points[n]) + ": ";
      if (!lane && !frame_.whatif_intensity.empty() && frame_.whatif_intensity[n] > 0 && frame_.whatif_attained[n] > 0 && n < 50) {
        const double to_x = x(std::log10(frame_.whatif_intensity[n])), to_y = y(std::log10(frame_.whatif_attained[n]));
        out("<line x1=\"" + px(at) + "\" y1=\"" + px(y(log_y)) + "\" x2=\"" + px(to_x) + "\" y2=\"" + px(to_y) + "\" stroke=\"" +
            colour("whatif") + "\" stroke-width=\"1\"/>\n");
        if (std::hypot(to_x - at, to_y - y(log_y)) > radius) mark(to_x, to_y, radius, symbol, colour("whatif"), 0, name + with_the_changes);
      }
      const bool above = flagged(n, point_flag::above_roof);
      mark(at, y(log_y), radius, symbol, above ? hatched : colour(limit_of(n)),
           flagged(n, point_flag::predicted)              ? 0
           : flagged(n, point_flag::near_bound) && !above ? near_opacity
                                                          : strong,
           name + status_text(status, above, flagged(n, point_flag::partly_known)));
    }
  }

  /// A ring with a dot in it, and its name: not an operation, but what was measured of a whole run.
  void target(double cx, double cy) {
    out("<circle cx=\"" + px(cx) + "\" cy=\"" + px(cy) + "\" r=\"6\" fill=\"" + colour("surface") + "\" stroke=\"" + colour("ink") +
        "\" stroke-width=\"1.8\"/><circle cx=\"" + px(cx) + "\" cy=\"" + px(cy) + "\" r=\"2.4\" fill=\"" + colour("ink") + "\"/>");
  }

  void measured() {
    for (const Mark& m : marks_) {
      const double cx = x(std::log10(m.intensity)), cy = y(std::log10(m.flops));
      const std::string title = m.name + ", measured: " + work_.rate(m.flops, integer_) + " at " + work_.intensity(m.intensity, integer_);
      out("<g><title>" + escaped(title) + "</title>");
      target(cx, cy);
      out("<text x=\"" + px(cx + 10) + "\" y=\"" + px(cy + 4) + "\" fill=\"" + colour("ink") + "\" stroke=\"" + colour("surface") +
          "\" stroke-width=\"3\" paint-order=\"stroke\">" + escaped(m.name) + "</text></g>\n");
    }
  }

  void legend() {
    double at = left, line = height - 46;
    const auto entry = [&](const std::string& label, const std::string& fill, double opacity) {
      const double room = 34 + 6.5 * static_cast<double>(label.size());
      if (at + room > width - right && line < height - 30) at = left, line = height - 30;
      mark(at + 6, line, 5, Symbol::circle, fill, opacity, label);
      out("<text x=\"" + px(at + 16) + "\" y=\"" + px(line + 4) + "\" fill=\"" + colour("ink") + "\">" + escaped(label) + "</text>\n");
      at += room;
    };
    constexpr std::size_t limits = names_of<Limit>.size();
    std::array<std::size_t, limits> points{};
    std::array<std::vector<std::string>, limits> names;  // of the resources that are limits
    names[static_cast<std::size_t>(Limit::neither)] = {"neither compute nor memory"};
    names[static_cast<std::size_t>(Limit::unknown)] = {"not known"};
    bool any_near = false, any_predicted = false;
    for (std::size_t n = 0; n < frame_.points.size(); ++n) {
      const Limit limit = limit_of(n);
      ++points[static_cast<std::size_t>(limit)];
      any_near = any_near || flagged(n, point_flag::near_bound);
      any_predicted = any_predicted || flagged(n, point_flag::predicted);
      if (limit >= Limit::neither) continue;
      std::vector<std::string>& known = names[static_cast<std::size_t>(limit)];
      const std::string& name = plan_.resources()[frame_.bound[n]].name;
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    for (std::size_t l = 0; l < limits; ++l)
      if (points[l] > 0) entry(joined(names[l], ", ", ", ") + " " + with_commas(points[l]), colour(static_cast<Limit>(l)), strong);
    if (any_near) entry("faded: near the bound", colour("muted"), near_opacity);
    if (any_predicted && frame_.shown.timed_ops > 0) entry("no time: at the bound", colour("muted"), 0);
    if (!frame_.whatif_intensity.empty()) entry(with_the_changes, colour("whatif"), 0);
    if (frame_.shown.above_roof > 0) entry(std::string(above_roof_words) + " " + with_commas(frame_.shown.above_roof), hatched, strong);
    if (!marks_.empty()) {
      target(at + 6, line);
      out("<text x=\"" + px(at + 18) + "\" y=\"" + px(line + 4) + "\" fill=\"" + colour("ink") + "\">measured " +
          with_commas(marks_.size()) + "</text>\n");
    }
    std::string note;
    if (!frame_.density.empty())
      note = "top " + with_commas(frame_.points.size()) + " of " + with_commas(frame_.shown.ops) + " by time; the rest as density";
    out("<text x=\"" + px(left) + "\" y=\"" + px(height - 8) + "\" fill=\"" + colour("muted") + "\">" + note + "</text>\n");
  }

  void out(const std::string& text) const { sink_(text); }

  const Plan& plan_;
  const Frame& frame_;
  const std::vector<Mark>& marks_;
  const Sink& sink_;
  Axes axes_;
  WorkUnit work_;
  bool integer_;     ///< integer_work()
  double lane_ = 0;  ///< width of the strip left of the chart for operations without FLOPs; 0: there are none
};

}  // namespace

void write_svg(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  FrameRequest request;
  request.window = chart_axes(plan.scenario().machine);
  request.rows = 0;
  if (options.top) request.top = *options.top;
  request.axis = plan.axis(options.memory.empty() ? "bottleneck" : options.memory).value_or(device_axis);
  std::string text;
  const Sink gather = [&](std::string_view piece) { text += piece; };
  Chart(plan, make_frame(ops, request), options.marks, gather).draw();
  sink(text);
}

}  // namespace roofline
