#include "commands/frontier_svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <roofline/base/text.hpp>
#include <vector>

namespace roofline::cli {
namespace {

constexpr double left = 80, top = 40, width = 720, height = 420, total_width = 1000, total_height = 520;
constexpr const char* colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"};

std::string coordinate(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", v);
  return text;
}

/// 1, 2 or 5 times a power of ten: about five steps up to `most`.
double step_of(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double times : {1.0, 2.0, 5.0})
    if (most / (times * power) <= 6) return times * power;
  return 10 * power;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

}  // namespace

std::string frontier_svg(const Frontier& frontier, const FrontierRequest& request, const std::vector<ServingRun>& runs) {
  double most_x = 0, most_y = 0;
  for (const FrontierMachine& m : frontier.machines)
    for (const FrontierPoint& p : m.points)
      if (p.pareto) {
        most_x = std::max(most_x, p.tokens_per_s_per_user);
        most_y = std::max(most_y, p.tokens_per_s_per_machine * (1 + known_or(m.throughput_error, 0)));
      }
  for (const ServingRun& run : runs) {
    most_x = std::max(most_x, 1 / run.tpot_s);
    most_y = std::max(most_y, run.output_tokens_per_s / request.gpus);
  }
  const auto x_of = [&](double tokens_per_s_per_user) { return left + width * tokens_per_s_per_user / most_x; };
  const auto x = [&](const FrontierPoint& p) { return x_of(p.tokens_per_s_per_user); };
  const auto y = [&](double tokens_per_s) { return top + height * (1 - tokens_per_s / most_y); };
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + coordinate(total_width) + "\" height=\"" +
                    coordinate(total_height) + "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" +
                    escaped(request.formats[0].llm.setup.model.name) + ", " + number(request.formats[0].llm.prompt) + " tokens in, " +
                    number(request.formats[0].llm.generate) + " out</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  if (!(most_x > 0)) return out + "<text x=\"80\" y=\"60\">No deployment meets the limits.</text>\n</svg>\n";
  for (double v = 0; v <= most_x; v += step_of(most_x)) {
    const std::string at = coordinate(x_of(v));
    out += "<path d=\"M" + at + " 40v420\" stroke=\"#e0e0e0\"/><text x=\"" + at + "\" y=\"476\" text-anchor=\"middle\">" + number(v) +
           "</text>\n";
  }
  for (double v = 0; v <= most_y; v += step_of(most_y)) {
    const std::string at = coordinate(y(v));
    out += "<path d=\"M80 " + at + "h720\" stroke=\"#e0e0e0\"/><text x=\"74\" y=\"" + at + "\" text-anchor=\"end\" dy=\"4\">" + number(v) +
           "</text>\n";
  }
  for (std::size_t i = 0; i < frontier.machines.size(); ++i) {
    const FrontierMachine& m = frontier.machines[i];
    const std::string colour = colours[i % std::size(colours)];
    // Pools of prefill and decode have an envelope of their own.
    for (const bool pools : {false, true}) {
      std::vector<const FrontierPoint*> envelope;
      for (const FrontierPoint& p : m.points) {
        if ((p.prefill_workers > 0) != pools) continue;
        if (p.pareto)
          envelope.push_back(&p);
        else if (p.meets_limits && p.tokens_per_s_per_user <= most_x)
          out += "<circle cx=\"" + coordinate(x(p)) + "\" cy=\"" + coordinate(y(p.tokens_per_s_per_machine)) + "\" r=\"1.5\" fill=\"" +
                 colour + "\" fill-opacity=\".25\"/>\n";
      }
      if (envelope.empty()) continue;
      std::sort(envelope.begin(), envelope.end(),
                [](const FrontierPoint* a, const FrontierPoint* b) { return a->tokens_per_s_per_user < b->tokens_per_s_per_user; });
      const auto path = [&](double factor, bool back) {
        std::string d;
        for (std::size_t k = 0; k < envelope.size(); ++k) {
          const FrontierPoint& p = *envelope[back ? envelope.size() - 1 - k : k];
          d += (d.empty() && !back ? "M" : "L") + coordinate(x(p)) + " " + coordinate(y(p.tokens_per_s_per_machine * factor));
        }
        return d;
      };
      if (const double e = m.throughput_error; known(e))
        out += "<path d=\"" + path(1 + e, false) + path(1 - e, true) + "Z\" fill=\"" + colour + "\" fill-opacity=\".12\"/>\n";
      out += "<path d=\"" + path(1, false) + "\" fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"2\"" +
             (pools ? " stroke-dasharray=\"6 4\"" : "") + "/>\n";
    }
    const std::string at = coordinate(top + 10 + 18 * static_cast<double>(i));
    out += "<text x=\"812\" y=\"" + at + "\" fill=\"" + colour + "\">" + escaped(m.name) + "</text>\n";
  }
  for (const ServingRun& run : runs)
    out += "<circle cx=\"" + coordinate(x_of(1 / run.tpot_s)) + "\" cy=\"" + coordinate(y(run.output_tokens_per_s / request.gpus)) +
           "\" r=\"5\" fill=\"#fff\" stroke=\"" + colours[0] + "\" stroke-width=\"2\"><title>measured" +
           (known(run.concurrency) ? ", " + number(run.concurrency) + " users" : std::string()) + "</title></circle>\n";
  return out +
         "<text x=\"440\" y=\"500\" text-anchor=\"middle\">tokens/s per user</text>\n<text x=\"20\" y=\"250\" text-anchor=\"middle\" "
         "transform=\"rotate(-90 20 250)\">output tokens/s per machine</text>\n</svg>\n";
}

}  // namespace roofline::cli
