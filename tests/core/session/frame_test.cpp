// A frame against a plain computation over every operation, and against the totals of the analysis.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <roofline/analysis/op_set.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/frame/headline.hpp>

#include "analysis/slice.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

/// Numbers that are the same everywhere: std's distributions are not.
class Random {
 public:
  double operator()() {  // [0, 1)
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((*this)() * static_cast<double>(n)); }

 private:
  std::uint64_t state_ = 42;
};

constexpr std::size_t size = 5000;

/// Ops of many kinds and sizes; some without FLOPs, bytes or a time, some faulty, many equal.
Workload generated() {
  Random random;
  Workload w;
  const char* types[] = {"conv", "MatMul", "add", "softmax"};
  for (const char* type : types)
    for (const char* id : {"fp16", "int8", "fp32"}) {
      OpClass kind;
      kind.type = type;
      kind.activation = kind.weight = kind.output = format(id);
      kind.matrix_work = type[0] == 'c' || type[0] == 'M';
      kind.vector_work = !kind.matrix_work;
      w.classes.push_back(kind);
    }
  OpClass faulty;
  faulty.invalid = true;
  w.classes.push_back(faulty);
  for (std::size_t i = 0; i < size; ++i) {
    const auto k = static_cast<std::uint32_t>(random.below(w.classes.size()));
    const bool invalid = w.classes[k].invalid;
    const double n = std::floor(std::pow(10, 3 + 4 * random()));
    const double flops = invalid ? unknown : random() < 0.1 ? 0 : n * std::floor(1 + 1000 * random());
    w.op_class.push_back(k);
    w.matrix_flops.push_back(!invalid && w.classes[k].vector_work ? 0 : flops);
    w.vector_flops.push_back(!invalid && w.classes[k].vector_work ? flops : 0);
    w.weight.push_back(n);
    w.activation.push_back(invalid || random() < 0.05 ? unknown : n);
    w.output.push_back(n / 2);
    w.given_bytes.push_back(random() < 0.1 ? 3 * n : unknown);
    const double time = random() < 0.2 ? unknown : std::round(1e6 * random()) * 1e-9;  // with ties
    w.time_s.push_back(time > 0 ? time : unknown);
    w.self_time_s.push_back(w.time_s[i] * (i % 3 ? 1 : 0.5));
    const std::string name = random() < 0.1 ? "" : (i % 7 ? "layer " : "Block ") + std::to_string(random.below(500));
    w.name.push_back({static_cast<std::uint32_t>(w.text.size()), static_cast<std::uint32_t>(name.size())});
    w.text += name;
  }
  return w;
}

Scenario scenario() {
  Scenario s;
  s.use(*Machines::presets().find("h100-sxm"));
  s.whatif.weight = format("int4");
  return s;
}

double predicted(const OpAnalysis& a) { return a.predicted_time_s; }

/// The table's order by the definition: larger first (or smaller), unknown last either way, ties in source order.
std::vector<std::uint32_t> sorted(const Plan& plan, const FrameRequest& r, const std::vector<std::uint32_t>& ops) {
  const Workload& w = plan.workload();
  std::vector<double> value(w.size());
  for (const std::uint32_t op : ops) {
    const OpAnalysis a = plan.analyze(op);
    const OpWhatIf then = plan.what_if(op);
    const double p = predicted(a);
    value[op] = [&] {
      switch (r.sort) {
        case SortKey::source_order:
          return static_cast<double>(op);
        case SortKey::name:
        case SortKey::type:
        case SortKey::category:
        case SortKey::step:
        case SortKey::label:
          return r.ranks[op] == no_rank ? unknown : static_cast<double>(r.ranks[op]);
        case SortKey::bound_by:
          return a.bound_by == no_resource ? unknown : static_cast<double>(a.bound_by);
        case SortKey::limited_by:
          if (a.limit == Limit::unknown) return unknown;
          return a.limit == Limit::neither ? static_cast<double>(plan.resources().size()) : static_cast<double>(a.bound_by);
        case SortKey::compute_utilization:
          return compute_utilization(a);
        case SortKey::memory_utilization:
          return memory_utilization(plan, a);
        case SortKey::status:
          return static_cast<double>(a.status);
        case SortKey::flops:
          return a.flops;
        case SortKey::bytes:
          return a.bytes;
        case SortKey::intensity:
          return a.intensity;
        case SortKey::time:
          return a.time_s;
        case SortKey::predicted:
          return p;
        case SortKey::lost:
          return a.lost_time_s;
        case SortKey::efficiency:
          return p / a.time_s;
        case SortKey::achieved:
          return a.achieved_flops;
        case SortKey::bandwidth:
          return a.achieved_bandwidth;
        case SortKey::speedup:
          return p / then.predicted_time_s;
        case SortKey::self_time:
          return a.self_time_s;
        case SortKey::count:
          return w.count_of(op);
      }
      return unknown;
    }();
  }
  std::vector<std::uint32_t> order = ops;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    const double a = value[x], b = value[y];
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    return r.descending ? a > b : a < b;
  });
  return order;
}

