// Data movement: bytes without FLOPs.
#include <cmath>

#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

using Formulas = WorkFormulas<"R E", FormulaOf<&Work::activation, "R">, FormulaOf<&Work::output, "E">>;

Result<Work> moved(Derivation& d, double read, double written) { return d.finish<Formulas>({read, written}, d.input_key()); }

// Transpose, reshape, split: every element read once and written once.
Result<Work> derive_rearrange(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape shape = d.input();
  const double elements = product(shape);
  if (d.has(key::output_shape)) {
    const Shape output = d.shape(key::output_shape);
    if (!d.failed() && product(output) != elements)
      d.fail(key::output_shape,
             shown(output) + " has " + plain(product(output)) + " elements: expected " + plain(elements) + ", as the input has");
  }
  return moved(d, elements, elements);
}

Result<Work> derive_concat(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const std::size_t count = d.inputs();
  if (!d.failed() && count == 0) d.fail(key::inputs, "is empty: expected a list of shapes");
  if (d.failed()) return d.fault();
  const Shape first = record.shape(key::inputs, 0);
  if (first.empty()) d.fail(key::inputs, "begins with a scalar: expected shapes of at least 1 dimension");
  const Value& given = record[key::axis];
  if (given.present() && given.kind != Value::Kind::number) d.missing(key::axis, "expected a whole number");
  const std::size_t unknown_axis = first.size();  // until a shape differs
  std::size_t axis = given.present() && !d.failed() ? d.axis(given.number, first.size()) : unknown_axis;
  double elements = 0;
  for (std::size_t i = 0; i < count && !d.failed(); ++i) {
    const Shape shape = record.shape(key::inputs, i);
    bool fits = shape.size() == first.size();
    for (std::size_t j = 0; fits && j < first.size(); ++j) {
      if (shape[j] == first[j] || j == axis) continue;
      fits = axis == unknown_axis;
      axis = j;
    }
    if (!fits) d.fail(key::inputs, shown(shape) + " does not fit " + shown(first) + ": expected shapes that differ along the axis only");
    elements += product(shape);
  }
  return moved(d, elements, elements);
}

// Only what is kept is read.
Result<Work> derive_slice(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const double kept = product(d.shape(key::output_shape));
  if (d.has_operand(d.input_key(), 0)) {
    const Shape input = d.input();
    if (!d.failed() && kept > product(input))
      d.fail(key::output_shape, shown(d.shape(key::output_shape)) + " is larger than the input " + shown(input));
  }
  return moved(d, kept, kept);
}

// Widths: a number; pairs for each dimension; ONNX's 2 * rank (all befores, then all afters); PyTorch's pairs from the last dimension on.
Result<Work> derive_pad(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape shape = d.input(1);
  if (d.failed()) return d.fault();
  if (d.has(key::output_shape)) {
    const Shape output = d.shape(key::output_shape);
    if (!d.failed() && product(output) < product(shape))
      d.fail(key::output_shape, shown(output) + " is smaller than the input " + shown(shape));
    return moved(d, product(shape), product(output));
  }
  using Least = Derivation::Least;
  const Key key = d.has(key::pad) ? Key{key::pad} : Key{key::padding};
  const Value& value = record[key];
  const std::size_t rank = shape.size();
  const Shape flat = record.list(key);
  const bool pairs = value.kind == Value::Kind::shapes;
  if (value.kind == Value::Kind::number)
    d.check_whole(key, {&value.number, 1}, Least::zero);
  else if (pairs && value.size == rank)
    for (std::size_t i = 0; i < rank; ++i) {
      const Shape pair = record.shape(key, i);
      if (pair.size() != 2) d.fail(key, "element " + std::to_string(i) + " is " + shown(pair) + ": expected [before, after]");
      d.check_whole(key, pair, Least::zero);
    }
  else if (value.kind == Value::Kind::list && flat.size() % 2 == 0 && flat.size() <= 2 * rank)
    d.check_whole(key, flat, Least::zero);
  else
    d.missing(key, "expected a number, [[before, after], ...] for each dimension, or a flat list of at most twice the rank");
  if (d.failed()) return d.fault();
  double written = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from_last = 2 * (rank - 1 - i);
    double width = 2 * value.number;
    if (pairs)
      width = record.shape(key, i)[0] + record.shape(key, i)[1];
    else if (value.kind == Value::Kind::list)
      width = flat.size() == 2 * rank ? flat[i] + flat[i + rank] : from_last < flat.size() ? flat[from_last] + flat[from_last + 1] : 0;
    written *= shape[i] + width;
  }
  return moved(d, product(shape), written);
}

