#include "network/onnx/model.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "base/bit_cast.hpp"
#include "base/little_endian.hpp"
#include "base/parse_number.hpp"
#include "network/onnx/message_ranges.hpp"

namespace roofline::onnx {
namespace {

using protobuf::Wire;

constexpr int deepest = 100;  // graphs within graphs

class ModelReader {
 public:
  explicit ModelReader(const ByteSource& source) : in_(source), size_(source.size()) {}

  Result<Model> read() {
    Model model;
    std::string version;
    bool has_graph = false;
    Range rest{0, size_};
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(2)) model.producer = in_.text(f.range);
      if (f.is_bytes(3)) version = in_.text(f.range);
      if (f.is_bytes(7)) {
        has_graph = true;
        read_graph(f.range, model.graph, 0);  // a second one adds to the first, as protocol buffers have it
      }
      if (f.is_bytes(8)) read_opset(f.range, model.opsets);
      if (f.is_bytes(25)) model.functions.push_back(read_function(f.range));
    }
    if (in_.failed()) return Unexpected(in_.error());
    if (!has_graph) return roofline::fail("a protocol buffer without a graph: the file is cut off, damaged or not an ONNX model");
    if (!version.empty()) model.producer += (model.producer.empty() ? "" : " ") + version;
    return model;
  }

