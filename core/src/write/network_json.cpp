#include "write/network_json.hpp"

#include <roofline/base/number.hpp>

namespace roofline {

NetworkTotals::NetworkTotals(const Workload& w) : facts(Json::parse(w.network_json, nullptr, false)) {
  for (std::size_t i = 0; i < w.matrix_flops.size(); ++i)
    if (w.step.empty() || w.steps[w.step[i]].empty()) matrix_macs += known_or(w.matrix_flops[i], 0) / 2;
}

}  // namespace roofline