Result<Work> derive_repeat(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const double read = product(d.input());
  double written = read;
  if (d.has(key::output_shape)) {
    const Shape output = d.shape(key::output_shape);
    written = product(output);
    if (!d.failed() && std::fmod(written, read) != 0)
      d.fail(key::output_shape, shown(output) + " is no multiple of the input " + shown(d.input()));
  } else {
    written *= product(d.shape(key::repeats));
  }
  return moved(d, read, written);
}

Result<Work> derive_fill(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const double written = product(d.has(key::output_shape) ? d.shape(key::output_shape) : d.input());
  return moved(d, 0, written);
}

constexpr Parameter rearrange_parameters[] = {{"input_shape", "any shape", ""},
                                              {"output_shape", "checked where given: as many elements", "any"}};
constexpr Parameter concat_parameters[] = {{"inputs", "a list of shapes", ""},
                                           {"axis", "the dimension that may differ", "whichever differs"}};
constexpr Parameter slice_parameters[] = {{"output_shape", "what is kept", ""}, {"input_shape", "checked where given", "any"}};
constexpr Parameter pad_parameters[] = {
    {"input_shape", "any shape", ""},
    {"pad", "a number; [[before, after], ...]; all befores, then all afters; or pairs from the last dimension on", "or output_shape"},
    {"output_shape", "the padded shape", "or pad"},
};
constexpr Parameter repeat_parameters[] = {{"input_shape", "any shape", ""},
                                           {"repeats", "a number for each dimension", "or output_shape"},
                                           {"output_shape", "the result", "or repeats"}};
constexpr Parameter fill_parameters[] = {{"output_shape", "what is written; also input_shape", ""}};

constexpr std::string_view transpose_names[] = {
    "permute",        "swapaxes", "shuffle", "channelshuffle", "depthtospace", "spacetodepth",    "pixelshuffle",
    "pixelunshuffle", "flip",     "reverse", "roll",           "im2col",       "layouttransform", "t"};
constexpr std::string_view reshape_names[] = {"view",    "flatten",   "squeeze",    "unsqueeze",   "expanddims",
                                              "bitcast", "unflatten", "unsafeview", "reshapealias"};
constexpr std::string_view concat_names[] = {"cat", "concatenate", "stack", "pack", "concatv2"};
constexpr std::string_view split_names[] = {"chunk", "unbind", "unstack", "splitv", "splitwithsizes", "unpack"};
constexpr std::string_view slice_names[] = {"stridedslice", "dynamicslice", "narrow", "crop"};
constexpr std::string_view pad_names[] = {"constantpad", "constantpadnd", "reflectionpad2d", "mirrorpad", "zeropad2d", "zeropad"};
constexpr std::string_view repeat_names[] = {"tile", "expand", "broadcast", "broadcastto", "broadcastindim", "repeatinterleave"};
constexpr std::string_view fill_names[] = {"zeros",           "ones", "full", "zeroslike", "oneslike", "fulllike", "memset",
                                           "constantofshape", "zero", "iota", "arange",    "range"};

constexpr std::string_view once = "Every element is read once and written once, no FLOPs.";

constexpr Operator list[] = {
    {"transpose", "Transpose", OpFamily::data_movement, Symbol::diamond, transpose_names, rearrange_parameters, Formulas::formulas, once,
     derive_rearrange},
    {"reshape", "Reshape", OpFamily::data_movement, Symbol::diamond, reshape_names, rearrange_parameters, Formulas::formulas,
     "Counted as a copy: every element is read once and written once. A view that moves nothing takes no time and should not be listed.",
     derive_rearrange},
    {"concat", "Concatenation", OpFamily::data_movement, Symbol::diamond, concat_names, concat_parameters, Formulas::formulas, once,
     derive_concat},
    {"split", "Split", OpFamily::data_movement, Symbol::diamond, split_names, rearrange_parameters, Formulas::formulas, once,
     derive_rearrange},
    {"slice", "Slice", OpFamily::data_movement, Symbol::diamond, slice_names, slice_parameters, Formulas::formulas,
     "Only what is kept is read.", derive_slice},
    {"pad", "Padding", OpFamily::data_movement, Symbol::diamond, pad_names, pad_parameters, Formulas::formulas,
     "The input is read once, the padded result written once, no FLOPs.", derive_pad},
    {"repeat", "Repetition", OpFamily::data_movement, Symbol::diamond, repeat_names, repeat_parameters, Formulas::formulas,
     "The input is read once, the result written once, no FLOPs.", derive_repeat},
    {"fill", "Fill", OpFamily::data_movement, Symbol::diamond, fill_names, fill_parameters, Formulas::formulas, "Writes only.",
     derive_fill},
};

}  // namespace

std::span<const Operator> families::movement() { return list; }

}  // namespace roofline
