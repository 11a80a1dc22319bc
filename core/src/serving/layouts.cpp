#include "serving/layouts.hpp"

#include <cmath>

namespace roofline {

std::vector<ReplicaLayout> replica_layouts(const Model& model, double most, bool exact) {
  std::vector<ReplicaLayout> out;
  LlmSetup setup;
  setup.model = model;
  const auto add = [&](const ReplicaLayout& layout) {
    setup.tp = layout.tp;
    setup.ep = layout.ep;
    const double machines = layout.machines();
    if (machines > most || (exact && std::fmod(most, machines) != 0)) return;
    if (!layout_fault(setup, {layout.pp, 1, false})) out.push_back(layout);
  };
  constexpr double deepest = 8;  // stages: more gain nothing, because each token passes all of them
  for (double pp = 1; pp <= std::min(most, deepest); pp *= 2)
    for (double stage = 1; stage * pp <= most; stage *= 2) {
      add({stage, 1, pp});
      if (model.experts == 0 || stage == 1) continue;
      for (double tp = 1; tp <= stage; tp *= 2) add({tp, stage, pp});
    }
  return out;
}

}  // namespace roofline
