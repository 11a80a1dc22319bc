// Writes ONNX models as onnx.proto lays them out.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roofline::onnx_file {

/// A message of protocol buffers, field by field.
class Message {
 public:
  Message& integer(std::uint32_t field, std::int64_t value) {
    varint(field << 3);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(std::uint32_t field, const Message& value) { return text(field, value.bytes_); }
  Message& real(std::uint32_t field, float value) {
    varint(field << 3 | 5);
    char raw[4];
    std::memcpy(raw, &value, 4);
    bytes_.append(raw, 4);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// TensorProto.DataType.
inline constexpr int fp32 = 1, uint8 = 2, int8 = 3, int64 = 7, fp16 = 10, int4 = 22;

using Dims = std::vector<std::variant<int, std::string>>;

inline Message value(std::string_view name, int type, const Dims& dims) {
  Message shape;
  for (const auto& dim : dims) {
    Message one;
    if (const int* length = std::get_if<int>(&dim))
      one.integer(1, *length);
    else
      one.text(2, std::get<std::string>(dim));
    shape.message(1, one);
  }
  return Message().text(1, name).message(2, Message().message(1, Message().integer(1, type).message(2, shape)));
}

/// A tensor whose elements are all zero.
inline Message tensor(std::string_view name, int type, const std::vector<std::int64_t>& dims, double bytes_of_one = 4) {
  Message out;
  double elements = 1;
  for (const std::int64_t d : dims) {
    out.integer(1, d);
    elements *= static_cast<double>(d);
  }
  return out.integer(2, type).text(8, name).text(9, std::string(static_cast<std::size_t>(elements * bytes_of_one), '\0'));
}

inline Message integers(std::string_view name, const std::vector<std::int64_t>& values) {
  Message out;
  out.integer(1, static_cast<std::int64_t>(values.size())).integer(2, int64).text(8, name);
  for (const std::int64_t v : values) out.integer(7, v);
  return out;
}

inline Message ints(std::string_view name, const std::vector<std::int64_t>& values) {
  Message out;
  out.text(1, name).integer(20, 7);
  for (const std::int64_t v : values) out.integer(8, v);
  return out;
}
inline Message number(std::string_view name, std::int64_t value) { return Message().text(1, name).integer(3, value).integer(20, 2); }
inline Message word(std::string_view name, std::string_view value) { return Message().text(1, name).text(4, value).integer(20, 3); }
inline Message body(std::string_view name, const Message& graph) { return Message().text(1, name).message(6, graph).integer(20, 5); }

inline Message node(std::string_view type, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                    const std::vector<Message>& attributes = {}, std::string_view domain = {}) {
  Message out;
  for (const std::string& i : inputs) out.text(1, i);
  for (const std::string& o : outputs) out.text(2, o);
  out.text(3, outputs.empty() ? "node" : outputs[0]).text(4, type);
  for (const Message& a : attributes) out.message(5, a);
  if (!domain.empty()) out.text(7, domain);
  return out;
}

struct Graph {
  std::vector<Message> nodes, constants, inputs, outputs, inner;
  [[nodiscard]] Message message() const {
    Message out;
    for (const Message& m : nodes) out.message(1, m);
    for (const Message& m : constants) out.message(5, m);
    for (const Message& m : inputs) out.message(11, m);
    for (const Message& m : outputs) out.message(12, m);
    for (const Message& m : inner) out.message(13, m);
    return out;
  }
};

inline std::string model(const Message& graph, std::int64_t opset = 17, const std::vector<Message>& functions = {}) {
  Message out;
  out.integer(1, 8).text(2, "test").message(7, graph).message(8, Message().text(1, "").integer(2, opset));
  for (const Message& f : functions) out.message(25, f);
  return out.bytes();
}
inline std::string model(const Graph& graph, std::int64_t opset = 17) { return model(graph.message(), opset); }

}  // namespace roofline::onnx_file
