#include <algorithm>
#include <iterator>
#include <roofline/base/whole_numbers.hpp>
#include <roofline/calculator/sweep.hpp>

#include "base/json.hpp"
#include "read/operations/json_record.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_points = 1 << 20;

/// The operator at any values of its swept parameters.
class SweptOperator {
 public:
  SweptOperator(const Operator& op, const Json& parameters) : op_(op), parameters_(parameters) {}

  /// Whether the axis can be swept. A parameter that was not given is added.
  [[nodiscard]] Result<void> check(const SweepAxis& axis) {
    for (const std::string& key : axis.keys) {
      const std::string name = key.substr(0, key.find('.'));
      if (std::none_of(op_.parameters.begin(), op_.parameters.end(), [&](const Parameter& p) { return p.key == name; }))
        return fail("is no parameter of " + std::string(op_.id), key);
      if (name == key && !find(name)) parameters_[name] = 1;
      if (!place(key)) return fail("is no number, and no length of a shape: expected a key such as m or input_shape.2", key);
    }
    if (axis.keys.empty() || axis.points < 1 || axis.points > most_swept || !(axis.from >= 1) || !(axis.to >= axis.from) ||
        !(axis.to <= largest_swept))
      return fail("expected a rising range of 1 or more, with at most 4096 points");
    return {};
  }
  /// The numbers that the axis sets. Call it after check() of every axis: check() may add a parameter, which moves the others.
  [[nodiscard]] std::vector<Json*> places(const SweepAxis& axis) {
    std::vector<Json*> out;
    for (const std::string& key : axis.keys) out.push_back(place(key));
    return out;
  }
  [[nodiscard]] Result<Work> work() {
    fill(record_, keys_, parameters_);
    return op_.derive(record_, nullptr);
  }

 private:
  /// By any of its names; null: not given.
  Json* find(std::string_view name) {
    for (const auto& item : parameters_.items())
      if (keys_.find(item.key()) == keys_.find(name)) return &item.value();
    return nullptr;
  }
  /// Null where the key is no number and no length of a shape.
  Json* place(std::string_view key) {
    const std::size_t dot = key.find('.');
    Json* value = find(key.substr(0, dot));
    if (!value) return nullptr;
    if (dot == std::string_view::npos) return value->is_number() ? value : nullptr;
    if (!value->is_array() || !std::all_of(value->begin(), value->end(), [](const Json& v) { return v.is_number(); })) return nullptr;
    std::size_t index = 0;
    for (const char c : key.substr(dot + 1)) {
      if (c < '0' || c > '9' || index > 100) return nullptr;
      index = 10 * index + static_cast<std::size_t>(c - '0');
    }
    return index < value->size() ? &(*value)[index] : nullptr;
  }

  const Operator& op_;
  const Keys keys_;
  Json parameters_;
  Record record_;
};

/// The rows of a sweep. A row's operands and kinds of work determine its compute format and estimate, so each combination has its class.
class Points {
 public:
  Points(const Operator& op, std::size_t count, double occurrences) : occurrences_(occurrences) {
    for (std::size_t set = 0; set < sets; ++set) {
      OpClass op_class;
      op_class.set_family(op.family);
      op_class.symbol = op.symbol;
      op_class.matrix_work = (set & 8) != 0;
      op_class.vector_work = (set & 16) != 0;
      work.classes.push_back(op_class);
    }
    for (auto* column :
         {&work.matrix_flops, &work.vector_flops, &work.weight, &work.activation, &work.output, &work.kv_read, &work.kv_write})
      column->resize(count, unknown);
    work.op_class.resize(count, invalid);
    work.sizes.resize(count);
    work.distinct_sizes.resize(1);
    if (occurrences != 1) work.count.assign(count, occurrences);
  }

  void set(std::size_t i, const Work& w) {
    const double n = occurrences_;
    work.matrix_flops[i] = n * w.matrix_flops;
    work.vector_flops[i] = n * w.vector_flops;
    work.weight[i] = n * w.weight;
    work.activation[i] = n * w.activation;
    work.output[i] = n * w.output;
    work.kv_read[i] = n * w.kv_read;
    work.kv_write[i] = n * w.kv_write;
    if (w.sizes.known()) {
      work.sizes[i] = static_cast<std::uint32_t>(work.distinct_sizes.size());
      work.distinct_sizes.push_back(w.sizes);
    }
    work.op_class[i] = (w.weight > 0 ? 1 : 0) + (w.output > 0 ? 2 : 0) + (w.kv_read > 0 || w.kv_write > 0 ? 4 : 0) +
                       (w.matrix_flops > 0 ? 8 : 0) + (w.vector_flops > 0 ? 16 : 0);
  }

  /// The same rows in other formats.
  void use(const RoleFormats& formats) {
    for (std::size_t set = 0; set < sets; ++set) {
      OpClass& op_class = work.classes[set];
      op_class.activation = formats.activation;
      op_class.weight = (set & 1) != 0 ? formats.weight : no_format;
      op_class.output = (set & 2) != 0 ? formats.output : no_format;
      op_class.kv = (set & 4) != 0 ? formats.kv : no_format;
    }
  }

