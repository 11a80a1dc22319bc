#include "read/trace/stream_times.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "workload/builder.hpp"

namespace roofline {

void StreamTimes::add(const StreamWork& work) {
  std::size_t d = 0;
  while (d < devices_.size() && devices_[d].id != work.device) ++d;
  if (d == devices_.size() && d == most) --d;
  if (d == devices_.size()) devices_.push_back({work.device, work.begin, work.begin});
  Device& device = devices_[d];
  const double end = work.begin + work.duration;
  device.busy += std::max(0.0, end - std::max(work.begin, device.end));
  if (const double gap = work.begin - device.end; gap > 0) {
    ++gaps_;
    if (gap > longest_gap_) longest_gap_ = gap, launches_.after_longest_gap = launches_.size();
  }
  device.end = std::max(device.end, end);
  std::size_t s = 0;
  while (s < streams_.size() && streams_[s] != std::pair(work.device, work.stream)) ++s;
  if (s == streams_.size() && s < most) streams_.emplace_back(work.device, work.stream);
  sum_ += work.duration;
  launches_.begin_s.push_back((work.begin - devices_[0].first) * 1e-6);
  launches_.length_s.push_back(static_cast<float>(work.duration * 1e-6));
  launches_.op.push_back(work.op);
}

void StreamTimes::add_all(std::vector<StreamWork> work) {
  std::sort(work.begin(), work.end(), [](const StreamWork& a, const StreamWork& b) { return a.begin < b.begin; });
  for (const StreamWork& w : work) add(w);
}

void StreamTimes::report(WorkloadBuilder& rows) const {
  double wall = 0, busy = 0;
  for (const Device& device : devices_) wall += device.end - device.first, busy += device.busy;
  if (!(sum_ > 0)) return;
  const auto us = [](double time) { return seconds(time * 1e-6); };
  const std::string where = devices_.size() > 1 ? " of " + with_commas(devices_.size()) + " devices" : "";
  const std::string text = us(sum_) + " in " + quantity(streams_.size(), "stream") + where + ", within " + us(wall) + ": busy " + us(busy) +
                           " (" + percent(busy / wall) + "), idle " + us(wall - busy);
  rows.workload().properties.emplace_back("Device time", text);
  rows.workload().device_time = {devices_.size(), wall * 1e-6, busy * 1e-6, launches_.size(), gaps_, longest_gap_ * 1e-6};
  if (devices_.size() == 1) rows.workload().launches = launches_;
  rows.note(Severity::info, "device time: " + text);
}

}  // namespace roofline
