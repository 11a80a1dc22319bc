// A model's sweep as JSON, as CSV and as a table.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/sweep.hpp>

#include "base/csv_row.hpp"
#include "base/json_out.hpp"
#include "llm/performance.hpp"

namespace roofline {
namespace {

constexpr const char* phases[] = {"prefill", "decode", "generate"};

std::string yes_no(const std::optional<bool>& value) { return !value ? "" : *value ? "true" : "false"; }

}  // namespace

std::span<const LlmMetric> llm_metrics() {
  static constexpr LlmMetric metrics[] = {{"ttft_s", &LlmSweepPoint::ttft_s},
                                          {"tpot_s", &LlmSweepPoint::tpot_s},
                                          {"total_s", &LlmSweepPoint::total_s},
                                          {"tokens_per_s", &LlmSweepPoint::tokens_per_s},
                                          {"tokens_per_s_per_user", &LlmSweepPoint::tokens_per_s_per_user},
                                          {"tokens_per_s_per_machine", &LlmSweepPoint::tokens_per_s_per_machine},
                                          {"typical_ttft_s", &LlmSweepPoint::typical_ttft_s},
                                          {"typical_tpot_s", &LlmSweepPoint::typical_tpot_s},
                                          {"typical_total_s", &LlmSweepPoint::typical_total_s},
                                          {"typical_tokens_per_s", &LlmSweepPoint::typical_tokens_per_s},
                                          {"typical_tokens_per_s_per_user", &LlmSweepPoint::typical_tokens_per_s_per_user},
                                          {"typical_tokens_per_s_per_machine", &LlmSweepPoint::typical_tokens_per_s_per_machine},
                                          {"intensity", &LlmSweepPoint::intensity},
                                          {"weight_share_of_bytes", &LlmSweepPoint::weight_share},
                                          {"kv_share_of_bytes", &LlmSweepPoint::kv_share},
                                          {"compute_bound_share_of_time", &LlmSweepPoint::compute_share},
                                          {"bytes_per_machine", &LlmSweepPoint::bytes_per_machine},
                                          {"usd_per_million_tokens", &LlmSweepPoint::usd_per_million_tokens}};
  return metrics;
}

std::string llm_sweep_json(const LlmSweep& s, bool figures) {
  return json_text([&](JsonOut& out) {
    const auto word = [&](std::optional<ResourceKind> bound) {
      if (bound)
        out.value(name_of(bound));
      else
        out.null();
    };
    out.begin_object();
    out.member("schema", "roofline-llm-sweep/1");
    out.member("source", s.source);
    out.member("phase", phases[static_cast<std::size_t>(s.phase)]);
    out.key("axis");
    if (s.key.empty()) {
      out.null();
    } else {
      out.begin_object();
      out.member("key", s.key);
      out.key("values");
      out.begin_array();
      for (const double v : s.values) out.value(v);
      out.end_array();
      out.end_object();
    }
    out.key("curves");
    out.begin_array();
    for (const LlmCurve& c : s.curves) {
      out.begin_object();
      out.key("choice");
      out.begin_object();
      for (std::size_t i = 0; i < c.choice.size(); ++i) out.member(s.choices[i].key, c.choice[i]);
      out.end_object();
      out.member("label", c.label);
      out.member("ridge", c.ridge);
      out.member("verdict", c.verdict);
      out.member("stack", c.stack);
      out.member("error_median", c.error_median);
      out.member("error_p90", c.error_p90);
      out.key("crossings");
      out.begin_array();
      for (const LlmCrossing& crossing : c.crossings) {
        out.begin_object();
        out.member("at", crossing.at);
        out.key("from");
        word(crossing.from);
        out.key("to");
        word(crossing.to);
        out.end_object();
      }
      out.end_array();
      out.member("fits_to", c.fits_to);
      if (figures) {
        for (const LlmMetric& metric : llm_metrics()) {
          out.key(metric.name);
          out.begin_array();
          for (const LlmSweepPoint& p : c.points) out.value(p.*metric.value);
          out.end_array();
        }
        out.key("bound_by");
        out.begin_array();
        for (const LlmSweepPoint& p : c.points) word(p.bound);
        out.end_array();
        out.key("fits");
        out.begin_array();
        for (const LlmSweepPoint& p : c.points) {
          if (p.fits)
            out.value(*p.fits);
          else
            out.null();
        }
        out.end_array();
      }
      out.end_object();
    }
    out.end_array();
    out.end_object();
  });
}

std::string llm_sweep_csv(const LlmSweep& s) {
  std::string out;
  for (const LlmChoices& c : s.choices) out += c.key + ',';
  if (!s.key.empty()) out += s.key + ',';
  for (const LlmMetric& metric : llm_metrics()) out += std::string(metric.name) + ',';
  out += "bound_by,fits\r\n";
  for (const LlmCurve& c : s.curves)
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      const LlmSweepPoint& p = c.points[i];
      for (const std::string& choice : c.choice) out += csv_cell(choice) + ',';
      if (!s.key.empty()) out += shortest(s.values[i]) + ',';
      for (const LlmMetric& metric : llm_metrics()) out += shortest(p.*metric.value) + ',';
      out += name_of(p.bound) + ',' + yes_no(p.fits) + "\r\n";
    }
  return out;
}

