#include <algorithm>
#include <cmath>
#include <iterator>
#include <roofline/calculator/sweep.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

constexpr double largest = 9007199254740992.0;  // 2^53
constexpr std::size_t most_points = 4096;       // of one axis
constexpr std::size_t most_in_all = 1 << 20;

/// The parameters as a record that is filled again for each point, without allocating.
class Fields {
 public:
  explicit Fields(const Json& parameters) {
    const Keys keys;
    for (const auto& [name, value] : parameters.items()) {
      Field field;
      field.key = keys.find(name);
      field.name = name;
      if (value.is_number()) {
        field.kind = Value::Kind::number;
        field.numbers = {number_of(value)};
      } else if (value.is_boolean()) {
        field.kind = Value::Kind::boolean;
        field.numbers = {value == Json(true) ? 1.0 : 0.0};
      } else if (value.is_string()) {
        field.kind = Value::Kind::string;
        field.text = text_of(value);
      } else if (value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); })) {
        field.kind = Value::Kind::list;
        for (const Json& v : value) field.numbers.push_back(number_of(v));
      } else if (value.is_array()) {
        field.kind = Value::Kind::shapes;
        for (const Json& shape : value) {
          auto& lengths = field.shapes.emplace_back();
          for (const Json& v : shape) lengths.push_back(number_of(v));
        }
      }
      fields_.push_back(std::move(field));
    }
  }

  /// Where a key's number lies; adds a number that was not given. Null where it is no number and no length of a shape.
  double* place(std::string_view key) {
    const std::size_t dot = key.find('.');
    const Keys keys;
    const Key wanted = keys.find(key.substr(0, dot));
    auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.key == wanted; });
    if (dot == std::string_view::npos) {
      if (found == fields_.end()) {
        fields_.push_back({});
        found = fields_.end() - 1;
        found->key = wanted;
        found->kind = Value::Kind::number;
        found->numbers = {1};
      }
      return found->kind == Value::Kind::number ? found->numbers.data() : nullptr;
    }
    if (found == fields_.end() || found->kind != Value::Kind::list) return nullptr;
    std::size_t index = 0;
    for (const char c : key.substr(dot + 1)) {
      if (c < '0' || c > '9' || index > 100) return nullptr;
      index = 10 * index + static_cast<std::size_t>(c - '0');
    }
    return index < found->numbers.size() ? &found->numbers[index] : nullptr;
  }

  void fill(Record& record) const {
    record.clear();
    for (const Field& f : fields_) {
      if (f.kind == Value::Kind::number) record.set_number(f.key, f.numbers[0]);
      if (f.kind == Value::Kind::boolean) record.set_boolean(f.key, f.numbers[0] != 0);
      if (f.kind == Value::Kind::string) record.set_string(f.key, f.text);
      if (f.kind == Value::Kind::list) record.set_list(f.key, f.numbers);
      if (f.kind != Value::Kind::shapes) continue;
      record.begin_list(f.key);
      for (const auto& shape : f.shapes) {
        record.begin_inner_list();
        for (const double length : shape) record.add_number(length);
        record.end_inner_list();
      }
      record.end_list();
    }
  }

 private:
  struct Field {
    Key key = Keys::npos;
    std::string name;
    Value::Kind kind = Value::Kind::absent;
    std::vector<double> numbers;
    std::vector<std::vector<double>> shapes;
    std::string text;
  };
  std::vector<Field> fields_;
};

/// The rows of a sweep. Which operands a row has decides what it computes as; so there is a kind for each set of them.
class Points {
 public:
  Points(const Operator& op, std::size_t count, double occurrences) : occurrences_(occurrences) {
    for (std::size_t set = 0; set < sets; ++set) {
      OpClass kind;
      kind.set_family(op.family);
      kind.symbol = op.symbol;
      work.classes.push_back(kind);
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
    work.op_class[i] = (w.weight > 0 ? 1 : 0) + (w.output > 0 ? 2 : 0) + (w.kv_read > 0 || w.kv_write > 0 ? 4 : 0);
  }

  /// The same rows in other formats.
  void use(const RoleFormats& formats) {
    for (std::size_t set = 0; set < sets; ++set) {
      OpClass& kind = work.classes[set];
      kind.activation = formats.activation;
      kind.weight = (set & 1) != 0 ? formats.weight : no_format;
      kind.output = (set & 2) != 0 ? formats.output : no_format;
      kind.kv = (set & 4) != 0 ? formats.kv : no_format;
    }
  }

  Workload work;

 private:
  static constexpr std::size_t sets = 8;
  static constexpr std::uint32_t invalid = 0;
  double occurrences_;
};

/// from * factor^t, with square roots only: they give the same digits everywhere.
double power(double factor, double t) {
  double result = 1, root = factor;
  for (int bit = 0; bit < 40 && t > 0; ++bit) {
    root = std::sqrt(root);
    t *= 2;
    if (t >= 1) {
      result *= root;
      t -= 1;
    }
  }
  return result;
}

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
    double high = sweep.x[p];
    if (!leads.empty())
      for (double low = sweep.x[p - 1]; high - low > 1;) {
        const double middle = std::floor((low + high) / 2);
        (fastest_at(middle) == here ? high : low) = middle;
      }
    leads.push_back({high, std::move(here)});
  }
  drop_passing_ties(leads);
  return leads;
}

}  // namespace