std::vector<std::uint32_t> all_ops() {
  std::vector<std::uint32_t> ops(size);
  std::iota(ops.begin(), ops.end(), 0u);
  return ops;
}

void check_same(const Summary& a, const Summary& b) {
  CHECK(a.ops == b.ops);
  CHECK(a.timed_ops == b.timed_ops);
  CHECK(a.above_roof == b.above_roof);
  CHECK(a.by_status == b.by_status);
  CHECK(a.by_bound == b.by_bound);
  CHECK(a.bound_by == b.bound_by);
  for (const auto quantity : {&Summary::flops, &Summary::bytes, &Summary::predicted_time_s, &Summary::time_s, &Summary::judged_time_s,
                              &Summary::judged_predicted_s, &Summary::whatif_predicted_s})
    CHECK_THAT(a.*quantity, WithinRel(b.*quantity, 1e-12));
  for (const auto quantity : {&WhatIfSums::efficient_s, &WhatIfSums::overhead_s})
    CHECK_THAT(a.whatif_measured.*quantity, WithinRel(b.whatif_measured.*quantity, 1e-12));
}

/// The totals by plain addition. What calls others counts as far as its own time goes.
Summary added_up(const Plan& plan, const std::vector<std::uint32_t>& ops) {
  Summary s;
  s.by_bound.resize(plan.resources().size());
  std::vector<double> by_bound(plan.resources().size());
  const auto add = [](double& sum, double v) { sum += v == v ? v : 0; };
  for (const std::uint32_t op : ops) {
    const OpAnalysis a = plan.analyze(op);
    const OpWhatIf then = plan.what_if(op);
    ++s.ops;
    ++s.by_status[static_cast<std::size_t>(a.status)];
    const double share = a.self_time_s < a.time_s ? a.self_time_s / a.time_s : 1;
    add(s.flops, a.flops * share);
    add(s.bytes, a.bytes * share);
    add(s.predicted_time_s, a.predicted_time_s * share);
    add(s.time_s, a.self_time_s);
    if (a.time_s > 0) ++s.timed_ops;
    if (a.efficiency > 1) ++s.above_roof;
    if (a.bound_by != no_resource) {
      ++s.by_bound[a.bound_by];
      by_bound[a.bound_by] += a.predicted_time_s * share;
    }
    add(s.whatif_predicted_s, then.predicted_time_s * share);
    if (!(a.time_s > 0 && a.predicted_time_s > 0)) continue;
    s.judged_time_s += a.self_time_s;
    s.judged_predicted_s += a.predicted_time_s * share;
    s.whatif_measured.efficient_s += share * a.time_s * then.predicted_time_s / a.predicted_time_s;
    s.whatif_measured.overhead_s += share * (std::max(a.time_s - a.predicted_time_s, 0.0) + then.predicted_time_s);
  }
  s.bound_by = static_cast<std::uint8_t>(std::max_element(by_bound.begin(), by_bound.end()) - by_bound.begin());
  return s;
}

}  // namespace

