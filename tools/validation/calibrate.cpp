// calibrate [FILE.csv] [--write], calibrate --serving [--inside | --write]: fits the figures of the stacks to measurements and says how far
// off they are on runs held back. --write puts them into presets/stacks, and the errors into the stacks and tests/data/held_back.csv, or
// held_back_npu.csv of networks on NPUs. --inside: prints only the errors of a second split within the fitted parts, for choosing the form
// of the estimate.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "arguments.hpp"
#include "fit.hpp"
#include "serving_fit.hpp"

using namespace roofline;
using namespace roofline::validation;

namespace {

using Json = nlohmann::ordered_json;
using Runs = std::vector<std::unique_ptr<Run>>;

/// To three digits: no run says more.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return std::stod(text);
}

std::string kind_of(const Run& run) { return is_network(run.row()) ? run.row()["machine"] : run.row()["kind"]; }
bool is_kernel(const Run& run) { return run.row()["stack"].empty() && !is_network(run.row()); }

struct Errors {
  double median, p90;
  std::size_t runs;
};
Errors errors_of(const Runs& runs, const std::vector<double>& ratios, const std::function<bool(const Run&)>& chosen) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (chosen(*runs[i])) errors.push_back(std::fabs(ratios[i] - 1));
  return {quantile(errors, .5), quantile(errors, .9), errors.size()};
}

struct Scheme {
  const char* name;
  std::size_t parts;
  std::function<std::string(const Run&)> block;
};
/// Of networks each NPU is a kind, and all rows of a network are held back together.
std::vector<Scheme> schemes(bool networks) {
  if (networks) return {{"network", 4, [](const Run& r) { return r.row()["model"]; }}};
  static const std::vector<Scheme> list{{"row", 4, [](const Run& r) { return r.row()["id"]; }},
                                        {"model", 4,
                                         [](const Run& r) {
                                           const Measurement& m = r.row();
                                           return m["model"] + ' ' + m["weights"] + ' ' + m["machine"] + ' ' + m["stack"] + ' ' +
                                                  m["kind"] + ' ' + m["m"] + 'x' + m["n"] + 'x' + m["k"];
                                         }},
                                        {"machine", 8, [](const Run& r) { return r.row()["machine"]; }},
                                        {"stack", 8, [](const Run& r) { return r.row().library(); }}};
  return list;
}

/// On one line, with spaces.
std::string on_a_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (auto it = json.begin(); it != json.end(); ++it)
    text += (text.empty() ? "" : ", ") + (json.is_object() ? Json(it.key()).dump() + ": " : "") + on_a_line(*it);
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// A stack's file: one figure to a line, as the other presets have them.
void write_json(const std::filesystem::path& file, const Json& json) {
  std::string text = "{\n";
  for (auto it = json.begin(); it != json.end(); ++it) {
    text += "  " + Json(it.key()).dump() + ": ";
    if (it->is_object() && !it->empty()) {
      text += "{\n";
      for (auto inner = it->begin(); inner != it->end(); ++inner)
        text += "    " + Json(inner.key()).dump() + ": " + on_a_line(*inner) + (std::next(inner) == it->end() ? "\n" : ",\n");
      text += "  }";
    } else {
      text += on_a_line(*it);
    }
    text += std::next(it) == json.end() ? "\n" : ",\n";
  }
  std::ofstream(file, std::ios::binary) << text << "}\n";
}

/// The fitted figures in the stacks' files; the others stay.
void write_stack(const std::filesystem::path& file, const Values& values, const Runs& runs, const std::vector<double>& held) {
  Json json = Json::parse(text_of_file(file));
  const std::string id = json["id"];
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const std::string& stack : parameters()[i].stacks)
      if (stack == id) json["terms"][std::string(parameters()[i].key)]["value"] = rounded(values[i]);
  // The stack's own runs where they are enough to tell, else those of all of its kind.
  Json errors = Json::object();
  const bool networks = id.starts_with("npu");
  const bool kernels = json["terms"].contains("tile_edge");
  for (const char* kind : networks ? std::vector{"network"} : std::vector{"decode", "prefill", "generate", "kernels"}) {
    const auto of_kind = [&](const Run& r) { return is_kernel(r) ? std::strcmp(kind, "kernels") == 0 : r.row()["kind"] == kind; };
    Errors e = errors_of(runs, held, [&](const Run& r) { return of_kind(r) && r.stack().id == id; });
    const bool own = networks || e.runs >= 20;
    if (!own) e = errors_of(runs, held, [&](const Run& r) { return of_kind(r); });
    if (kernels == (std::strcmp(kind, "kernels") == 0))
      errors[kind] = {{"median", rounded(e.median)}, {"p90", rounded(e.p90)}, {"rows", e.runs}, {"own", own}};
  }
  errors["basis"] = networks ? "held out by network, in four parts"
                             : "held out by model, format, machine, stack and kind, of kernels by shape; where fewer than 20 runs were "
                               "this stack's, of all stacks";
  if (id != "none" && id != "eager") json["error"] = errors;
  write_json(file, json);
}

