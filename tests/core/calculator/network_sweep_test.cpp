// The finding of a sweep over a network's dimension, in words.
#include <roofline/calculator/network_sweep.hpp>

using namespace roofline;

namespace {

std::string finding(double first_s, double last_s) {
  NetworkSweep sweep;
  sweep.dimension = "height";
  sweep.resources = {"DRAM"};
  for (const auto& [length, time_s] : {std::pair(32.0, first_s), std::pair(64.0, last_s)}) {
    NetworkSweepPoint point;
    point.length = length;
    point.total.bound_by = 0;
    point.total.predicted_time_s = time_s;
    sweep.points.push_back(point);
  }
  return network_sweep_finding(sweep);
}

}  // namespace

TEST_CASE("sweep of a network: the first length that another resource bounds is named", "[sweep]") {
  NetworkSweep sweep;
  sweep.dimension = "batch";
  sweep.resources = {"compute", "DRAM"};
  for (const auto& [length, bound] : {std::pair(1.0, 1), std::pair(512.0, 1), std::pair(1024.0, 0)}) {
    NetworkSweepPoint point;
    point.length = length;
    point.total.bound_by = static_cast<std::uint8_t>(bound);
    sweep.points.push_back(point);
  }
  CHECK(network_sweep_finding(sweep).starts_with("DRAM bounds below batch = 1,024, compute from 1,024 up."));
}

TEST_CASE("sweep of a network: the time per unit of the dimension falls, grows or stays the same", "[sweep]") {
  const std::string start = "DRAM bounds all along. From height = 32 to 64 the predicted time per unit of height ";
  CHECK(finding(1, 2) == start + "stays the same.");
  CHECK(finding(1, 2.008) == start + "stays the same.");
  CHECK(finding(1, 1.992) == start + "stays the same.");
  CHECK(finding(1, 1.8) == start + "falls to 90%.");
  CHECK(finding(1, 4) == start + "grows to 2x.");
}
