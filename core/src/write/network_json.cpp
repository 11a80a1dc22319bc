#include "write/network_json.hpp"

namespace roofline {

NetworkTotals::NetworkTotals(const Workload& w) : facts(Json::parse(w.network_json, nullptr, false)) {}

bool nothing_counted(const Workload& w) {
  return w.size() == 0 && !w.network_json.empty() && !NetworkTotals(w).fact("not_counted").empty();
}

}  // namespace roofline
