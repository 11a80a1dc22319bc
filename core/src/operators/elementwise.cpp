#include <array>
#include <utility>

#include "operators/broadcast.hpp"
#include "operators/families.hpp"
#include "operators/reduction.hpp"

namespace roofline {
namespace {

// One row per function: what it costs per element written. Arithmetic, a comparison and an elementary function (exp, log, tanh, erf,
// square root, division) count one each, so silu = x / (1 + exp(-x)) is 4.
struct Function {
  std::string_view id, name;
  std::size_t operands;
  double flops;
  std::array<std::string_view, 12> names = {};  // beside the id
};

constexpr Function functions[] = {
    {"add",
     "Addition",
     2,
     1,
     {"elementwiseadd", "eltwiseadd", "eltwise", "elementwise", "residual", "residualadd", "biasadd", "accumulate"}},
    {"sub", "Subtraction", 2, 1, {"subtract", "elementwisesub", "eltwisesub", "rsub"}},
    {"mul", "Multiplication", 2, 1, {"multiply", "elementwisemul", "eltwisemul", "scale", "hadamard"}},
    {"div", "Division", 2, 1, {"divide", "realdiv", "truediv", "elementwisediv", "eltwisediv", "floordivide", "floordiv"}},
    {"max", "Larger of two", 2, 1, {"maximum", "elementwisemax", "eltwisemax", "fmax"}},
    {"min", "Smaller of two", 2, 1, {"minimum", "elementwisemin", "eltwisemin", "fmin"}},
    {"pow", "Power", 2, 1, {"power"}},
    {"mod", "Remainder", 2, 1, {"remainder", "rem", "fmod"}},
    {"compare",
     "Comparison",
     2,
     1,
     {"eq", "ne", "lt", "le", "gt", "ge", "equal", "notequal", "less", "lessequal", "greater", "greaterequal"}},
    {"logical",
     "Logic on bits",
     2,
     1,
     {"and", "or", "xor", "logicaland", "logicalor", "logicalxor", "bitwiseand", "bitwiseor", "bitwisexor"}},
    {"squared_difference", "Squared difference", 2, 2, {}},
    {"silu_mul", "SiLU times gate", 2, 5, {"swiglu", "siluandmul", "swishmul"}},
    {"prelu", "Parametric ReLU", 2, 2, {}},
    {"where", "Selection", 3, 1, {"select", "selectv2"}},
    {"addcmul", "Multiply-add", 3, 2, {"fma", "muladd"}},
    {"clamp", "Clamp", 1, 2, {"clip", "relu6", "hardtanh", "clipbyvalue"}},
    {"relu", "ReLU", 1, 1, {"threshold"}},
    {"leaky_relu", "Leaky ReLU", 1, 2, {"lrelu"}},
    {"elu", "ELU", 1, 3, {"celu"}},
    {"selu", "SELU", 1, 4, {}},
    {"gelu", "GELU", 1, 8, {"fastgelu", "newgelu", "gelutanh"}},
    {"silu", "SiLU", 1, 4, {"swish"}},
    {"sigmoid", "Sigmoid", 1, 4, {"logistic"}},
    {"hard_sigmoid", "Hard sigmoid", 1, 4, {}},
    {"hard_swish", "Hard swish", 1, 5, {"hardsilu"}},
    {"softplus", "Softplus", 1, 3, {}},
    {"mish", "Mish", 1, 5, {}},
    {"tanh", "Hyperbolic tangent", 1, 1, {}},
    {"exp", "Exponential", 1, 1, {"exponential", "exp2"}},
    {"log", "Logarithm", 1, 1, {"log2", "log10"}},
    {"sqrt", "Square root", 1, 1, {}},
    {"rsqrt", "Reciprocal square root", 1, 1, {}},
    {"reciprocal", "Reciprocal", 1, 1, {"inverse"}},
    {"erf", "Error function", 1, 1, {}},
    {"sin", "Sine", 1, 1, {"sine"}},
    {"cos", "Cosine", 1, 1, {"cosine"}},
    {"abs", "Absolute value", 1, 1, {}},
    {"neg", "Negation", 1, 1, {"negative", "negate"}},
    {"square", "Square", 1, 1, {}},
    {"sign", "Sign", 1, 1, {}},
    {"round", "Rounding", 1, 1, {"floor", "ceil", "trunc"}},
    {"not", "Logical not", 1, 1, {"logicalnot", "bitwisenot"}},
    {"cumsum", "Running sum", 1, 1, {"cumprod", "cummax"}},
    {"rope", "Rotary embedding", 1, 3, {"rotaryembedding", "rotarypositionembedding", "applyrotaryposemb"}},
    {"cast", "Change of format", 1, 0, {"convert", "tocopy", "to", "bitcastconvert", "converttype", "typecast"}},
    {"copy", "Copy", 1, 0, {"identity", "clone", "contiguous", "memcpy", "memcpydtod", "assign", "copyto"}},
};

using Formulas =
    WorkFormulas<"F R E", FormulaOf<&Work::vector_flops, "F * E">, FormulaOf<&Work::activation, "R">, FormulaOf<&Work::output, "E">>;

// torch.max(x, dim) and NumPy's max share their names with the maximum of two tensors.
Result<Work> derive_reduced(Derivation& d) {
  const Shape shape = d.input();
  const double group = reduced_elements(d, shape);
  return d.finish<Formulas>({group, product(shape), product(shape) / group}, d.input_key());
}

Result<Work> derive(const Record& record, Trace* trace, const Function& function) {
  Derivation d(record, trace);
  const bool has_other = record.has(key::input_other) || record.shape_count(key::inputs) > 1;
  if ((function.id == "max" || function.id == "min") && record.has(key::axis) && !has_other) return derive_reduced(d);

  const Key first = d.has(d.input_key()) ? d.input_key() : Key{key::input_self};
  const bool listed = record.has(key::inputs) && !d.has(first);
  const std::size_t count = listed ? d.inputs() : 1 + (function.operands > 1 && d.has(key::input_other) ? 1 : 0);
  const std::array<Shape, 2> own = {listed ? Shape{} : d.shape(first), !listed && count == 2 ? d.shape(key::input_other) : Shape{}};
  const auto operand = [&](std::size_t i) { return listed ? record.shape(key::inputs, i) : own[i]; };
  if (listed && count == 0) d.fail(key::inputs, "is empty: expected a list of shapes");
  if (d.failed()) return d.fault();

  std::optional<double> elements = broadcast_elements(count, operand);
  if (!elements && listed)
    d.fail(key::inputs, "do not broadcast: " + shown(operand(0)) + " and the " + std::to_string(count - 1) + " after it");
  else if (!elements)
    d.fail(key::input_other, shown(own[1]) + " does not broadcast with " + shown(own[0]));
  if (d.has(key::output_shape) && elements && !d.failed()) {
    const Shape output = d.shape(key::output_shape);
    // A copy broadcasts its source to the shape of what it writes.
    const bool stretches = function.id == "copy" && count == 1 &&
                           broadcast_elements(2, [&](std::size_t i) { return i == 0 ? operand(0) : output; }) == product(output);
    if (!d.failed() && stretches) {
      elements = product(output);
      d.output(output);
    } else if (!d.failed() && product(output) != *elements)
      d.fail(key::output_shape,
             shown(output) + " has " + plain(product(output)) + " elements: expected " + plain(*elements) + ", as the inputs give");
  }
  if (d.failed()) return d.fault();

  double read = 0;
  for (std::size_t i = 0; i < count; ++i) {
    read += product(operand(i));
    if (product(operand(i)) == *elements) d.output(operand(i));
  }
  // An operand that is not given is as large as the result: `add` with one shape is x + y.
  if (count < function.operands) {
    read += static_cast<double>(function.operands - count) * *elements;
    d.note("operands that are not given were taken to be as large as the result");
  }

  return d.finish<Formulas>({function.flops, read, *elements}, listed ? Key{key::inputs} : first);
}

template <std::size_t row>
Result<Work> derive_row(const Record& record, Trace* trace) {
  return derive(record, trace, functions[row]);
}

constexpr Parameter one_parameter[] = {
    {"input_self", "any shape; also input_shape, input_input or inputs", ""},
    {"output_shape", "checked where given", "the input's"},
};
constexpr Parameter copy_parameters[] = {
    {"input_self", "any shape; also input_shape, input_input or inputs", ""},
    {"output_shape", "what the input is broadcast to", "the input's"},
};
constexpr Parameter more_parameters[] = {
    {"input_self", "any shape; also input_shape, input_input or the first of inputs", ""},
    {"input_other", "a shape that broadcasts with it; also the second of inputs", "the same shape"},
    {"inputs", "a list of all operands' shapes", "or input_self and input_other"},
    {"output_shape", "checked where given", "the broadcast"},
};

constexpr std::string_view note =
    "F FLOPs per element written (docs/reference/operators.md has the table). R counts every operand's own elements once: one that is "
    "broadcast is "
    "read once.";

constexpr Operator row_operator(const Function& f, Result<Work> (*derive_function)(const Record&, Trace*)) {
  std::size_t used = 0;
  while (used < f.names.size() && !f.names[used].empty()) ++used;
  const std::span<const Parameter> parameters = f.id == "copy"    ? copy_parameters
                                                : f.operands == 1 ? std::span<const Parameter>(one_parameter)
                                                                  : more_parameters;
  return {f.id, f.name,         OpFamily::elementwise, Symbol::triangle, {f.names.data(), used}, parameters, Formulas::formulas,
          note, derive_function};
}

template <std::size_t... row>
constexpr std::array<Operator, sizeof...(row)> rows(std::index_sequence<row...>) {
  return {row_operator(functions[row], derive_row<row>)...};
}

constexpr auto list = rows(std::make_index_sequence<std::size(functions)>());

}  // namespace

std::span<const Operator> families::elementwise() { return list; }

}  // namespace roofline