std::vector<std::uint8_t> fastest_formats(const Sweep& sweep) {
  std::vector<std::uint8_t> out(sweep.flops.size(), no_fastest_format);
  std::vector<double> now(sweep.series.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    for (std::size_t f = 0; f < now.size(); ++f) now[f] = sweep.series[f].typical_s[p];
    const std::vector<std::size_t> first = fastest(now);
    if (!first.empty()) out[p] = first.size() > 1 ? tied_formats : static_cast<std::uint8_t>(first[0]);
  }
  return out;
}

Result<SweepAxis> parse_sweep_axis(std::string_view text) {
  const std::string expected = "expected a range such as m=1..4096, or m,n,k=64..4096:linear:32";
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || equals == 0 || dots == std::string_view::npos) return fail(expected, std::string(text));
  SweepAxis axis;
  axis.points = 64;
  for (std::string_view rest = text.substr(0, equals); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    axis.keys.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  const auto whole = [](std::string_view digits) {
    double n = digits.empty() || digits.size() > 16 ? unknown : 0;
    for (const char c : digits) n = c >= '0' && c <= '9' ? 10 * n + (c - '0') : unknown;
    return n;
  };
  std::string_view rest = text.substr(dots + 2);
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  axis.from = whole(text.substr(equals + 1, dots - equals - 1));
  axis.to = whole(rest.substr(0, colon));
  rest.remove_prefix(colon);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view option = rest.substr(0, end);
    const double points = whole(option);
    if (option == "linear" || option == "log")
      axis.log = option == "log";
    else if (option == "round")
      axis.round = true;
    else if (points >= 2 && points <= static_cast<double>(most_points))
      axis.points = static_cast<std::size_t>(points);
    else
      return fail(expected + " with 2 to 4096 points, found \"" + std::string(option) + '"', std::string(text));
    rest.remove_prefix(end);
  }
  if (!(axis.from >= 1 && axis.to > axis.from && axis.to <= largest)) return fail(expected + ", rising, from 1 or more", std::string(text));
  return axis;
}

std::vector<double> values_of(const SweepAxis& axis) {
  std::vector<double> values;
  for (std::size_t i = 0; i < axis.points; ++i) {
    const double t = axis.points > 1 ? static_cast<double>(i) / static_cast<double>(axis.points - 1) : 0;
    const double value = i + 1 == axis.points && i > 0 ? axis.to
                         : axis.log                    ? axis.from * power(axis.to / axis.from, t)
                                                       : axis.from + (axis.to - axis.from) * t;
    const double step = axis.round ? std::exp2(std::max(0, std::ilogb(value) - 3)) : 1;
    const double whole = std::clamp(step * std::floor(value / step + 0.5), axis.from, axis.to);
    if (values.empty() || whole > values.back()) values.push_back(whole);
  }
  return values;
}