 private:
  void read_opset(Range rest, std::map<std::string, double>& opsets) {
    std::string domain;
    double version = unknown;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) domain = in_.text(f.range);
      if (f.is_integer(2)) version = static_cast<double>(f.field.integer());
    }
    opsets[plain_domain(domain)] = version;
  }

  void read_graph(Range rest, Graph& graph, int depth) {
    if (depth > deepest) return in_.fail("graphs nested more than 100 deep", rest.begin);
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) graph.nodes.push_back(read_node(f.range, depth));
      if (f.is_bytes(5)) graph.constants.push_back(read_tensor(f.range));
      if (f.is_bytes(11)) graph.inputs.push_back(read_value_info(f.range));
      if (f.is_bytes(12)) graph.outputs.push_back(read_value_info(f.range));
      if (f.is_bytes(13)) graph.inner.push_back(read_value_info(f.range));
      if (f.is_bytes(15)) graph.constants.push_back(read_sparse(f.range));
    }
  }

  Function read_function(Range rest) {
    Function out;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) out.name = in_.text(f.range);
      if (f.is_bytes(4)) out.inputs.push_back(in_.text(f.range));
      if (f.is_bytes(5)) out.outputs.push_back(in_.text(f.range));
      if (f.is_bytes(7)) out.nodes.push_back(read_node(f.range, 0));
      if (f.is_bytes(10)) out.domain = plain_domain(in_.text(f.range));
      if (f.is_bytes(11)) out.defaults.push_back(read_attribute(f.range, 0));
      if (f.is_bytes(13)) out.overload = in_.text(f.range);
    }
    return out;
  }

  Node read_node(Range rest, int depth) {
    Node node;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) node.inputs.push_back(in_.text(f.range));
      if (f.is_bytes(2)) node.outputs.push_back(in_.text(f.range));
      if (f.is_bytes(3)) node.name = in_.text(f.range);
      if (f.is_bytes(4)) node.type = in_.text(f.range);
      if (f.is_bytes(5)) node.attributes.push_back(read_attribute(f.range, depth));
      if (f.is_bytes(7)) node.domain = plain_domain(in_.text(f.range));
      if (f.is_bytes(8)) node.overload = in_.text(f.range);
      if (f.is_bytes(9)) read_module(f.range, node.module);
    }
    return node;
  }

  /// Of a node's metadata, the module that PyTorch's exporter says it belongs to.
  void read_module(Range rest, std::string& module) {
    std::string key, value;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) key = in_.text(f.range);
      if (f.is_bytes(2)) value = in_.text(f.range);
    }
    if (key == "namespace") {  // "/layers.0/linear1: torch.nn.Linear"
      module = value.substr(0, value.find(':'));
      std::replace(module.begin(), module.end(), '/', '.');
    } else if (key == "pkg.torch.onnx.name_scopes") {  // "['', 'layers.0', 'layers.0.linear1', 'linear']": the last but one is the module
      std::vector<std::string> scopes;
      for (std::size_t at = value.find('\''); at != std::string::npos; at = value.find('\'', at)) {
        const std::size_t end = value.find('\'', at + 1);
        if (end == std::string::npos) break;
        scopes.push_back(value.substr(at + 1, end - at - 1));
        at = end + 1;
      }
      if (scopes.size() > 1) module = scopes[scopes.size() - 2];
    }
    module.erase(0, module.find_first_not_of('.'));
  }

  Attribute read_attribute(Range rest, int depth) {
    Attribute out;
    std::vector<std::int64_t> integers;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) out.name = in_.text(f.range);
      if (f.field.is(2, Wire::fixed32)) out.number = f.field.real();
      if (f.is_integer(3)) out.number = static_cast<double>(f.field.integer());
      if (f.is_bytes(4)) out.text = f.range.size() <= RangeReader::longest_text ? in_.text(f.range) : std::string();
      if (f.is_bytes(5)) out.tensor = read_tensor(f.range);
      if (f.is_bytes(22)) out.tensor = read_sparse(f.range);
      if (f.field.number == 7) in_.reals(f, Wire::fixed32, out.numbers);
      if (f.field.number == 8) in_.integers(f, integers);
      if (f.is_bytes(21)) out.refers_to = in_.text(f.range);
      if (f.is_bytes(6) || f.is_bytes(11)) {
        const auto graph = std::make_shared<Graph>();
        read_graph(f.range, *graph, depth + 1);
        out.graphs.push_back(graph);
      }
      // 20 is the attribute's type: an attribute that has no value left, such as the number 0, is still there.
      if (f.is_integer(20) && (f.field.value == 1 || f.field.value == 2) && !out.number) out.number = 0;
      if (f.is_integer(20) && f.field.value == 3 && !out.text) out.text = "";
    }
    for (const std::int64_t i : integers) out.numbers.push_back(static_cast<double>(i));
    return out;
  }

  /// A tensor. Of its data only how much there is, and the values of a small one.
  Constant read_tensor(Range rest) {
    Constant out;
    std::vector<std::int64_t> dims, integers;
    std::vector<double> reals;
    Range raw, packed;
    double texts = 0;
    std::uint64_t type = 0;
    for (RangeField f; in_.next(rest, f);) {
      if (f.field.number == 1) in_.integers(f, dims);
      if (f.is_integer(2)) out.type = type_by_number(type = f.field.value);
      if (f.is_bytes(8)) out.name = in_.text(f.range);
      if (f.is_bytes(9)) raw = f.range;
      if (f.is_bytes(6)) texts += static_cast<double>(f.range.size());
      if (f.is_integer(14)) out.external = f.field.value == 1;
      const auto field = f.field.number;  // of data: floats, int32, texts, int64, bytes, doubles, uint64
      out.has_data = out.has_data || (field >= 4 && field <= 7) || field == 9 || field == 10 || field == 11;
      const bool small = f.range.size() <= 8 * followed_values;
      if ((f.field.number == 5 || f.field.number == 7 || f.field.number == 11) && small) in_.integers(f, integers);
      if (f.is_bytes(4)) packed = f.range;
      if (f.field.number == 4 && small) in_.reals(f, Wire::fixed32, reals);
      if (f.field.number == 10 && small) in_.reals(f, Wire::fixed64, reals);
    }
    out.bytes = out.type.bits / 8;
    for (const std::int64_t d : dims) {
      if (d < 0) in_.fail("a tensor with a length of " + std::to_string(d) + ": expected 0 or more", rest.begin);
      out.shape.push_back(static_cast<double>(d));
      out.bytes *= static_cast<double>(d);
    }
    out.bytes = std::ceil(out.bytes);
    if (texts > 0) out.bytes = texts;
    if (raw.size() > 0 && !out.external && static_cast<double>(raw.size()) < out.bytes)
      in_.fail("the tensor \"" + printable(out.name) + "\" has " + with_commas(raw.size()) + " bytes: expected " + plain(out.bytes) +
                   " by its shape and type",
               raw.begin);
    for (const Range& data : {raw, packed})
      if (data.size() > 0 && static_cast<double>(data.size()) == out.bytes && !out.external) out.data = data.begin;
    if (raw.size() > 0 && raw.size() <= 8 * followed_values)
      read_raw(out, raw, type);
    else
      put_values(out, integers, reals, type);
    return out;
  }

  static void put_values(Constant& out, const std::vector<std::int64_t>& integers, const std::vector<double>& reals, std::uint64_t type) {
    double elements = 1;
    for (const double d : out.shape) elements *= d;
    const std::size_t found = std::max(integers.size(), reals.size());
    if (elements > followed_values || static_cast<double>(found) != elements) return;
    const bool bits = !integers.empty() && !out.type.integer;  // as FP16 and BF16 are written
    if (out.type.format == no_format || (bits && !known(element(type, 0)))) return;
    for (const std::int64_t i : integers)
      out.values.push_back(bits ? element(type, static_cast<std::uint64_t>(i)) : static_cast<double>(i));
    if (integers.empty()) out.values = reals;
  }

  /// An element of TensorProto.DataType `type` by its bits; NaN: of a type that shapes are not made of.
  static double element(std::uint64_t type, std::uint64_t bits) {
    switch (type) {
      case 1:
        return static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(bits)));
      case 2:  // unsigned, or a truth value
      case 4:
      case 9:
      case 12:
        return static_cast<double>(bits);
      case 3:
        return static_cast<double>(static_cast<std::int8_t>(bits));
      case 5:
        return static_cast<double>(static_cast<std::int16_t>(bits));
      case 6:
        return static_cast<double>(static_cast<std::int32_t>(bits));
      case 7:
      case 13:
        return static_cast<double>(static_cast<std::int64_t>(bits));
      case 10:
        return half(bits);
      case 11:
        return bit_cast<double>(bits);
      case 16:
        return static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
      default:
        return unknown;
    }
  }
  /// IEEE 754 binary16.
  static double half(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : unknown)
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }

  void read_raw(Constant& out, Range raw, std::uint64_t type) {
    const auto width = static_cast<std::size_t>(known_or(out.type.bits, 0) / 8);
    double elements = 1;
    for (const double d : out.shape) elements *= d;
    if (width == 0 || !known(element(type, 0)) || elements > followed_values ||
        elements * static_cast<double>(width) != static_cast<double>(raw.size()))
      return;
    const std::string_view bytes = in_.bytes(raw, RangeReader::longest_text);
    for (std::size_t at = 0; at + width <= bytes.size(); at += width) out.values.push_back(element(type, little_endian(bytes, at, width)));
  }

  /// A sparse tensor is as large as its values and their places.
  Constant read_sparse(Range rest) {
    Constant out, places;
    std::vector<std::int64_t> dims;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) out = read_tensor(f.range);
      if (f.is_bytes(2)) places = read_tensor(f.range);
      if (f.field.number == 3) in_.integers(f, dims);
    }
    out.sparse = true;
    out.bytes += known_or(places.bytes, 0);
    out.values.clear();
    out.shape.clear();
    for (const std::int64_t d : dims) {
      if (d < 0) in_.fail("a sparse tensor with a length of " + std::to_string(d) + ": expected 0 or more", rest.begin);
      out.shape.push_back(static_cast<double>(d));
    }
    return out;
  }

  ValueInfo read_value_info(Range rest) {
    ValueInfo out;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1)) out.name = in_.text(f.range);
      if (f.is_bytes(2)) read_type(f.range, out, 0);
    }
    return out;
  }

  void read_type(Range rest, ValueInfo& out, int depth) {
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_bytes(1) || f.is_bytes(8)) read_tensor_type(f.range, out);
      if (f.is_bytes(9) && depth < deepest)  // optional: what it may hold
        for (Range inner = f.range; in_.next(inner, f);)
          if (f.is_bytes(1)) read_type(f.range, out, depth + 1);
    }
  }

  void read_tensor_type(Range rest, ValueInfo& out) {
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_integer(1)) out.type = type_by_number(f.field.value);
      if (!f.is_bytes(2)) continue;
      out.shape.emplace();
      for (Range dims = f.range; in_.next(dims, f);)
        if (f.is_bytes(1)) out.shape->push_back(read_length(f.range));
    }
  }

  DeclaredLength read_length(Range rest) {
    DeclaredLength out;
    for (RangeField f; in_.next(rest, f);) {
      if (f.is_integer(1) && f.field.integer() < -1)  // -1: some exporters' open length
        in_.fail("a length of " + std::to_string(f.field.integer()) + ": expected 0 or more, or -1", rest.begin);
      if (f.is_integer(1) && f.field.integer() >= 0) out.value = static_cast<double>(f.field.integer());
      if (f.is_bytes(2)) out.name = in_.text(f.range);
    }
    // PaddlePaddle names an open length "-1"; other numbers are lengths.
    if (const double number = parse_number(out.name); known(number)) {
      if (number >= 1 && number == std::floor(number)) out.value = number;
      out.name.clear();
    }
    return out;
  }

  RangeReader in_;
  std::uint64_t size_;
};

}  // namespace

TensorType type_by_number(std::uint64_t number) {
  constexpr const char* names[] = {"",         "fp32",     "int8",     "int8",  "int16", "int16", "int32", "int64", "",
                                   "int8",     "fp16",     "fp64",     "int32", "int64", "",      "",      "bf16",  "fp8_e4m3",
                                   "fp8_e4m3", "fp8_e5m2", "fp8_e5m2", "int4",  "int4",  "fp4",   "",      "int2",  "int2"};
  if (number == 14) return {64, no_format, false};   // complex, of two FP32
  if (number == 15) return {128, no_format, false};  // complex, of two FP64
  if (number == 24) return {8, no_format, false};    // E8M0
  return number < std::size(names) ? element_type(names[number]) : TensorType();
}

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

double Model::opset() const {
  const auto own = opsets.find("");
  constexpr double newest = 25;
  return own == opsets.end() || !known(own->second) ? newest : own->second;
}

std::string plain_domain(std::string_view domain) { return domain == "ai.onnx" ? std::string() : std::string(domain); }

Result<Model> read_model(const ByteSource& source) { return ModelReader(source).read(); }

}  // namespace roofline::onnx