TEST_CASE("frame: totals", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  const Frame frame = make_frame(plan, {});
  check_same(frame.all, added_up(plan, all_ops()));
  check_same(frame.shown, frame.all);
  check_same(summarize(plan), frame.all);
}

TEST_CASE("frame: the points are the top by time, biggest first", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  std::vector<std::uint32_t> order = all_ops();
  std::vector<double> time(size);
  for (const std::uint32_t op : order) {
    const OpAnalysis a = plan.analyze(op);
    time[op] = a.self_time_s > 0 ? a.self_time_s : a.predicted_time_s > 0 ? a.predicted_time_s : 0;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return time[a] > time[b]; });
  for (const std::size_t top : {0, 1, 10, 1000, 4999}) {
    FrameRequest r;
    r.top = top;
    const Frame frame = make_frame(plan, r);
    INFO(top);
    CHECK(frame.points == std::vector<std::uint32_t>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top)));
    for (const std::size_t n :
         {frame.intensity.size(), frame.attained.size(), frame.time_share.size(), frame.status.size(), frame.symbol.size(),
          frame.bound.size(), frame.flags.size(), frame.whatif_intensity.size(), frame.whatif_attained.size()})
      CHECK(n == top);
  }
  FrameRequest r;
  r.top = 2 * size;
  const Frame whole = make_frame(plan, r);
  CHECK(whole.points.size() == size);
  CHECK(whole.density.empty());  // nothing is left for a grid
}

TEST_CASE("frame: what a point shows", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  FrameRequest r;
  r.top = size;
  const Frame frame = make_frame(plan, r);
  const auto near = [](float a, double b) { return std::isnan(a) ? std::isnan(b) : std::abs(a - b) <= 1e-6 * std::abs(b); };
  std::size_t lanes = 0, untimed = 0, above = 0;
  for (std::size_t n = 0; n < frame.points.size(); ++n) {
    const std::uint32_t op = frame.points[n];
    const OpAnalysis a = plan.analyze(op);
    const OpWhatIf then = plan.what_if(op);
    const bool lane = a.flops == 0 && a.bytes > 0, timed = a.time_s > 0;
    lanes += lane;
    untimed += !timed;
    above += a.efficiency > 1;
    INFO("op " << op);
    CHECK(frame.status[n] == static_cast<std::uint8_t>(a.status));
    CHECK(frame.bound[n] == a.bound_by);
    CHECK(near(frame.intensity[n], a.intensity));
    CHECK(near(frame.attained[n], timed  ? (lane ? a.achieved_bandwidth : a.achieved_flops)
                                  : lane ? a.bytes / a.predicted_time_s
                                         : a.attainable_flops));
    CHECK((frame.flags[n] & 1) == (timed ? 0 : 1));
    CHECK((frame.flags[n] & 2) == (a.efficiency > 1 ? 2 : 0));
    CHECK((frame.flags[n] & 4) == (lane ? 4 : 0));
    CHECK(near(frame.whatif_intensity[n], then.bytes > 0 ? then.flops / then.bytes : unknown));
    const double arrives = timed ? a.time_s * then.predicted_time_s / a.predicted_time_s : then.predicted_time_s;
    CHECK(near(frame.whatif_attained[n], (lane ? then.bytes : then.flops) / arrives));
  }
  double low = unknown, high = unknown;  // of all operations, however few are points
  for (const std::uint32_t op : all_ops()) {
    const double intensity = plan.analyze(op).intensity;
    if (intensity > 0 && !(intensity >= low)) low = intensity;
    if (intensity > 0 && !(intensity <= high)) high = intensity;
  }
  r.top = 10;
  const Range range = make_frame(plan, r).intensity_range;
  CHECK(range.low == low);
  CHECK(range.high == high);
  CHECK(lanes > 100);
  CHECK(untimed > 100);
  CHECK(above > 10);
}