using ServingRuns = std::vector<std::unique_ptr<ServingRun>>;

constexpr std::pair<const char*, double ServingFigures::*> serving_figures[] = {
    {"tpot", &ServingFigures::tpot_s}, {"ttft", &ServingFigures::ttft_s}, {"throughput", &ServingFigures::output_tokens_per_s}};

/// |estimated / measured - 1| by figure and stack; "": of all aggregated runs. Prints them.
std::map<std::string, Json> print_serving_errors(const std::vector<EstimatedRun>& runs) {
  std::map<std::string, Json> errors;
  std::printf("\n%-24s %6s %8s %8s\n", "held back", "runs", "median", "p90");
  std::vector<std::string> stacks = fitted_serving_stacks();
  stacks.insert(stacks.begin(), "");
  for (const auto& [name, member] : serving_figures)
    for (const std::string& stack : stacks) {
      std::vector<double> off;
      for (const EstimatedRun& r : runs)
        if (const double ratio = r.estimate.*member / r.run->measured().*member;
            known(ratio) && (stack.empty() ? r.run->mode() == "aggregated" : r.run->stack().id == stack))
          off.push_back(std::fabs(ratio - 1));
      if (off.empty()) continue;
      std::printf("%-24s %6zu %7.1f%% %7.1f%%\n", (name + (" " + stack)).c_str(), off.size(), 100 * quantile(off, .5),
                  100 * quantile(off, .9));
      errors[stack][name] = {{"median", rounded(quantile(off, .5))}, {"p90", rounded(quantile(off, .9))}, {"rows", off.size()}};
    }
  return errors;
}

/// The stacks that serve: fitted to all runs, and their errors on blocks of a machine and a model that were held back.
int calibrate_serving(bool write, bool inside) {
  const ServingRuns owned =
      serving_runs_of(measurements_of(text_of_packed_file("tests/data/measured_serving.csv.gz")), "tests/data/measured-models");
  std::vector<const ServingRun*> runs;
  for (const auto& run : owned)
    if (is_in_serving_fit(*run)) runs.push_back(run.get());
  if (inside) {
    print_serving_errors(serving_held_back_inside(runs, serving_parts));
    return 0;
  }
  const std::vector<ServingFigures> held = serving_held_back(runs, serving_parts);
  const Values before = serving_values_of_presets(), values = fitted_to_serving(runs);
  std::printf("%-34s %12s %12s\n", "figure", "preset", "fitted");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ServingParameter& p = serving_parameters()[i];
    std::printf("%-34s %12.3g %12.3g\n", (p.stacks[0] + "." + std::string(p.key)).c_str(), before[i], values[i]);
  }
  std::vector<EstimatedRun> estimated;
  for (std::size_t i = 0; i < runs.size(); ++i) estimated.push_back({runs[i], held[i]});
  std::map<std::string, Json> errors = print_serving_errors(estimated);
  if (!write) return 0;
  for (const std::string& id : fitted_serving_stacks()) {
    const std::filesystem::path file = "presets/stacks/" + id + ".json";
    Json json = Json::parse(text_of_file(file));
    const StackTerms terms = serving_terms_under(values, Stacks::presets()[*Stacks::presets().find(id)]);
    for (const StackTermInfo& term : stack_terms())
      if (const auto& value = terms.*term.value) json["terms"][std::string(term.key)]["value"] = rounded(*value);
    json["error"] = errors[id];
    json["error"]["basis"] = "all runs of a machine and a model held back together";
    std::set<std::string> machines;
    for (const ServingRun* run : runs)
      if (run->stack().id == id) machines.insert(run->row()["machine"]);
    json["error"]["machines"] = machines;
    write_json(file, json);
  }
  std::ofstream out("tests/data/serving_held_back.csv", std::ios::binary);
  out << "id,tpot,ttft,throughput\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out << runs[i]->row()["id"];
    for (const auto& [name, member] : serving_figures) {
      const double ratio = held[i].*member / runs[i]->measured().*member;
      char text[32];
      std::snprintf(text, sizeof text, known(ratio) ? ",%.4f" : ",", ratio);
      out << text;
    }
    out << '\n';
  }
  std::printf("\nwritten to presets/stacks and tests/data/serving_held_back.csv: build again, and run tools/validate\n");
  return 0;
}

