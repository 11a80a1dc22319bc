// Operators that move elements, or only look at them in another shape.
#include "network/tflite/rules.hpp"

namespace roofline::tflite {

void movement(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  work::movement(out, rule.as, {op.shape(0)}, op.out(), op.out_type());
}
void written(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  work::movement(out, rule.as, {op.out()}, op.out(), op.out_type());
}

namespace {

/// Lengths that only a run decides are stored as 1: shapes need not add up.
void join(const Operation& op, const std::vector<Lengths>& inputs, SizedNode& out) {
  double read = 0;
  for (const Lengths& input : inputs) read += elements_of(input);
  if (read == elements_of(op.out()))
    work::movement(out, "concat", inputs, op.out(), op.out_type());
  else
    work::movement(out, "copy", {op.out()}, op.out(), op.out_type());
}

}  // namespace

void concat(const Operation& op, const OperatorRule&, SizedNode& out) { join(op, op.shapes(), out); }

namespace {

/// A dimension more than its inputs have.
void pack(const Operation& op, const OperatorRule&, SizedNode& out) {
  constexpr std::uint64_t axis_slot = 1;
  const auto rank = static_cast<std::int32_t>(op.out().size());
  std::int32_t axis = op.options().number<std::int32_t>(axis_slot);
  axis += axis < 0 ? rank : 0;
  std::vector<Lengths> inputs = op.shapes();
  for (Lengths& shape : inputs)
    if (axis >= 0 && axis <= static_cast<std::int32_t>(shape.size())) shape.insert(shape.begin() + axis, 1);
  join(op, inputs, out);
}

void gather(const Operation& op, const OperatorRule&, SizedNode& out) {
  const auto rank = static_cast<std::int32_t>(op.shape(0).size());
  const auto axis = op.options().number<std::int32_t>(0);
  work::look_up(out, op.shape(0), op.shape(1), axis < 0 ? axis + rank : axis, op.is_constant(0), {op.type(0), op.type(0), op.out_type()});
}

/// Indices, then the table.
void embedding_lookup(const Operation& op, const OperatorRule&, SizedNode& out) {
  work::look_up(out, op.shape(1), op.shape(0), 0, op.is_constant(1), {op.type(1), op.type(1), op.out_type()});
}

/// Reads the whole tensor and the segment of each row, however few segments there are.
void segments(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  const double read = op.elements(0) * op.type(0).bits + op.elements(1) * op.type(1).bits;
  work::stated(out, rule.name, 0, (read + elements_of(op.out()) * op.out_type().bits) / 8, op.types(0, 0));
}

constexpr OperatorRule movement_table[] = {
    {2, "CONCATENATION", concat},
    {5, "DEPTH_TO_SPACE", movement, "copy"},
    {7, "EMBEDDING_LOOKUP", embedding_lookup},
    {22, "RESHAPE", nullptr, {}, Fusing::vanishes},
    {26, "SPACE_TO_DEPTH", movement, "copy"},
    {34, "PAD", movement, "copy"},
    {36, "GATHER", gather},
    {37, "BATCH_TO_SPACE_ND", movement, "copy"},
    {38, "SPACE_TO_BATCH_ND", movement, "copy"},
    {39, "TRANSPOSE", movement, "transpose", Fusing::vanishes},
    {43, "SQUEEZE", nullptr, {}, Fusing::vanishes},
    {45, "STRIDED_SLICE", movement, "copy"},
    {48, "TOPK_V2", copy_of<0>},
    {49, "SPLIT", copy_of<1>},
    {60, "PADV2", movement, "copy"},
    {65, "SLICE", movement, "copy"},
    {68, "SPARSE_TO_DENSE", written, "fill"},
    {69, "TILE", movement, "repeat"},
    {70, "EXPAND_DIMS", nullptr, {}, Fusing::vanishes},
    {77, "SHAPE"},
    {83, "PACK", pack},
    {85, "ONE_HOT", written, "fill"},
    {88, "UNPACK", copy_of<0>},
    {93, "ZEROS_LIKE", written, "fill"},
    {94, "FILL", written, "fill"},
    {96, "RANGE", written, "fill"},
    {100, "MIRROR_PAD", movement, "copy"},
    {102, "SPLIT_V", copy_of<0>},
    {103, "UNIQUE", copy_of<0>},
    {105, "REVERSE_V2", movement, "copy"},
    {107, "GATHER_ND", written, "copy"},
    {109, "WHERE", copy_of<0>},
    {110, "RANK"},
    {112, "REVERSE_SEQUENCE", movement, "copy"},
    {113, "MATRIX_DIAG", written, "fill"},
    {115, "MATRIX_SET_DIAG", movement, "copy"},
    {120, "NON_MAX_SUPPRESSION_V4"},
    {121, "NON_MAX_SUPPRESSION_V5"},
    {122, "SCATTER_ND", written, "copy"},
    {124, "DENSIFY", movement, "copy"},
    {125, "SEGMENT_SUM", segments},
    {130, "BROADCAST_TO", movement, "repeat"},
    {133, "IMAG", written, "copy"},
    {134, "REAL", written, "copy"},
    {142, "VAR_HANDLE"},
    {143, "READ_VARIABLE", written, "copy"},
    {144, "ASSIGN_VARIABLE", copy_of<1>},
    {145, "BROADCAST_ARGS"},
    {146, "RANDOM_STANDARD_NORMAL", written, "fill"},
    {148, "RANDOM_UNIFORM", written, "fill"},
    {149, "MULTINOMIAL", written, "fill"},
    {151, "DYNAMIC_UPDATE_SLICE", copy_of<1>},
    {153, "UNSORTED_SEGMENT_PROD", segments},
    {154, "UNSORTED_SEGMENT_MAX", segments},
    {155, "UNSORTED_SEGMENT_SUM", segments},
    {157, "UNSORTED_SEGMENT_MIN", segments},
    {159, "BITCAST", nullptr, {}, Fusing::vanishes},
    {203, "DILATE", movement, "copy"},
};

}  // namespace

std::span<const OperatorRule> movement_rules() { return movement_table; }

}  // namespace roofline::tflite