TEST_CASE("frame: the table's pages", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  for (int key = 0; key <= static_cast<int>(SortKey::label); ++key)
    for (const bool descending : {true, false}) {
      FrameRequest r;
      r.sort = static_cast<SortKey>(key);
      r.descending = descending;
      const std::vector<std::uint32_t> places = sorts_by_rank(r.sort) ? ranks(w, r.sort) : std::vector<std::uint32_t>();
      r.ranks = places;
      const std::vector<std::uint32_t> order = sorted(plan, r, all_ops());
      for (const std::size_t offset : {std::size_t{0}, std::size_t{50}, std::size_t{4080}, size - 20, size, 2 * size}) {
        r.offset = offset;
        r.selected = 1234;
        const Frame frame = make_frame(plan, r);
        INFO("key " << key << ", " << (descending ? "descending" : "ascending") << ", offset " << offset);
        const std::size_t first = std::min(offset, size), last = std::min(offset + r.rows, size);
        CHECK(frame.rows == std::vector<std::uint32_t>(order.begin() + static_cast<std::ptrdiff_t>(first),
                                                       order.begin() + static_cast<std::ptrdiff_t>(last)));
        REQUIRE(frame.selected_row);
        CHECK(order[*frame.selected_row] == 1234);
      }
    }
}

TEST_CASE("frame: the order by utilization is that of every op's analysis", "[frame]") {
  Workload w = generated();
  Random random;
  w.classes.push_back(w.classes[0]);
  w.classes.back().rates_only = true;
  for (const char* name : {"VMEM Read", "VMEM Write", "ICI", "no such memory"}) {
    Channel channel{name, std::string(name) == "ICI", {}};
    for (std::size_t i = 0; i < size; ++i)
      channel.bytes.push_back(random() < 0.3 ? unknown : random() < 0.1 ? 0 : std::floor(1e6 * random()));
    w.channels.push_back(std::move(channel));
  }
  for (std::size_t i = 0; i < size; i += 50) w.op_class[i] = static_cast<std::uint32_t>(w.classes.size() - 1);
  const auto machine = GENERATE(std::string("h100-sxm"), std::string("tpu-v5e"), std::string(R"({"id": "split", "name": "Split",
      "peaks": {"matrix": {"fp16": 1e12}, "vector": {"fp32": 2e11}},
      "memories": [{"name": "HBM", "read_bandwidth": 3e11, "write_bandwidth": 1e11}, {"name": "VMEM", "read_bandwidth": 9e11, "write_bandwidth": 4e11}],
      "links": [{"name": "ICI", "bandwidth": 5e10}]})"));
  Scenario s;
  if (machine[0] == '{') {
    const auto own = parse_machine(machine);
    REQUIRE(own);
    s.use(*own);
  } else {
    s.use(*Machines::presets().find(machine));
  }
  const Plan plan(w, s);
  std::array<double, Plan::block_size> least;
  const auto block = std::make_unique<Plan::Block>();
  Slicer slicer(w);
  std::size_t known = 0;
  for (std::size_t i = 0; i + 7 < size; i += 7) {
    const Plan::Slice& slice = slicer.contiguous(i, 7);
    plan.evaluate(slice, *block);
    plan.memory_times(slice, block->bytes, least.data());
    for (std::size_t j = 0; j < 7; ++j) {
      const OpAnalysis a = plan.analyze(i + j);
      const double expected = memory_utilization(plan, a), found = least[j] / a.time_s;
      if (a.rates_only || !(a.time_s > 0)) continue;
      ++known;
      if (expected == expected || found == found) CHECK(found == expected);
    }
  }
  CHECK(known > size / 2);
  FrameRequest r;
  r.rows = size;
  r.sort = GENERATE(SortKey::compute_utilization, SortKey::memory_utilization);
  r.descending = GENERATE(true, false);
  CHECK(make_frame(plan, r).rows == sorted(plan, r, all_ops()));
  ResultFilter results;
  results.statuses = 1u << static_cast<unsigned>(Status::normal) | 1u << static_cast<unsigned>(Status::memory_inefficient);
  const OpSet filtered(plan, std::make_shared<RowSelection>(), results);
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t op : all_ops()) {
    const Status status = plan.analyze(op).status;
    if (status == Status::normal || status == Status::memory_inefficient) kept.push_back(op);
  }
  CHECK(make_frame(filtered, r).rows == sorted(plan, r, kept));
  r.selected = kept[kept.size() / 2];
  const auto rows = make_frame(filtered, r).rows;
  CHECK(make_frame(filtered, r).selected_row == static_cast<std::size_t>(std::find(rows.begin(), rows.end(), *r.selected) - rows.begin()));
}

