// TFLite files as tests build them: FlatBuffers with every table behind the one that refers to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline::tflite_file {

struct FieldValue;
using Fields = std::vector<std::pair<std::size_t, FieldValue>>;  ///< by slot

/// A field: a number where it is, or an offset to a vector, a table, tables.
struct FieldValue {
  enum class Kind { number, vector, table, tables } kind = Kind::number;
  std::string bytes;           ///< of a number, or of a vector's elements
  std::uint32_t count = 0;     ///< of a vector
  std::vector<Fields> tables;  ///< one of a table
};

template <class T>
std::string raw(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}
template <class T>
FieldValue number(T value) {
  return {FieldValue::Kind::number, raw(value), 0, {}};
}
template <class T>
FieldValue list(const std::vector<T>& values) {
  FieldValue out{FieldValue::Kind::vector, {}, static_cast<std::uint32_t>(values.size()), {}};
  for (const T& v : values) out.bytes += raw(v);
  return out;
}
inline FieldValue ints(const std::vector<std::int32_t>& values) { return list(values); }
inline FieldValue longs(const std::vector<std::int64_t>& values) { return list(values); }
inline FieldValue text(std::string_view value) {
  return {FieldValue::Kind::vector, std::string(value), static_cast<std::uint32_t>(value.size()), {}};
}
inline FieldValue table(Fields fields) { return {FieldValue::Kind::table, {}, 0, {std::move(fields)}}; }
inline FieldValue tables(std::vector<Fields> fields) { return {FieldValue::Kind::tables, {}, 0, std::move(fields)}; }

inline void patch(std::string& out, std::size_t at) {
  const auto offset = static_cast<std::uint32_t>(out.size() - at);
  std::memcpy(out.data() + at, &offset, 4);
}

inline void write(std::string& out, const Fields& fields) {
  std::size_t slots = 0, size = 4;
  for (const auto& [slot, value] : fields) slots = std::max(slots, slot + 1);
  std::vector<std::uint16_t> places(slots, 0);
  for (const auto& [slot, value] : fields) {
    places[slot] = static_cast<std::uint16_t>(size);
    size += value.kind == FieldValue::Kind::number ? value.bytes.size() : 4;
  }
  out += raw(static_cast<std::uint16_t>(4 + 2 * slots)) + raw(static_cast<std::uint16_t>(size));
  for (const std::uint16_t place : places) out += raw(place);
  const std::size_t begin = out.size();
  out += raw(static_cast<std::int32_t>(4 + 2 * slots));
  for (const auto& [slot, value] : fields) out += value.kind == FieldValue::Kind::number ? value.bytes : raw(std::uint32_t{0});
  for (const auto& [slot, value] : fields) {
    const std::size_t at = begin + places[slot];
    if (value.kind == FieldValue::Kind::number) continue;
    if (value.kind == FieldValue::Kind::table) {
      // The offset leads to the table, which stands behind its vtable.
      std::size_t most = 0;
      for (const auto& field : value.tables[0]) most = std::max(most, field.first + 1);
      const auto offset = static_cast<std::uint32_t>(out.size() + 4 + 2 * most - at);
      std::memcpy(out.data() + at, &offset, 4);
      write(out, value.tables[0]);
      continue;
    }
    patch(out, at);
    if (value.kind == FieldValue::Kind::vector) {
      out += raw(value.count) + value.bytes;
      continue;
    }
    out += raw(static_cast<std::uint32_t>(value.tables.size()));
    const std::size_t first = out.size();
    out.append(4 * value.tables.size(), '\0');
    for (std::size_t i = 0; i < value.tables.size(); ++i) {
      std::size_t most = 0;
      for (const auto& field : value.tables[i]) most = std::max(most, field.first + 1);
      const auto offset = static_cast<std::uint32_t>(out.size() + 4 + 2 * most - (first + 4 * i));
      std::memcpy(out.data() + first + 4 * i, &offset, 4);
      write(out, value.tables[i]);
    }
  }
}

/// A whole file: the root's offset, the identifier, the root.
inline std::string file_of(const Fields& root, std::string_view identifier = "TFL3") {
  std::size_t most = 0;
  for (const auto& field : root) most = std::max(most, field.first + 1);
  std::string out = raw(static_cast<std::uint32_t>(8 + 4 + 2 * most)) + std::string(identifier);
  write(out, root);
  return out;
}

// --- models -----------------------------------------------------------------------------------------------------------------------------

inline constexpr std::int8_t fp32 = 0, fp16 = 1, int32 = 2, uint8 = 3, text_type = 5, int8 = 9, int4 = 17;

struct Tensor {
  std::string name;
  std::vector<std::int32_t> shape;
  std::int8_t type = fp32;
  std::uint32_t buffer = 0;
  Fields more = {};
};

struct Op {
  std::int32_t code = 0;
  std::vector<std::int32_t> inputs, outputs;
  Fields options = {};
  bool second_union = false;  ///< options of StableHLO and the like
  std::string custom = {};
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Op> operators;
  std::vector<std::int32_t> inputs, outputs;
  std::string name = {};
};

/// `buffers`: the bytes of each, the first of which is empty by convention.
inline Fields model_fields(const std::vector<Graph>& graphs, const std::vector<std::string>& buffers, Fields more = {}) {
  std::vector<Fields> codes, subgraphs, stored;
  for (const Graph& graph : graphs) {
    std::vector<Fields> tensors, operators;
    for (const Tensor& t : graph.tensors) {
      Fields fields = {{0, ints(t.shape)}, {1, number(t.type)}, {2, number(t.buffer)}, {3, text(t.name)}};
      fields.insert(fields.end(), t.more.begin(), t.more.end());
      tensors.push_back(fields);
    }
    for (const Op& op : graph.operators) {
      const auto index = static_cast<std::uint32_t>(codes.size());
      Fields code = {{0, number(static_cast<std::int8_t>(std::min(op.code, 127)))}, {3, number(op.code)}};
      if (!op.custom.empty()) code.emplace_back(1, text(op.custom));
      codes.push_back(code);
      Fields fields = {{0, number(index)}, {1, ints(op.inputs)}, {2, ints(op.outputs)}};
      if (!op.options.empty() && op.second_union) fields.insert(fields.end(), {{11, number(std::uint8_t{1})}, {12, table(op.options)}});
      if (!op.options.empty() && !op.second_union) fields.insert(fields.end(), {{3, number(std::uint8_t{1})}, {4, table(op.options)}});
      operators.push_back(fields);
    }
    subgraphs.push_back(
        {{0, tables(tensors)}, {1, ints(graph.inputs)}, {2, ints(graph.outputs)}, {3, tables(operators)}, {4, text(graph.name)}});
  }
  for (const std::string& bytes : buffers) stored.push_back(bytes.empty() ? Fields{} : Fields{{0, text(bytes)}});
  Fields root = {{0, number(std::uint32_t{3})}, {1, tables(codes)}, {2, tables(subgraphs)}, {3, text("a test")}, {4, tables(stored)}};
  root.insert(root.end(), more.begin(), more.end());
  return root;
}

inline std::string model(const std::vector<Graph>& graphs, const std::vector<std::string>& buffers = {""}, Fields more = {}) {
  return file_of(model_fields(graphs, buffers, std::move(more)));
}

}  // namespace roofline::tflite_file