Result<Sweep> sweep(const Calculation& calculation, const SweepAxis& x_axis, const std::optional<SweepAxis>& y_axis,
                    const Scenario& scenario) {
  const Json parameters = Json::parse(calculation.parameters, nullptr, false);
  Fields fields(parameters);
  const auto places_of = [&](const SweepAxis& axis) -> Result<std::vector<std::string>> {
    for (const std::string& key : axis.keys) {
      const std::string name = key.substr(0, key.find('.'));
      const bool known = std::any_of(calculation.op->parameters.begin(), calculation.op->parameters.end(),
                                     [&](const Parameter& p) { return p.key == name; });
      if (!known || !fields.place(key))
        return fail(known ? "is no number, and no length of a shape: expected a key such as m or input_shape.2"
                          : "is no parameter of " + std::string(calculation.op->id),
                    key);
    }
    if (axis.keys.empty() || axis.points < 1 || axis.points > most_points || !(axis.from >= 1) || !(axis.to >= axis.from) ||
        !(axis.to <= largest))
      return fail("expected a rising range of 1 or more, with at most 4096 points");
    return axis.keys;
  };
  if (auto ok = places_of(x_axis); !ok) return Unexpected(ok.error());
  if (y_axis)
    if (auto ok = places_of(*y_axis); !ok) return Unexpected(ok.error());
  // Pointers only once every key has its field: adding one may move the others.
  std::vector<double*> x_places, y_places;
  for (const std::string& key : x_axis.keys) x_places.push_back(fields.place(key));
  if (y_axis)
    for (const std::string& key : y_axis->keys) y_places.push_back(fields.place(key));

  Sweep out;
  out.x = values_of(x_axis);
  out.y = y_axis ? values_of(*y_axis) : std::vector<double>{0};
  const std::size_t count = out.x.size() * out.y.size();
  if (count > most_in_all) return fail("has " + std::to_string(count) + " points: expected at most 1048576");
  const Json& occurrences = member(parameters, "count");
  Points points(*calculation.op, count, occurrences.is_number() ? std::max(1.0, number_of(occurrences)) : 1);
  Record record;
  std::optional<Error> fault;
  std::size_t i = 0;
  for (const double y : out.y) {
    for (double* place : y_places) *place = y;
    for (const double x : out.x) {
      for (double* place : x_places) *place = x;
      fields.fill(record);
      if (auto work = calculation.op->derive(record, nullptr)) {
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
  const std::vector<RoleFormats> formats = formats_of(calculation, parameters);
  for (std::size_t f = 0; f < formats.size(); ++f) {
    points.use(formats[f]);
    const Plan plan(points.work, scenario);
    if (f == 0) {
      for (const Resource& r : plan.resources()) out.resources.push_back(r.name);
      out.one_peak = scenario.machine.has_one_peak();
    }
    Sweep::Series& series = out.series.emplace_back();
    series.predicted_s.resize(count);
    series.bound.resize(count);
    Plan::Block block;
    for (std::size_t first = 0; first < count; first += Plan::block_size) {
      const std::size_t n = std::min(Plan::block_size, count - first);
      plan.evaluate(first, n, block);
      for (std::size_t j = 0; j < n; ++j) {
        const double time = block.predicted_s[j];
        series.predicted_s[first + j] = time > 0 ? time : unknown;
        series.bound[first + j] = static_cast<std::uint8_t>(block.bound[j]);
        if (f == 0) out.flops[first + j] = block.flops[j];
      }
    }
    for (std::size_t p = 0; p < count; ++p) {
      const OpAnalysis a = plan.analyze(p);
      series.typical_s.push_back(a.typical_time_s);
      series.fused_s.push_back(a.typical.fused_time_s);
    }
    if (y_axis) continue;
    Points one(*calculation.op, 1, 1);
    one.use(formats[f]);
    const auto bound_at = [&](double x) {
      for (double* place : x_places) *place = x;
      fields.fill(record);
      const auto work = calculation.op->derive(record, nullptr);
      if (!work) return no_resource;
      one.set(0, *work);
      return Plan(one.work, scenario).analyze(0).bound_by;
    };
    for (std::size_t p = 1; p < count; ++p) {
      const std::uint8_t from = series.bound[p - 1], to = series.bound[p];
      if (from == to || from == no_resource || to == no_resource) continue;
      double low = out.x[p - 1], high = out.x[p];  // bounded by `from`; by another
      while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (bound_at(middle) == from ? low : high) = middle;
      }
      out.crossings.push_back({f, high, from, to});
    }
  }
  if (y_axis) return out;
  const auto time_at = [&](double OpAnalysis::* time) {
    return [&, time](std::size_t f, double x) {
      for (double* place : x_places) *place = x;
      fields.fill(record);
      const auto work = calculation.op->derive(record, nullptr);
      if (!work) return unknown;
      Points one(*calculation.op, 1, 1);
      one.use(formats[f]);
      one.set(0, *work);
      return Plan(one.work, scenario).analyze(0).*time;
    };
  };
  out.leads = leads_of(out, &Sweep::Series::predicted_s, time_at(&OpAnalysis::predicted_time_s));
  out.typical_leads = leads_of(out, &Sweep::Series::typical_s, time_at(&OpAnalysis::typical_time_s));
  return out;
}

}  // namespace roofline