TEST_CASE("frame: without times the table is sorted by predicted time", "[frame]") {
  Workload w = generated();
  w.time_s.clear();
  w.self_time_s.clear();
  const Scenario s = scenario();
  const Plan plan(w, s);
  FrameRequest r;
  r.sort = SortKey::predicted;
  const auto order = sorted(plan, r, all_ops());
  r.sort = SortKey::lost;
  CHECK(make_frame(plan, r).rows == std::vector<std::uint32_t>(order.begin(), order.begin() + 50));
}

TEST_CASE("frame: filters", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  struct Filter {
    RowSelection rows;
    ResultFilter results;
  };
  const auto set_of = [&](const Filter& f) { return OpSet(plan, std::make_shared<RowSelection>(f.rows), f.results); };
  const auto check = [&](const Filter& f) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t op : all_ops()) {
      const auto status = static_cast<unsigned>(plan.analyze(op).status);
      const RowSelection& rows = f.rows;
      if ((f.results.statuses >> status & 1) && (rows.classes.empty() || rows.classes[w.op_class[op]]) &&
          (rows.found.empty() || rows.found[op]))
        kept.push_back(op);
    }
    REQUIRE(kept.size() > 10);
    REQUIRE(kept.size() < size);
    const OpSet ops = set_of(f);
    CHECK(ops.listed() == kept);
    CHECK(summarize(ops).ops == kept.size());
    CHECK(ops.under(plan).listed() == kept);
    FrameRequest r;
    r.selected = kept[kept.size() / 2];
    r.rows = 100;
    const Frame frame = make_frame(ops, r);
    check_same(frame.all, added_up(plan, all_ops()));
    check_same(frame.shown, added_up(plan, kept));
    const auto order = sorted(plan, r, kept);
    CHECK(frame.rows ==
          std::vector<std::uint32_t>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(100, order.size()))));
    REQUIRE(frame.selected_row);
    CHECK(order[*frame.selected_row] == *r.selected);
    for (const std::uint32_t op : frame.points) CHECK(std::binary_search(kept.begin(), kept.end(), op));
    CHECK(frame.points.size() == std::min<std::size_t>(kept.size(), r.top));
    for (const std::uint32_t op : frame.worst) CHECK(std::binary_search(kept.begin(), kept.end(), op));
    std::uint32_t hidden = 0;
    while (std::binary_search(kept.begin(), kept.end(), hidden)) ++hidden;
    r.selected = hidden;
    CHECK_FALSE(make_frame(ops, r).selected_row);
  };
  Filter r;
  r.results.statuses = 1u << static_cast<unsigned>(Status::memory_bound) | 1u << static_cast<unsigned>(Status::predicted);
  check(r);
  r = {};
  r.rows.classes.assign(w.classes.size(), 0);
  r.rows.classes[1] = r.rows.classes[5] = 1;
  check(r);
  r.rows.found = search(w, "LAYER 1");
  check(r);
  r.rows.classes.clear();
  r.results.statuses = static_cast<std::uint16_t>(~(1u << static_cast<unsigned>(Status::unknown)));
  check(r);

  r = {};
  r.results.statuses = 0;  // nothing at all
  const Frame none = make_frame(set_of(r), {});
  CHECK(none.shown.ops == 0);
  CHECK(none.points.empty());
  CHECK(none.rows.empty());
  CHECK(none.worst.empty());
  CHECK(headline(set_of(r), none).text() == "No operation passes the filters.");
}

