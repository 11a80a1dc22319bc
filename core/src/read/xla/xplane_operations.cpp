#include "read/xla/xplane_operations.hpp"

#include <algorithm>
#include <limits>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"

namespace roofline::xplane {
namespace {

constexpr double pico = 1e-12;
constexpr std::uint64_t hbm_memory = 1, cmem_memory = 2, vmem_memory = 3, read_access = 1, write_access = 2;

/// FLOPs or bytes; 0 where there are none.
double amount_of(const Stat* stat) { return stat && stat->number > 0 && stat->number < 0x1p63 ? stat->number : 0; }

std::string text_of(const Stat* stat) { return stat ? printable(stat->text) : std::string(); }

/// "%fusion.1 = f32[8]{0} fusion(...)" -> "fusion.1"
std::string_view short_name(const Kind& kind) {
  if (!kind.display_name.empty()) return kind.display_name;
  const std::string_view name = kind.name.substr(0, kind.name.find(" = "));
  return name.starts_with('%') ? name.substr(1) : name;
}

const Kind& kind_of(const Plane& plane, std::uint64_t kind) {
  static const Kind nothing;
  const auto found = plane.kinds.find(kind);
  return found == plane.kinds.end() ? nothing : found->second;
}

Work work_of(const Kind& kind, bool& damaged) {
  Work work;
  work.flops = amount_of(kind.find("flops"));
  work.bytes = amount_of(kind.find("bytes_accessed"));
  const double model_flops = amount_of(kind.find("model_flops"));
  work.model_flops = model_flops > 0 ? model_flops : work.flops;
  std::vector<Access> accesses;
  const Stat* breakdown = kind.find("memory_access_breakdown");
  damaged = damaged || (breakdown && !read_accesses(breakdown->text, accesses));
  if (accesses.empty() && work.bytes > 0) {
    work.hbm = unknown;
    work.channels.fill(unknown);
  }
  for (const Access& access : accesses) {
    if (access.memory == hbm_memory) work.hbm += access.bytes;
    const bool on_chip = access.memory == cmem_memory || access.memory == vmem_memory;
    if (!on_chip || (access.operation != read_access && access.operation != write_access)) continue;
    const std::size_t first = access.memory == cmem_memory ? xla::cmem_read : xla::vmem_read;
    work.channels[first + (access.operation == write_access ? 1 : 0)] += access.bytes;
  }
  return work;
}

}  // namespace

/// A core's steps in the order of their beginnings. Step 0 is none.
struct Operations::Steps {
  std::vector<const Event*> events;

  explicit Steps(const Line* line) {
    if (!line) return;
    for (const Event& event : line->events) events.push_back(&event);
    sort_stably(events, [](const Event* a, const Event* b) { return a->host.begin_ps < b->host.begin_ps; });
  }
  [[nodiscard]] std::size_t at(double time_ps) const {
    const auto after = std::upper_bound(events.begin(), events.end(), time_ps,
                                        [](double time, const Event* event) { return time < event->host.begin_ps; });
    const auto before = static_cast<std::size_t>(after - events.begin());
    return before > 0 && time_ps < events[before - 1]->host.end_ps() ? before : 0;
  }
};

void Work::add(const Work& other) {
  flops += other.flops;
  model_flops += other.model_flops;
  bytes += other.bytes;
  hbm += other.hbm;
  for (std::size_t c = 0; c < channels.size(); ++c) channels[c] += other.channels[c];
}

void Operations::add(const Plane& plane, const Line& executions, const Line* steps_line) {
  works_.clear();
  seen_.clear();
  const Steps steps(steps_line);
  constexpr double longest_ps = 1e18;  // eleven days
  std::vector<const Event*> order;
  for (const Event& event : executions.events)
    if (event.span().duration_ps >= 0 && event.span().duration_ps < longest_ps)
      order.push_back(&event);
    else
      ++untimed_;
  sort_stably(order, [](const Event* a, const Event* b) {
    return std::pair(a->span().begin_ps, -a->span().duration_ps) < std::pair(b->span().begin_ps, -b->span().duration_ps);
  });
  // A loop is there beside the operations in it: its own time is what they leave of it.
  struct Open {
    const Event* event;
    std::size_t operation;
    double within_s;
  };
  std::vector<Open> open;
  const auto time_of = [](const Event& event) { return event.span().duration_ps * pico; };
  const auto close = [&](double until_ps) {
    while (!open.empty() && open.back().event->span().end_ps() < until_ps) {
      all_[open.back().operation].self_s += std::max(time_of(*open.back().event) - open.back().within_s, 0.0);
      open.pop_back();
    }
  };
  for (const Event* event : order) {
    close(event->span().end_ps());
    if (!open.empty()) open.back().within_s += time_of(*event);
    const std::size_t place = place_of(plane, *event, steps);
    Operation& op = all_[place];
    ++op.count;
    op.time_s += time_of(*event);
    op.work.add(work_of(plane, event->kind));
    open.push_back({event, place, 0});
  }
  close(std::numeric_limits<double>::infinity());
}

const Work& Operations::work_of(const Plane& plane, std::uint64_t kind) {
  const auto [found, is_new] = works_.try_emplace(kind);
  if (is_new) found->second = xplane::work_of(kind_of(plane, kind), damaged_);
  return found->second;
}

std::size_t Operations::place_of(const Plane& plane, const Event& event, const Steps& steps) {
  const std::size_t step = steps.at(event.host.begin_ps);
  const auto [place, is_new] = seen_.try_emplace({event.kind, step});
  if (!is_new) return place->second;
  const Kind& kind = kind_of(plane, event.kind);
  const Stat* program = kind.find("program_id");
  Operation op;
  op.name = kind.name.empty() ? "unnamed" : printable(short_name(kind));
  op.program = program ? std::to_string(program->identity) : "";
  if (step > 0) op.step = printable(short_name(kind_of(plane, steps.events[step - 1]->kind)));
  op.category = text_of(kind.find("hlo_category"));
  op.source = text_of(kind.find("source"));
  op.framework = text_of(kind.find("tf_op"));
  const auto [found, is_first] = places_.try_emplace({op.step, op.program, op.name}, all_.size());
  if (is_first) all_.push_back(std::move(op));
  return place->second = found->second;
}

}  // namespace roofline::xplane
