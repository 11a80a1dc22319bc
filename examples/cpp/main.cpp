// The operations of a file that lose most time on a machine: slowest FILE [MACHINE]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/read/read.hpp>
#include <roofline/scenario/scenario.hpp>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace roofline;
  if (argc < 2) return std::fprintf(stderr, "expected a file of operations\n"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const Registry registry;
  const Keys keys;
  ReadOptions options;
  options.source_name = argv[1];
  options.registry = &registry;
  options.keys = &keys;
  const Result<Workload> workload = read(bytes, options);
  if (!workload) return std::fprintf(stderr, "%s: %s\n", argv[1], workload.error().text().c_str()), 1;
  Scenario scenario = Scenario::standard();
  if (argc > 2)
    if (const Result<void> chosen = set(scenario, "machine", argv[2]); !chosen)
      return std::fprintf(stderr, "%s\n", chosen.error().message.c_str()), 2;

  const Plan plan(*workload, scenario);
  std::vector<std::pair<double, std::size_t>> lost;
  for (std::size_t op = 0; op < workload->size(); ++op)
    if (const double s = plan.analyze(op).lost_time_s; known(s)) lost.emplace_back(s, op);
  std::sort(lost.rbegin(), lost.rend());
  for (std::size_t i = 0; i < lost.size() && i < 3; ++i) {
    const OpAnalysis a = plan.analyze(lost[i].second);
    const std::string bound = a.bound_by == no_resource ? "nothing known" : plan.resources()[a.bound_by].name;
    std::printf("%s loses %s; bound by %s\n", workload->name_of(lost[i].second).c_str(), seconds(lost[i].first).c_str(), bound.c_str());
  }
}
