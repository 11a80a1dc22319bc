#include "operators/reduction.hpp"

#include "operators/families.hpp"

namespace roofline {

double reduced_elements(Derivation& d, Shape shape) {
  const Value& value = d.record()[key::axis];
  if (!value.present()) return product(shape);
  if (value.kind != Value::Kind::number && value.kind != Value::Kind::list) d.missing(key::axis, "expected an axis or a list of axes");
  const Shape axes = value.kind == Value::Kind::number ? Shape(&value.number, 1) : d.record().list(key::axis);
  if (axes.empty()) return product(shape);
  double elements = 1;
  for (std::size_t i = 0; i < axes.size() && !d.failed(); ++i) {
    const std::size_t axis = d.axis(axes[i], shape.size());
    for (std::size_t j = 0; j < i && !d.failed(); ++j)
      if (d.axis(axes[j], shape.size()) == axis) d.fail(key::axis, shown(axes) + " names dimension " + std::to_string(axis) + " twice");
    if (!d.failed()) elements *= shape[axis];
  }
  return elements;
}

namespace {

using Formulas = WorkFormulas<"E R d", FormulaOf<&Work::vector_flops, "E + d * E / R">, FormulaOf<&Work::activation, "E">,
                              FormulaOf<&Work::output, "E / R">>;

Result<Work> derive(const Record& record, Trace* trace, double per_result) {
  Derivation d(record, trace);
  const Shape shape = d.input();
  return d.finish<Formulas>({product(shape), reduced_elements(d, shape), per_result}, d.input_key());
}

Result<Work> derive_plain(const Record& record, Trace* trace) { return derive(record, trace, 0); }
Result<Work> derive_mean(const Record& record, Trace* trace) { return derive(record, trace, 1); }

constexpr Parameter parameters[] = {
    {"input_shape", "any shape", ""},
    {"axis", "a number or a list; negative ones count from the end", "all"},
};

constexpr std::string_view sum_names[] = {"reducesum", "sumreduce", "reduceadd", "reduce", "nansum"};
constexpr std::string_view mean_names[] = {"reducemean", "average", "reduceavg"};
constexpr std::string_view max_names[] = {"amax", "reduceany", "any", "argmax"};
constexpr std::string_view min_names[] = {"amin", "reduceall", "all", "argmin"};
constexpr std::string_view prod_names[] = {"reduceprod", "reducemul"};

constexpr std::string_view note = "E elements in groups of R. One FLOP per element read; a mean (d = 1) divides once more per result.";

constexpr Operator list[] = {
    {"sum", "Sum", OpFamily::reduction, Symbol::diamond, sum_names, parameters, Formulas::formulas, note, derive_plain},
    {"mean", "Mean", OpFamily::reduction, Symbol::diamond, mean_names, parameters, Formulas::formulas, note, derive_mean},
    {"reduce_max", "Largest", OpFamily::reduction, Symbol::diamond, max_names, parameters, Formulas::formulas, note, derive_plain},
    {"reduce_min", "Smallest", OpFamily::reduction, Symbol::diamond, min_names, parameters, Formulas::formulas, note, derive_plain},
    {"prod", "Product of elements", OpFamily::reduction, Symbol::diamond, prod_names, parameters, Formulas::formulas, note, derive_plain},
};

}  // namespace

std::span<const Operator> families::reduction() { return list; }

}  // namespace roofline