TEST_CASE("frame: what only calls others loses nothing itself", "[frame]") {
  Workload w = generated();
  const Scenario s = scenario();
  const double before = make_frame(Plan(w, s), {}).all.lost_time_s;
  const std::uint32_t caller = make_frame(Plan(w, s), {}).worst[0];
  const double its = Plan(w, s).analyze(caller).lost_time_s;
  w.self_time_s[caller] = 0;
  CHECK_THAT(make_frame(Plan(w, s), {}).all.lost_time_s, WithinRel(before - its, 1e-9));
}

TEST_CASE("frame: the worst and what is lost", "[frame]") {
  const Workload w = generated();
  const Scenario s = scenario();
  const Plan plan(w, s);
  std::vector<std::pair<double, std::uint32_t>> lost;
  double total = 0;
  for (const std::uint32_t op : all_ops()) {
    const OpAnalysis a = plan.analyze(op);
    if (a.lost_time_s > 0) lost.push_back({-a.lost_time_s, op}), total += a.lost_time_s;
  }
  std::sort(lost.begin(), lost.end());
  const Frame frame = make_frame(plan, {});
  REQUIRE(frame.worst.size() == 50);
  for (std::size_t i = 0; i < 50; ++i) CHECK(frame.worst[i] == lost[i].second);
  CHECK_THAT(frame.all.lost_time_s, WithinRel(total, 1e-12));
}

TEST_CASE("frame: the density grid counts the rest", "[frame]") {
  // Ops at the centres of cells, so that rounding cannot move them into another.
  Random random;
  FrameRequest r;
  r.top = 100;
  const double dx = (r.window.log_x1 - r.window.log_x0) / Frame::grid_width, dy = (r.window.log_y1 - r.window.log_y0) / Frame::grid_height;
  Workload w;
  std::vector<std::size_t> cell;
  constexpr std::size_t outside = Frame::grid_width * Frame::grid_height;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t x = random.below(Frame::grid_width), y = random.below(Frame::grid_height);
    const double intensity = std::pow(10, r.window.log_x0 + (static_cast<double>(x) + 0.5) * dx),
                 rate = std::pow(10, r.window.log_y0 + (static_cast<double>(y) + 0.5) * dy);
    const double bytes = std::pow(10, 3 + 6 * random());
    double flops = intensity * bytes, time = flops / rate;
    std::size_t at = y * Frame::grid_width + x;
    switch (i % 20) {
      case 0:
        flops = 0, at = outside;
        break;  // in the lane
      case 1:
        flops = unknown, at = outside;
        break;
      case 2:
        time /= std::pow(10, r.window.log_y1), at = outside;
        break;  // above the window
      case 3:
        flops *= 1e9, time *= 1e9, at = outside;
        break;  // right of it
      default:
        break;
    }
    add_row(w, flops, i % 20 == 4 ? unknown : bytes, time);
    cell.push_back(i % 20 == 4 ? outside : at);
  }
  const Scenario s = on(round_machine());
  const Frame frame = make_frame(Plan(w, s), r);
  for (const std::uint32_t op : frame.points) cell[op] = outside + 1;
  std::vector<std::uint32_t> expected(outside + 2);
  for (const std::size_t c : cell) ++expected[c];
  CHECK(frame.density_outside == expected[outside]);
  expected.resize(outside);
  CHECK(frame.density == expected);
}