  Workload work;

 private:
  static constexpr std::size_t sets = 32;
  static constexpr std::uint32_t invalid = 0;
  double occurrences_;
};

/// The formats in force: those compared, and over them the roles that the parameters fix.
std::vector<RoleFormats> formats_of(const Calculation& calculation, const Json& parameters) {
  std::vector<RoleFormats> formats = calculation.formats;
  const Keys keys;
  for (const auto& [name, value] : parameters.items()) {
    const Key key = keys.find(name);
    const auto format = Formats::catalogue().find(text_of(value));
    if (!format) continue;
    for (RoleFormats& row : formats) {
      if (key == key::weight_type) row.weight = *format;
      if (key == key::output_type) row.output = *format;
      if (key == key::kv_type) row.kv = *format;
    }
  }
  return formats;
}

/// Those within 0.1% of the fastest; none where no time is known.
std::vector<std::size_t> fastest(const std::vector<double>& times) {
  double least = unknown;
  for (const double t : times)
    if (!(t >= least)) least = known_or(t, least);
  std::vector<std::size_t> out;
  for (std::size_t f = 0; f < times.size(); ++f)
    if (times[f] <= 1.001 * least) out.push_back(f);
  return out;
}

/// Drops a tie between two leads that ends within 2% of its start: one overtakes the other there. Otherwise the crossing would depend on
/// whether the tie contains a point of the sweep.
void drop_passing_ties(std::vector<Lead>& leads) {
  const auto passing = [&](std::size_t i) {
    if (i == 0 || i + 1 >= leads.size() || !(leads[i + 1].from < 1.02 * leads[i].from)) return false;
    std::vector<std::size_t> both;
    std::set_union(leads[i - 1].formats.begin(), leads[i - 1].formats.end(), leads[i + 1].formats.begin(), leads[i + 1].formats.end(),
                   std::back_inserter(both));
    return leads[i].formats == both && leads[i - 1].formats != both && leads[i + 1].formats != both;
  };
  for (std::size_t i = leads.size(); i-- > 0;)
    if (passing(i)) leads.erase(leads.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Sweep::leads by the times in `column`. `time_at(format, x)`: the same time at any x, in s.
template <class TimeAt>
std::vector<Lead> leads_of(const Sweep& sweep, std::vector<double> Sweep::Series::* column, const TimeAt& time_at) {
  std::vector<Lead> leads;
  std::vector<double> now(sweep.series.size());
  const auto fastest_at = [&](double x) {
    for (std::size_t f = 0; f < now.size(); ++f) now[f] = time_at(f, x);
    return fastest(now);
  };
  for (std::size_t p = 0; p < sweep.x.size(); ++p) {
    for (std::size_t f = 0; f < now.size(); ++f) now[f] = (sweep.series[f].*column)[p];
    std::vector<std::size_t> here = fastest(now);
    if (here.empty() || (!leads.empty() && here == leads.back().formats)) continue;
    const double from =
        leads.empty() ? sweep.x[p] : first_whole(sweep.x[p - 1], sweep.x[p], [&](double x) { return fastest_at(x) == here; });
    leads.push_back({from, std::move(here)});
  }
  drop_passing_ties(leads);
  return leads;
}

/// Sweep::crossings. `bound_at(format, x)`: what bounds at any x.
template <class BoundAt>
std::vector<Crossing> crossings_of(const Sweep& sweep, const BoundAt& bound_at) {
  std::vector<Crossing> crossings;
  for (std::size_t f = 0; f < sweep.series.size(); ++f)
    for (std::size_t p = 1; p < sweep.x.size(); ++p) {
      const std::uint8_t from = sweep.series[f].bound[p - 1], to = sweep.series[f].bound[p];
      if (from == to || from == no_resource || to == no_resource) continue;
      crossings.push_back({f, first_whole(sweep.x[p - 1], sweep.x[p], [&](double x) { return bound_at(f, x) != from; }), from, to});
    }
  return crossings;
}

/// The bounds of all points, and their FLOPs.
Sweep::Series bounds_of(const Plan& plan, std::vector<double>& flops) {
  const std::size_t count = flops.size();
  Sweep::Series series;
  series.predicted_s.resize(count);
  series.bound.resize(count);
  series.unit_flops.resize(count);
  Plan::Block block;
  for (std::size_t first = 0; first < count; first += Plan::block_size) {
    const std::size_t n = std::min(Plan::block_size, count - first);
    plan.evaluate(first, n, block);
    for (std::size_t j = 0; j < n; ++j) {
      const double time = block.partly_known[j] != 0 ? unknown : block.predicted_s[j];
      series.predicted_s[first + j] = time > 0 ? time : unknown;
      series.bound[first + j] = known(time) ? static_cast<std::uint8_t>(block.bound[j]) : no_resource;
      series.unit_flops[first + j] = plan.bounding_work(first + j).second;
      flops[first + j] = block.flops[j];
    }
  }
  return series;
}

FastestFormats fastest_formats(const Sweep& sweep) {
  FastestFormats out;
  std::vector<double> times(sweep.series.size());
  for (std::size_t p = 0; p < sweep.flops.size(); ++p) {
    for (std::size_t f = 0; f < times.size(); ++f) times[f] = sweep.series[f].typical_s[p];
    const std::vector<std::size_t> best = fastest(times);
    const auto known_set = static_cast<std::size_t>(std::find(out.sets.begin(), out.sets.end(), best) - out.sets.begin());
    const bool listed = known_set < out.sets.size();
    if (!best.empty() && !listed && known_set < FastestFormats::none) out.sets.push_back(best);
    out.at.push_back(best.empty() || known_set >= FastestFormats::none ? FastestFormats::none : static_cast<std::uint8_t>(known_set));
  }
  return out;
}

}  // namespace

Result<Sweep> sweep(const Calculation& calculation, const SweepAxis& x_axis, const std::optional<SweepAxis>& y_axis,
                    const Scenario& scenario) {
  const Json parameters = Json::parse(calculation.parameters, nullptr, false);
  SweptOperator swept(*calculation.op, parameters);
  if (auto ok = swept.check(x_axis); !ok) return Unexpected(ok.error());
  if (y_axis)
    if (auto ok = swept.check(*y_axis); !ok) return Unexpected(ok.error());
  const std::vector<Json*> x_places = swept.places(x_axis), y_places = y_axis ? swept.places(*y_axis) : std::vector<Json*>();
  if (std::any_of(y_places.begin(), y_places.end(),
                  [&](Json* y) { return std::find(x_places.begin(), x_places.end(), y) != x_places.end(); }))
    return fail("varies what the first range varies: expected another parameter", y_axis->keys[0]);
  const auto work_at = [&](double x) {
    for (Json* place : x_places) *place = x;
    return swept.work();
  };

  Sweep out;
  out.x = values_of(x_axis);
  out.y = y_axis ? values_of(*y_axis) : std::vector<double>{0};
  const std::size_t count = out.x.size() * out.y.size();
  if (count > most_points) return fail("has " + std::to_string(count) + " points: expected at most 1048576");
  const Json& occurrences = member(parameters, "count");
  Points points(*calculation.op, count, occurrences.is_number() ? std::max(1.0, number_of(occurrences)) : 1);
  std::optional<Error> fault;
  std::size_t i = 0;
  for (const double y : out.y) {
    for (Json* place : y_places) *place = y;
    for (const double x : out.x) {
      if (auto work = work_at(x)) {
        points.set(i, *work);
      } else {
        if (!fault) fault = work.error();
        ++out.refused;
      }
      ++i;
    }
  }
  if (out.refused == count) return Unexpected(*fault);

  out.flops.resize(count);
  out.in_macs = scenario.ops_per_mac == 1;
  out.one_peak = scenario.machine.has_one_peak();
  const std::vector<RoleFormats> formats = formats_of(calculation, parameters);
  for (const RoleFormats& format : formats) {
    points.use(format);
    const Plan plan(points.work, scenario);
    if (out.resources.empty())
      for (const Resource& r : plan.resources()) out.resources.push_back(r.name);
    Sweep::Series& series = out.series.emplace_back(bounds_of(plan, out.flops));
    for (std::size_t p = 0; p < count; ++p) {
      const OpAnalysis a = plan.analyze(p);
      series.typical_s.push_back(a.typical_time_s);
      series.fused_s.push_back(a.typical.fused_time_s);
    }
  }
  if (y_axis) {
    out.fastest = fastest_formats(out);
    return out;
  }
  const auto analysis_at = [&](std::size_t f, double x) -> std::optional<OpAnalysis> {
    const auto work = work_at(x);
    if (!work) return std::nullopt;
    Points one(*calculation.op, 1, 1);
    one.use(formats[f]);
    one.set(0, *work);
    OpAnalysis a = Plan(one.work, scenario).analyze(0);
    a.predicted_time_s = a.fully_known_bound_s();
    if (a.partly_known) a.bound_by = no_resource;
    return a;
  };
  out.crossings = crossings_of(out, [&](std::size_t f, double x) {
    const auto a = analysis_at(f, x);
    return a ? a->bound_by : no_resource;
  });
  const auto time_at = [&](double OpAnalysis::* time) {
    return [&analysis_at, time](std::size_t f, double x) {
      const auto a = analysis_at(f, x);
      return a ? (*a).*time : unknown;
    };
  };
  out.leads = leads_of(out, &Sweep::Series::predicted_s, time_at(&OpAnalysis::predicted_time_s));
  out.typical_leads = leads_of(out, &Sweep::Series::typical_s, time_at(&OpAnalysis::typical_time_s));
  return out;
}

}  // namespace roofline
