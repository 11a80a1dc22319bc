#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <roofline/base/text.hpp>

namespace roofline::validation {
namespace {

/// A run with what the core says of it.
struct Checked {
  const Run* run;
  double bound, estimate;  ///< over the measured time
  [[nodiscard]] double error() const { return std::fabs(estimate - 1); }
  [[nodiscard]] const std::string& column(const char* name) const { return run->row()[name]; }
};
using Group = std::function<std::string(const Checked&)>;

std::string text(const char* form, ...) __attribute__((format(printf, 1, 2)));
std::string text(const char* form, ...) {
  char buffer[1024];
  va_list values;
  va_start(values, form);
  std::vsnprintf(buffer, sizeof buffer, form, values);
  va_end(values);
  return buffer;
}

std::string errors_row(const std::string& name, const std::vector<Checked>& runs) {
  std::vector<double> errors, bounds, signs;
  for (const Checked& c : runs) {
    errors.push_back(c.error());
    bounds.push_back(std::fabs(c.bound - 1));
    signs.push_back(c.estimate - 1);
  }
  return text("| %s | %zu | %.1f | %.1f | %+.0f | %.0f |\n", name.c_str(), runs.size(), 100 * quantile(errors, .5),
              100 * quantile(errors, .9), 100 * quantile(signs, .5), 100 * quantile(bounds, .5));
}

std::string table(const std::string& first, const std::vector<Checked>& runs, const Group& group, std::size_t least = 1) {
  std::map<std::string, std::vector<Checked>> by;
  for (const Checked& c : runs) by[group(c)].push_back(c);
  std::string out =
      "| " + first + " | runs | median % | nine in ten % | too long (+) or short % | the bound alone % |\n|---|---|---|---|---|---|\n";
  std::size_t rest = 0;
  for (const auto& [name, some] : by)
    if (some.size() >= least)
      out += errors_row(name, some);
    else
      rest += some.size();
  if (rest > 0) out += text("\n%zu runs in groups of fewer than %zu are not listed.\n", rest, least);
  return out + "\n";
}

/// The errors with each term off, the others as they are.
std::string without_terms(const std::vector<Checked>& runs, bool models) {
  std::string out =
      "| without | runs that it is in | median %: with | without | nine in ten %: with | without |\n|---|---|---|---|---|---|\n";
  for (const StackTermInfo& term : stack_terms()) {
    std::vector<double> with, without;
    for (const Checked& c : runs) {
      const auto& own = c.run->stack().terms.*term.value;
      if (c.column("stack").empty() == models || !own || *own == term.neutral) continue;
      StackTerms off;
      off.*term.value = term.neutral;
      const double then = c.run->estimate_s(off) / c.run->measured_s();
      if (then == c.estimate) continue;  // nothing in the run has to do with it
      with.push_back(c.error());
      without.push_back(std::fabs(then - 1));
    }
    if (with.empty()) continue;
    out += text("| `%s` | %zu | %.1f | %.1f | %.1f | %.1f |\n", std::string(term.key).c_str(), with.size(), 100 * quantile(with, .5),
                100 * quantile(without, .5), 100 * quantile(with, .9), 100 * quantile(without, .9));
  }
  return out + "\n";
}

/// Why runs are far off, as far as anybody knows.
std::string reason(const Measurement& row) {
  const std::string& engine = row["stack"];
  const std::string library = row.library();
  if (engine.starts_with("llama.cpp") && engine.ends_with("2023") && row["kind"] == "prefill") return "one shot: start-up is in the time";
  if (engine == "llama.cpp-Vulkan") return "another back end than the stack's CUDA";
  if (engine.starts_with("llama.cpp") && engine.ends_with("PR") && row["kind"] == "prefill")
    return "a pull request's kernels for a few tokens at once";
  if (row["machine"] == "apple-m1-max") return "the part with 24 GPU cores; the preset has 32";
  if (engine == "QServe") return "the source does not say whether the prompt's time is in it";
  if (engine == "TensorRT-LLM-1.0-IFB") return "the batch is not stated; the host's work per sequence is not in the estimate";
  if (engine.ends_with("IFB")) return "the batch is not stated: the largest that fits is taken";
  if (library == "AITER" || library == "Composable Kernel" || row["kind"] == "attention") return "which kernel ran is not known";
  if (library == "PyTorch") return "operands may be in cache";
  return "";
}

std::string worst(std::vector<Checked> runs, const char* kind, std::size_t count) {
  runs.erase(std::remove_if(runs.begin(), runs.end(), [&](const Checked& c) { return c.column("kind") != kind; }), runs.end());
  const auto distance = [](const Checked& c) { return std::fabs(std::log(c.estimate)); };
  std::stable_sort(runs.begin(), runs.end(), [&](const Checked& a, const Checked& b) { return distance(a) > distance(b); });
  std::string out;
  for (std::size_t i = 0; i < std::min(count, runs.size()); ++i) {
    const Measurement& row = runs[i].run->row();
    const std::string what = row["model"].empty() ? row["m"] + " x " + row["n"] + " x " + row["k"] : row["model"];
    out += "| " + row["id"] + " | " + row["kind"] + " | " + row["machine"] + " | " + what + ", " + row["weights"] + " | " + row.library() +
           text(" | %.2f | ", runs[i].estimate) + reason(row) + " |\n";
  }
  return out;
}

std::string held_back_tables(const std::string& csv) {
  std::string out, scheme;
  for (std::size_t at = csv.find('\n') + 1; at < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', at), csv.size());
    std::vector<std::string> fields(1);
    for (const char c : csv.substr(at, end - at)) c == ',' ? (void)fields.emplace_back() : (void)(fields.back() += c);
    at = end + 1;
    if (fields.size() != 5) continue;
    out += "| " + fields[0] + " | " + fields[1] + " | " + fields[2] + " | " + fields[3] + " | " + fields[4] + " |\n";
  }
  return out;
}

// --- the picture -----------------------------------------------------------------------------------------------------------------------

std::string scatter(const std::vector<Checked>& runs) {
  constexpr double left = 64, top = 16, side = 560, from = -6, to = 3;  // powers of ten, s
  const auto at = [&](double seconds) { return (std::clamp(std::log10(seconds), from, to) - from) / (to - from) * side; };
  const std::pair<const char*, const char*> kinds[] = {
      {"gemm", "#9aa0a6"}, {"attention", "#c58af9"}, {"prefill", "#e8710a"}, {"decode", "#1a73e8"}, {"generate", "#188038"}};
  std::string out = text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>Estimated against measured time</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
      left + side + 32, top + side + 44);
  for (double power = from; power <= to; ++power) {
    const double x = left + at(std::pow(10, power)), y = top + side - at(std::pow(10, power));
    constexpr const char* names[] = {"1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s", "1000 s"};
    const char* name = names[static_cast<int>(power - from)];
    out += text("<path d=\"M%.1f %gV%gM%g %.1fH%g\" stroke=\"#e0e0e0\"/>\n", x, top, top + side, left, y, left + side);
    out += text("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text><text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", x,
                top + side + 16, name, left - 6, y + 4, name);
  }
  const double band = std::log10(1.25) / (to - from) * side;  // a quarter off
  out += text("<path d=\"M%g %gL%g %g\" stroke=\"#000\"/>\n", left, top + side, left + side, top);
  for (const double shift : {-band, band})
    out += text("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#000\" stroke-dasharray=\"4 4\"/>\n", left + std::max(0.0, -shift),
                top + side - std::max(0.0, shift), left + side - std::max(0.0, shift), top + std::max(0.0, -shift));
  double legend = left + 10;
  for (const auto& [kind, colour] : kinds) {
    std::string points;
    for (const Checked& c : runs)
      if (c.column("kind") == kind)
        points += text("M%.1f %.1fh0", left + at(c.run->measured_s()), top + side - at(c.estimate * c.run->measured_s()));
    out += text("<path d=\"%%\" stroke=\"%s\" stroke-width=\"4\" stroke-linecap=\"round\" stroke-opacity=\".6\"/>\n", colour)
               .replace(text("<path d=\"").size(), 1, points);
    out += text("<circle cx=\"%g\" cy=\"%g\" r=\"4\" fill=\"%s\"/><text x=\"%g\" y=\"%g\">%s</text>\n", legend, top + 14, colour,
                legend + 8, top + 18, kind);
    legend += 84;
  }
  return out + text(
                   "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">measured</text>\n"
                   "<text x=\"12\" y=\"%g\" text-anchor=\"middle\" transform=\"rotate(-90 12 %g)\">estimated</text>\n</svg>\n",
                   left + side / 2, top + side + 36, top + side / 2, top + side / 2);
}

}  // namespace