TEST_CASE("frame: search and ranks", "[frame]") {
  const Workload w = open(
      R"([{"type": "ID_MUL", "name": "Layer.B"}, {"type": "ID_ADD", "name": "layer.a"}, {"type": "relu"}, {"type": "ID_MUL", "name": "layer.a"}, {"type": "relu", "name": "\u00c9tage"}])");
  using Hits = std::vector<std::uint8_t>;
  CHECK(search(w, "").empty());
  CHECK(search(w, "LAYER") == Hits{1, 1, 0, 1, 0});
  CHECK(search(w, "id_m") == Hits{1, 0, 0, 1, 0});
  CHECK(search(w, "#2") == Hits{0, 0, 1, 0, 0});  // as the table shows it
  CHECK(search(w, "tage") == Hits{0, 0, 0, 0, 1});
  CHECK(search(w, "nowhere") == Hits{0, 0, 0, 0, 0});
  // Against looking at every place, for every piece of a text of few letters.
  Workload letters;
  letters.classes.resize(1);
  for (const std::string_view name : {"abAB-abba", "aabaaAB", "ba-ba-B", "-", "bbbb"}) {
    letters.op_class.push_back(0);
    letters.name.push_back({static_cast<std::uint32_t>(letters.text.size()), static_cast<std::uint32_t>(name.size())});
    letters.text += name;
  }
  const std::string lower = "abab-abbaaabaaabba-ba-b-bbbb";
  for (std::size_t from = 0; from < lower.size(); ++from)
    for (std::size_t length = 1; length <= 5 && from + length <= lower.size(); ++length) {
      const std::string piece = lower.substr(from, length);
      const Hits hits = search(letters, piece);
      for (std::size_t i = 0; i < letters.name.size(); ++i) {
        INFO(piece << " in " << i);
        const bool found = lower.substr(letters.name[i].offset, letters.name[i].length).find(piece) != std::string::npos;
        CHECK(hits[i] == (found ? 1 : 0));
      }
    }

  const auto by_type = ranks(w, SortKey::type), by_name = ranks(w, SortKey::name);
  CHECK(by_type[0] == by_type[3]);
  CHECK(by_type[1] < by_type[0]);
  CHECK(by_type[0] < by_type[2]);
  CHECK(by_name[1] == by_name[3]);
  CHECK(by_name[0] < by_name[1]);
  CHECK(by_name[1] < by_name[4]);
}

TEST_CASE("frame: the roofs of a what-if are those that its prediction uses", "[frame]") {
  const Workload w = open(R"([{"type": "gemm", "m": 4096, "n": 4096, "k": 4096, "data_type": "fp16"}])");
  Scenario s = on(*Machines::presets().find("a100-80gb-sxm"));
  const auto whatif = [&] {
    std::map<std::string, double> out;
    for (const Roof& r : make_frame(Plan(w, s), {}).roofs)
      if (r.whatif) out[r.name] = r.rate;
    return out;
  };
  s.whatif.machine = *Machines::presets().find("h100-sxm");
  CHECK(whatif() == std::map<std::string, double>{{"what-if FP16", 989.4e12}, {"what-if HBM", 3350e9}});
  s.whatif.weight = s.whatif.activation = format("int8");
  CHECK(whatif() == std::map<std::string, double>{{"what-if INT8", 1978.9e12}, {"what-if HBM", 3350e9}});
  s.whatif.peak_scale = 0.5;
  CHECK(whatif()["what-if INT8"] == 0.5 * 1978.9e12);
  s.whatif.machine.reset();
  s.whatif.peak_scale = 1;
  CHECK(whatif() == std::map<std::string, double>{{"what-if INT8", 624e12}});  // its own memory stays
  s.whatif.weight = format("int8");
  s.whatif.activation.reset();
  CHECK(whatif().empty());  // computes in FP16, as today

  // A machine with one rate for all formats has a peak of no format, also where the operations would compute in FP32.
  s = on(*Machines::presets().find("npu-32t50"));
  s.whatif.weight = format("nf4");
  s.whatif.activation = format("int8");
  s.whatif.peak_scale = 2;
  CHECK(whatif() == std::map<std::string, double>{{"what-if Peak", 64e12}});

  s = on(round_machine());
  Memory& memory = s.machine.memories[0];
  memory.bandwidth = {};
  memory.read_bandwidth.value = 8;
  memory.write_bandwidth.value = 2;
  s.whatif.bandwidth_scale = 3;
  CHECK(whatif() == std::map<std::string, double>{{"what-if HBM Read", 24}, {"what-if HBM Write", 6}});
}

