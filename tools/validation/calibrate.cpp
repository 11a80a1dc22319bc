// calibrate FILE.csv: fits the figures of the stacks to measurements.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "fit.hpp"

using namespace roofline;
using namespace roofline::validation;

namespace {

void print_errors(const char* title, const std::vector<std::unique_ptr<Run>>& runs, const std::vector<double>& ratios,
                  const std::function<std::string(const Run&)>& group) {
  std::map<std::string, std::vector<double>> by;
  for (std::size_t i = 0; i < runs.size(); ++i) by[group(*runs[i])].push_back(std::fabs(ratios[i] - 1));
  std::printf("%s\n", title);
  for (const auto& [name, errors] : by)
    std::printf("  %-40s n %4zu  median %5.1f  p90 %5.1f\n", name.c_str(), errors.size(), 100 * quantile(errors, .5), 100 * quantile(errors, .9));
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path csv = argc > 1 ? argv[1] : "tests/data/measured.csv";
  const char* only = argc > 2 ? argv[2] : "";
  const auto all = runs_of(measurements_of(text_of_file(csv)), csv.parent_path() / "measured-models");
  std::vector<std::unique_ptr<Run>> runs;
  for (const auto& r : all)
    if (!*only || (std::strcmp(only, "llm") == 0) == !r->row()["stack"].empty()) runs.push_back(std::make_unique<Run>(r->row(), csv.parent_path() / "measured-models"));
  const auto kind = [](const Run& r) { return r.row()["kind"]; };
  const auto by_library = [](const Run& r) { return r.row()["kind"] + " " + r.row()["machine"] + " " + r.row().library(); };
  std::vector<double> now, bound;
  for (const auto& r : runs) {
    now.push_back(r->estimate_s() / r->measured_s());
    bound.push_back(r->bound_s() / r->measured_s());
    if (!(now.back() > 0)) std::printf("no estimate: %s\n", r->row()["id"].c_str());
    if (bound.back() > 1 && !r->row()["stack"].empty()) std::printf("faster than its bound: %s %.3f\n", r->row()["id"].c_str(), bound.back());
  }
  print_errors("bound", runs, bound, kind);
  print_errors("presets", runs, now, kind);
  std::vector<const Run*> some;
  for (const auto& r : runs) some.push_back(r.get());
  const Values values = fitted(some);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("  %s.%s = %g\n", parameters()[i].stacks[0].c_str(), std::string(parameters()[i].key).c_str(), values[i]);
  std::vector<double> fit;
  for (const auto& r : runs) fit.push_back(r->estimate_s(terms_under(values, r->stack())) / r->measured_s());
  print_errors("fitted", runs, fit, kind);
  print_errors("fitted by stack", runs, fit, [](const Run& r) { return r.row()["kind"] + " " + r.row().library() + " " + r.row()["machine"]; });
  if (argc > 3) {
    const auto block = [](const Run& r) {
      return r.row()["model"] + r.row()["weights"] + r.row()["machine"] + r.row()["stack"] + r.row()["kind"] + r.row()["m"] + "x" + r.row()["n"] + "x" + r.row()["k"];
    };
    print_errors("held back by block", runs, held_back(runs, block, 4), kind);
    print_errors("held back by machine", runs, held_back(runs, [](const Run& r) { return r.row()["machine"]; }, 8), kind);
  }
}