std::string llm_sweep_table(const LlmSweep& s) {
  std::string out = printable(s.source) + ", " + phases[static_cast<std::size_t>(s.phase)] + "\n\n";
  if (!s.key.empty()) {
    for (const LlmCurve& c : s.curves) out += (c.label.empty() ? "" : c.label + ": ") + c.verdict + "\n";
    out += "\n";
  }
  const bool prefill = s.phase == LlmPhase::prefill;
  std::vector<std::vector<std::string>> rows(1);
  constexpr std::size_t shown = 20;
  const std::size_t count = s.values.size(), step = std::max<std::size_t>(1, (count + shown - 1) / shown);
  const auto memory = [](const LlmSweepPoint& p) {
    return with_unit(p.bytes_per_machine, "B") + (p.fits == std::optional<bool>(false) ? ", does not fit" : "");
  };
  if (s.curves.size() > 1 && !s.key.empty()) {
    rows[0].push_back(s.key);
    for (const LlmCurve& c : s.curves) rows[0].push_back(c.label);
    for (std::size_t i = 0; i < count; i += step) {
      auto& row = rows.emplace_back();
      row.push_back(shortest(s.values[i]));
      for (const LlmCurve& c : s.curves)
        row.push_back(number(c.points[i].tokens_per_s) + ' ' + name_of(c.points[i].bound) +
                      (c.points[i].fits == std::optional<bool>(false) ? " *" : ""));
    }
    out += align(rows, std::string(rows[0].size(), 'r')) + "\ntokens/s and what bounds most of the time; * does not fit";
  } else {
    rows[0] = {
        s.key.empty() ? "" : s.key, "first token", "per token", "tokens/s", "per user", "achievable", "FLOP/B", "bound by", "memory"};
    if (s.key.empty()) rows[0].insert(rows[0].begin() + 1, "ridge");
    for (const LlmCurve& c : s.curves)
      for (std::size_t i = 0; i < count; i += step) {
        const LlmSweepPoint& p = c.points[i];
        rows.push_back({s.key.empty() ? c.label : shortest(s.values[i]), seconds(p.ttft_s), seconds(p.tpot_s), number(p.tokens_per_s),
                        prefill ? "-" : number(p.tokens_per_s_per_user), number(p.typical_tokens_per_s), number(p.intensity),
                        name_of(p.bound), memory(p)});
        if (s.key.empty()) rows.back().insert(rows.back().begin() + 1, number(c.ridge));
      }
    out += align(rows, (s.key.empty() ? "l" : "r") + std::string(rows[0].size() - 3, 'r') + "ll") +
           "\nachievable: tokens/s at the fractions of the rates that real kernels reach";
  }
  return out + (step > 1 ? "; every " + std::to_string(step) +
                               (step == 2   ? "nd"
                                : step == 3 ? "rd"
                                            : "th") +
                               " of " + std::to_string(count) + " points\n"
                         : "\n");
}

}  // namespace roofline