/// Which networks are held back together, before anything is fitted.
void print_parts(const Runs& runs) {
  std::map<std::string, std::set<std::string>> parts;
  for (const auto& run : runs) parts[run->row()["part"]].insert(run->row()["model"]);
  for (const auto& [part, networks] : parts) {
    std::printf("held back in part %s:", part.c_str());
    for (const std::string& network : networks) std::printf(" %s", network.c_str());
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = arguments_of(argc, argv, {"--serving", "--inside", "--write"}, 1);
  const bool write = arguments.has("--write"), serving = arguments.has("--serving"), inside = arguments.has("--inside");
  if (inside && (!serving || write)) throw std::invalid_argument("--inside: expected --serving, and no --write");
  if (serving && !arguments.files.empty())
    throw std::invalid_argument("--serving: expected no file; it reads tests/data/measured_serving.csv.gz");
  if (serving) return calibrate_serving(write, inside);
  const Runs runs = runs_of(measurements_of(text_of_file(arguments.file_or(0, "tests/data/measured.csv"))), "tests/data/measured-models");
  const bool networks = !runs.empty() && is_network(runs[0]->row());
  if (networks) print_parts(runs);
  std::vector<const Run*> all;
  for (const auto& run : runs) all.push_back(run.get());
  const Values before = values_of_presets(), values = fitted(all);
  std::printf("%-34s %12s %12s\n", "figure", "preset", "fitted");
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%-34s %12.3g %12.3g\n", (parameters()[i].stacks[0] + "." + std::string(parameters()[i].key)).c_str(), before[i],
                values[i]);

  std::string table = "held_back_by,kind,rows,median_percent,p90_percent\n";
  std::vector<double> by_model;
  std::printf("\n%-10s %-10s %6s %8s %8s\n", "held back", "kind", "runs", "median", "p90");
  std::vector<std::string> kinds = {"decode", "prefill", "generate", "gemm", "attention"};
  if (networks) {
    std::set<std::string> machines;
    for (const auto& run : runs) machines.insert(kind_of(*run));
    kinds.assign(machines.begin(), machines.end());
  }
  for (const Scheme& scheme : schemes(networks)) {
    const std::vector<double> ratios = held_back(runs, scheme.block, scheme.parts);
    if (std::strcmp(scheme.name, networks ? "network" : "model") == 0) by_model = ratios;
    for (const std::string& kind : kinds) {
      const Errors e = errors_of(runs, ratios, [&](const Run& r) { return kind_of(r) == kind; });
      if (e.runs == 0) continue;
      char line[128];
      std::snprintf(line, sizeof line, "%s,%s,%zu,%.1f,%.1f\n", scheme.name, kind.c_str(), e.runs, 100 * e.median, 100 * e.p90);
      table += line;
      std::printf("%-10s %-10s %6zu %7.1f%% %7.1f%%\n", scheme.name, kind.c_str(), e.runs, 100 * e.median, 100 * e.p90);
      std::fflush(stdout);
    }
  }
  if (!write) return 0;
  for (const Stack& stack : Stacks::presets().all())
    if (stack.id.starts_with("npu-") == networks && stack.id != "npu" && !stack.terms.request_s)
      write_stack("presets/stacks/" + stack.id + ".json", values, runs, by_model);
  const char* const held_back_file = networks ? "tests/data/held_back_npu.csv" : "tests/data/held_back.csv";
  std::ofstream(held_back_file, std::ios::binary) << table;
  std::printf("\nwritten to presets/stacks and %s: build again, and run tools/validate\n", held_back_file);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "calibrate: %s\n", e.what());
  return 2;
}
