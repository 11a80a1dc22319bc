#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

using Formulas =
    WorkFormulas<"E", FormulaOf<&Work::vector_flops, "5 * E">, FormulaOf<&Work::activation, "E">, FormulaOf<&Work::output, "E">>;

Result<Work> derive(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape shape = d.input(1);
  if (record[key::axis].kind == Value::Kind::number && !d.failed()) (void)d.axis(record[key::axis].number, shape.size());
  d.output(shape);
  return d.finish<Formulas>({product(shape)}, d.input_key());
}

constexpr Parameter parameters[] = {
    {"input_shape", "any shape", ""},
    {"axis", "where it sums to one; does not change the work", "any"},
};

constexpr std::string_view names[] = {"logsoftmax",    "softmax2d",          "softmin", "softargmax", "safesoftmax",
                                      "maskedsoftmax", "scaledmaskedsoftmax"};

constexpr Operator list[] = {
    {"softmax", "Softmax", OpFamily::normalisation, Symbol::diamond, names, parameters, Formulas::formulas,
     "Per element: compare for the maximum, subtract it, exponential, sum, divide.", derive},
};

}  // namespace

std::span<const Operator> families::softmax() { return list; }

}  // namespace roofline
