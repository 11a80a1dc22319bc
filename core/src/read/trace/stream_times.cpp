#include "read/trace/stream_times.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "workload/builder.hpp"

namespace roofline {

void StreamTimes::add(std::uint64_t device, std::uint64_t stream, double begin, double duration) {
  Span& span = devices_.try_emplace(device, Span{begin, begin}).first->second;
  const double end = begin + duration;
  span.busy += std::max(0.0, end - std::max(begin, span.end));
  span.end = std::max(span.end, end);
  streams_.emplace(device, stream);
  sum_ += duration;
}

void StreamTimes::report(WorkloadBuilder& rows) const {
  double wall = 0, busy = 0;
  for (const auto& [device, span] : devices_) wall += span.end - span.first, busy += span.busy;
  if (!(sum_ > 0)) return;
  const auto us = [](double time) { return seconds(time * 1e-6); };
  const std::string where = devices_.size() > 1 ? " of " + with_commas(devices_.size()) + " devices" : "";
  const std::string text = us(sum_) + " in " + with_commas(streams_.size()) + (streams_.size() == 1 ? " stream" : " streams") + where +
                           ", within " + us(wall) + ": busy " + us(busy) + " (" + percent(busy / wall) + "), idle " + us(wall - busy);
  rows.workload().properties.emplace_back("Device time", text);
  rows.note(Severity::info, "device time: " + text);
}

}  // namespace roofline