Report report(const std::vector<Measurement>& rows, const std::filesystem::path& models, const std::string& held_back,
              const std::string& serving) {
  const auto owned = runs_of(rows, models);
  std::vector<Checked> runs, language, kernels;
  std::size_t faster = 0;
  for (const auto& run : owned) {
    const Checked c{run.get(), run->bound_s() / run->measured_s(), run->estimate_s() / run->measured_s()};
    runs.push_back(c);
    (c.column("stack").empty() ? kernels : language).push_back(c);
    faster += !c.column("stack").empty() && c.bound > 1 ? 1 : 0;
  }
  std::map<std::string, std::size_t> left;
  for (const Measurement& row : rows)
    if (const std::string why = left_out(row); !why.empty()) ++left[why];

  const auto kind = [](const Checked& c) { return c.column("kind"); };
  std::string md =
      "# Validation\n\n"
      "<!-- Written by tools/validate; tests/core/analysis/validation_test.cpp holds it to the presets and the measurements. -->\n\n"
      "What the [typical time](conventions.md#typical-time) is worth, by every published run in `tests/data/measured.csv`. Errors are\n"
      "|estimated / measured - 1|. No figure is fitted to a single machine: machines' fractions are microbenchmarks', stacks' figures a "
      "few\n"
      "numbers for all of their runs. `tools/validate` writes this page in seconds; `tools/calibrate` fits the stacks again, to this file "
      "or to\n"
      "one of your own.\n\n" +
      serving +
      "\n![Estimated against measured](validation.svg)\n\n"
      "Dashed: a quarter off.\n\n## By kind\n\n";
  md += table("kind", runs, kind);
  md += text("Of %zu runs of language models %zu were faster than their bound.\n\n", language.size(), faster);
  md +=
      "## Held back\n\n"
      "Fitted without them, then estimated. *Row*: any run may be held back. *Model*: all runs of a model in a format on a machine, a "
      "stack\n"
      "and a kind together; of kernels, all of a shape. *Machine*, *stack*: all of its runs. (A stack that is held back keeps what others "
      "say\n"
      "of the figures that it shares, and its preset's own.) Four parts, of machines and stacks eight.\n\n"
      "| held back by | kind | runs | median % | nine in ten % |\n|---|---|---|---|---|\n";
  md += held_back_tables(held_back) + "\n";
  md += "The form of the sum was chosen by looking at these runs; only its figures are held back.\n\n";
  md += "## By stack\n\n" + table("stack", runs, [](const Checked& c) { return c.run->stack().id + ", " + c.column("kind"); });
  md += "## By machine\n\nOf language models, by machine and kind; groups of three and more.\n\n" +
        table("machine", language, [](const Checked& c) { return c.column("machine") + ", " + c.column("kind"); }, 3);
  md += "## By format\n\n" + table("weights", runs, [](const Checked& c) {
          return std::string(c.column("stack").empty() ? "kernels" : "language models") + ", " + c.column("weights");
        });
  md += "## By library\n\n" +
        table(
            "library", kernels,
            [](const Checked& c) { return c.column("kind") + ", " + c.run->row().library() + ", " + c.column("machine"); }, 3);
  md +=
      "## What each term is worth\n\nThe errors of the runs that a term is in, with it and without it, the other terms as they are.\n\n"
      "Of language models:\n\n" +
      without_terms(language, true) + "Of kernels:\n\n" + without_terms(kernels, false);
  md += "## The worst\n\n| id | kind | machine | what | engine or library | estimated / measured | why |\n|---|---|---|---|---|---|---|\n";
  for (const char* k : {"decode", "prefill", "generate", "gemm", "attention"}) md += worst(runs, k, 5);
  md += "\n## Left out\n\nOf fits and errors:\n\n| why | rows |\n|---|---|\n";
  for (const auto& [why, count] : left) md += "| " + why + text(" | %zu |\n", count);
  md +=
      "\nThe flags are described in [tests/data](../../tests/data/README.md).\n\n"
      "## Beside others\n\nWhat they report of themselves, each on its own runs:\n\n"
      "| | error | of |\n|---|---|---|\n"
      "| this page: language models, machines held back; no profile of the machine | see above | decode, prefill, whole requests |\n"
      "| LLMCompass (arXiv 2312.03134) | 4.1 % inference, 10.4 % operators | a GPT-3 layer on A100, MI210, TPUv3 |\n"
      "| GenZ (2406.01698v3) | 5.8 % at most, geometric mean | several platforms |\n"
      "| Vidur (2405.05465) | under 9 % of the latency | four models on A100 and H100 that it profiled |\n"
      "| KernelSight-LM (2606.28565) | kernels 12.1 % from specifications alone, 3.8 % after a sweep on the machine; a plain roofline 22.0 "
      "and "
      "27.7 %. TTFT 15.4, TPOT 12.8 % from specifications | six model families |\n";
  return {md, scatter(runs)};
}

}  // namespace roofline::validation
