#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

using EmbeddingFormulas =
    WorkFormulas<"T H", FormulaOf<&Work::weight, "T * H">, FormulaOf<&Work::activation, "T">, FormulaOf<&Work::output, "T * H">>;
using GatherFormulas = WorkFormulas<"T H", FormulaOf<&Work::activation, "T * H + T">, FormulaOf<&Work::output, "T * H">>;

// Rows of a table that are parameters.
Result<Work> derive_embedding(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const bool listed = record.shape_count(key::inputs) > 1;
  double width = 1;
  if (d.has(key::weight_shape) || listed) {
    const Shape table = d.operand(key::weight_shape, 0, 2);
    if (!d.failed()) width = product(table.subspan(1));
  } else {
    width = d.whole(key::hidden);
  }
  if (d.has(key::vocabulary)) (void)d.whole(key::vocabulary);  // the table's length does not matter: only the rows asked for are read
  const Key indices = d.has(key::indices_shape) || listed ? Key{key::indices_shape} : d.input_key();
  const double rows = product(d.operand(indices, listed ? 1 : 0));
  return d.finish<EmbeddingFormulas>({rows, width}, indices);
}

// Slices of an activation along an axis.
Result<Work> derive_gather(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape table = d.input(1);
  const Shape indices = d.operand(key::indices_shape, 1);
  const Value& given = record[key::axis];
  if (given.present() && given.kind != Value::Kind::number) d.missing(key::axis, "expected a whole number");
  if (d.failed()) return d.fault();
  const std::size_t axis = d.axis(given.present() ? given.number : 0, table.size());
  if (d.failed()) return d.fault();
  return d.finish<GatherFormulas>({product(indices), product(table) / table[axis]}, key::indices_shape);
}

constexpr Parameter embedding_parameters[] = {
    {"indices_shape", "T indices in any shape; also input_shape", ""},
    {"weight_shape", "[vocabulary, H]", "or hidden"},
    {"hidden", "H", "from weight_shape"},
    {"vocabulary", "rows of the table; does not change the work", "any"},
};
constexpr Parameter gather_parameters[] = {
    {"input_shape", "the table", ""},
    {"indices_shape", "T indices in any shape", ""},
    {"axis", "the dimension that is indexed; H is the product of the others", "0"},
};

constexpr std::string_view embedding_names[] = {"embeddinglookup", "embeddingbag", "tokenembedding", "wordembedding", "lookuptable"};
constexpr std::string_view gather_names[] = {"gatherv2", "gathernd", "indexselect", "take", "index", "takealongdim", "gatherelements"};

constexpr Operator list[] = {
    {"embedding", "Embedding", OpFamily::data_movement, Symbol::diamond, embedding_names, embedding_parameters, EmbeddingFormulas::formulas,
     "Reads the rows asked for, not the table, and the indices, which count at the width of the activations. No FLOPs.", derive_embedding},
    {"gather", "Gather", OpFamily::data_movement, Symbol::diamond, gather_names, gather_parameters, GatherFormulas::formulas,
     "Reads the slices asked for, not the table, and the indices, which count at the width of the activations. No FLOPs.", derive_gather},
};

}  // namespace

std::span<const Operator> families::gather() { return list; }

}  // namespace roofline