TEST_CASE("frame: work is counted in OPs where all of it is of integers", "[frame]") {
  const Scenario npu = on(*Machines::presets().find("npu-32t50"));
  const auto gemm = [](const char* format) {
    return std::string(R"({"type": "gemm", "m": 64, "n": 64, "k": 64, "data_type": ")") + format + "\"}";
  };
  const auto peak_is_integer = [](const Workload& w, const Scenario& s) {
    const Frame frame = make_frame(Plan(w, s), {});
    CHECK(frame.roofs[0].kind == ResourceKind::compute);
    return frame.roofs[0].integer;
  };
  const Workload integers = open("[" + gemm("int8") + "," + gemm("int4") + "]");
  CHECK(integer_work(Plan(integers, npu)));
  CHECK(peak_is_integer(integers, npu));  // the peak is that of every format
  const Workload mixed = open("[" + gemm("int8") + "," + gemm("fp16") + "]");
  CHECK_FALSE(integer_work(Plan(mixed, npu)));
  CHECK_FALSE(peak_is_integer(mixed, npu));
  Scenario floats = npu;
  floats.whatif.weight = floats.whatif.activation = format("fp16");
  CHECK(integer_work(Plan(integers, floats)));  // a what-if leaves the unit
  floats.whatif.peak_scale = 2;                 // the what-if's roof is another one
  CHECK(peak_is_integer(integers, floats));
  for (const Roof& roof : make_frame(Plan(integers, floats), {}).roofs)
    if (roof.whatif) CHECK(roof.integer);

  const Scenario h100 = on(*Machines::presets().find("h100-sxm"));
  for (const Roof& roof : make_frame(Plan(mixed, h100), {}).roofs)
    if (roof.kind == ResourceKind::compute) CHECK(roof.integer == roof.name.starts_with("INT"));
}

TEST_CASE("frame: roofs and axes", "[frame]") {
  const Workload w = open(file("tests/data/mixed.json"));
  Scenario s;
  s.use(*Machines::presets().find("h100-sxm"));
  s.machine.set_achievable_compute({0.5, "", "typed", ""});
  s.machine.achievable_bandwidth.value = 0.75;
  s.whatif.bandwidth_scale = 2;
  const Frame frame = make_frame(Plan(w, s), {});
  const auto find = [&](const char* name, bool whatif = false, bool achievable = false) -> const Roof* {
    for (const Roof& r : frame.roofs)
      if (r.name == name && r.whatif == whatif && r.achievable == achievable) return &r;
    return nullptr;
  };
  REQUIRE(find("FP16"));
  CHECK(find("FP16")->rate == 989.4e12);
  CHECK(find("FP16")->in_play);
  REQUIRE(find("FP64"));
  CHECK_FALSE(find("FP64")->in_play);
  REQUIRE(find("FP16 vector"));
  CHECK(find("FP16 vector")->rate == 133.8e12);
  REQUIRE(find("HBM"));
  CHECK(find("HBM")->rate == 3350e9);
  CHECK(find("HBM")->kind == ResourceKind::memory);
  REQUIRE(find("HBM", false, true));
  const StackTerms kernels = s.terms_for(StackUse::operations);
  CHECK_THAT(find("HBM", false, true)->rate, WithinRel(0.75 * *kernels.bandwidth * 3350e9, 1e-12));
  CHECK_THAT(find("FP16", false, true)->rate, WithinRel(0.5 * *kernels.compute * 989.4e12, 1e-12));
  CHECK_FALSE(find("FP64", false, true));
  REQUIRE(find("what-if HBM", true));
  CHECK(find("what-if HBM", true)->rate == 6700e9);
  REQUIRE(find("NVLink"));
  CHECK_FALSE(find("NVLink")->in_play);
  CHECK_FALSE(find("L2"));  // its bandwidth is not known

  const Scenario npu = Scenario::standard();
  const std::vector<Roof> one = make_frame(Plan(w, npu), {}).roofs;
  REQUIRE(one.size() == 2);  // one peak in every format is one roof
  CHECK(one[0].name == "Peak");
  CHECK(one[0].rate == 32e12);
  CHECK(one[1].name == "DRAM");

  const Axes axes = chart_axes(npu.machine);  // around the ridge point, 640 FLOP/byte at 32 TFLOP/s
  CHECK(axes.log_x0 == -2);
  CHECK(axes.log_x1 == 4);
  CHECK(axes.log_y0 == 8);
  CHECK(axes.log_y1 == 14);
}
