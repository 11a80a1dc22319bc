#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

Result<Work> derive(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape shape = d.input(1);
  const double elements = product(shape);
  if (record[key::axis].kind == Value::Kind::number && !d.failed()) (void)d.axis(record[key::axis].number, shape.size());
  d.symbol("E", elements);
  d.output(shape);
  Work work;
  work.vector_flops = 5 * elements;
  work.activation = elements;
  work.output = elements;
  return d.finish(work, d.input_key());
}

constexpr Formula formulas[] = {{"vector_flops", "5 * E"}, {"activation", "E"}, {"output", "E"}};

constexpr Parameter parameters[] = {
    {"input_shape", "any shape", ""},
    {"axis", "where it sums to one; does not change the work", "any"},
};

constexpr std::string_view names[] = {"logsoftmax",    "softmax2d",          "softmin", "softargmax", "safesoftmax",
                                      "maskedsoftmax", "scaledmaskedsoftmax"};

constexpr Operator list[] = {
    {"softmax", "Softmax", OpFamily::normalisation, Symbol::diamond, names, parameters, formulas,
     "Per element: compare for the maximum, subtract it, exponential, sum, divide.", derive},
};

}  // namespace

std::span<const Operator> families::softmax() { return list; }

}  // namespace roofline
