#include "network/tflite/model.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

namespace roofline::tflite {
namespace {

/// TensorType of the schema: formats of one element. "": of no arithmetic.
constexpr const char* type_names[] = {"fp32",  "fp16", "int32", "int8", "int64", "",         "int8",    "int16",
                                      "",      "int8", "fp64",  "",     "int64", "",         "",        "int32",
                                      "int16", "int4", "bf16",  "int2", "int4",  "fp8_e4m3", "fp8_e5m2"};
constexpr std::int8_t text_type = 5, complex64 = 8, complex128 = 11, resource_type = 13, variant_type = 14;

bool holds_no_numbers(std::int8_t type) { return type == text_type || type == resource_type || type == variant_type; }

class ModelReader {
 public:
  explicit ModelReader(FlatBuffer& file) : file_(file) {}

  Result<Model> read() {
    const Table root = file_.root();
    const auto version = root.number<std::uint32_t>(0);
    if (!file_.failed() && version != 3)
      return roofline::fail("version " + std::to_string(version) + " of the TFLite schema: expected 3, as converters write it since 2017");
    out_.description = root.text(3, "the description");
    codes_ = root.tables(1, "an operator's code");
    read_buffers(root);
    for (const Table& table : root.tables(2, "a subgraph")) read_subgraph(table);
    for (const Table& table : root.tables(7, "a signature")) read_signature(table);
    if (file_.failed()) return Unexpected(file_.error());
    if (out_.subgraphs.empty()) return roofline::fail("a TFLite model without subgraphs: expected at least one");
    return std::move(out_);
  }

 private:
  void read_buffers(const Table& root) {
    for (const Table& buffer : root.tables(4, "a buffer")) {
      Range data = buffer.bytes(0, "a buffer's data");
      // Of files larger than a FlatBuffer can be, the data are behind it.
      if (const auto at = buffer.number<std::uint64_t>(1); at > 1 && data.size == 0) {
        data = {at, buffer.number<std::uint64_t>(2)};
        if (!file_.failed() && (at > file_.size() || data.size > file_.size() - at))
          file_.fail("a buffer's " + with_commas(data.size) + " bytes are at byte " + with_commas(at) + ": expected them within the file",
                     buffer.at());
      }
      data_.push_back(data);
      out_.buffer_begin.push_back(data.begin);
      out_.buffer_bytes.push_back(data.size);
    }
    for (const Table& buffer : root.tables(9, "an external buffer"))
      out_.external_buffers.emplace_back(buffer.number<std::uint32_t>(0), buffer.number<std::uint64_t>(3));
  }

  void read_subgraph(const Table& table) {
    if (file_.failed()) return;
    Subgraph& graph = out_.subgraphs.emplace_back();
    graph.name = table.text(4, "a subgraph's name");
    for (const Table& tensor : table.tables(0, "a tensor")) graph.tensors.push_back(read_tensor(tensor));
    // Blocks of weights have their scales in another tensor, so that all are there first.
    for (const Table& op : table.tables(3, "an operator")) read_operator(op, graph);
    graph.inputs = indices(table, 1, graph, "a subgraph's inputs", false);
    graph.outputs = indices(table, 2, graph, "a subgraph's outputs", false);
  }

  Tensor read_tensor(const Table& table) {
    Tensor out;
    out.name = table.text(3, "a tensor's name");
    const std::vector<std::int32_t> shape = table.numbers<std::int32_t>(0, "a tensor's shape"),
                                    signature = table.numbers<std::int32_t>(7, "a tensor's shape signature");
    for (const std::int32_t length : shape) {
      if (length < 0) file_.fail("a tensor with a length of " + std::to_string(length) + ": expected 0 or more", table.at());
      out.shape.push_back(static_cast<double>(length));
    }
    for (std::size_t i = 1; i < signature.size(); ++i) out.open = out.open || signature[i] < 0;
    const auto type = table.number<std::int8_t>(1);
    if (type < 0 || type >= static_cast<std::int8_t>(std::size(type_names)))
      file_.fail("a tensor of type " + std::to_string(type) + ": expected 0 to " + std::to_string(std::size(type_names) - 1), table.at());
    else
      out.type = element_type(type_names[type]);
    if (type == complex64) out.type.bits = 64;
    if (type == complex128) out.type.bits = 128;
    out.text = holds_no_numbers(type);
    if (out.text) out.type.bits = 0;
    out.variable = table.flag(5);
    out.buffer = table.number<std::uint32_t>(2);
    out.external = table.number<std::uint32_t>(10);
    if (!file_.failed() && out.buffer >= out_.buffer_bytes.size() && out.buffer > 0)
      file_.fail(
          "a tensor's buffer is number " + with_commas(out.buffer) + ": expected fewer than " + with_commas(out_.buffer_bytes.size()),
          table.at());
    put_block(table, out);
    put_values(out, type);
    return out;
  }

  /// Weights of 4 bits with a scale for each block of them have a format of their own.
  static void put_block(const Table& table, Tensor& out) {
    constexpr std::uint8_t blockwise = 2;
    const Table quantisation = table.table(4, "a tensor's quantisation");
    if (quantisation.number<std::uint8_t>(4) != blockwise || out.type.bits != 4) return;
    const auto block = quantisation.table(5, "a tensor's blocks").number<std::int32_t>(2);
    if (block > 0) out.type.format = element_type(block <= 32 ? "int4_g32" : block <= 64 ? "int4_g64" : "int4_g128").format;
  }

  void put_values(Tensor& out, std::int8_t type) {
    constexpr std::int8_t int32 = 2, int64 = 4;
    if (out.buffer >= data_.size() || (type != int32 && type != int64)) return;
    const std::uint64_t width = type == int32 ? 4 : 8;
    const Range data = data_[static_cast<std::size_t>(out.buffer)];
    if (data.size > followed_values * width) return;
    for (std::uint64_t i = 0; i + width <= data.size; i += width)
      out.values.push_back(type == int32 ? file_.value<std::int32_t>(data.begin + i) : file_.value<std::int64_t>(data.begin + i));
  }

  std::vector<std::int32_t> indices(const Table& table, std::uint64_t slot, const Subgraph& graph, const char* what, bool optional) {
    std::vector<std::int32_t> out = table.numbers<std::int32_t>(slot, what);
    const auto count = static_cast<std::int64_t>(graph.tensors.size());
    for (const std::int32_t i : out)
      if ((i < 0 && !(optional && i == -1)) || i >= count)
        file_.fail(std::string(what) + " name tensor " + std::to_string(i) + ": expected " +
                       (optional ? "-1, for one that is left out, or " : "") + "0 to " + std::to_string(count - 1),
                   table.at());
    return out;
  }

  void read_operator(const Table& table, Subgraph& graph) {
    const auto index = table.number<std::uint32_t>(0);
    if (file_.failed()) return;
    if (index >= codes_.size())
      return file_.fail("an operator's code is number " + with_commas(index) + ": expected fewer than " + with_commas(codes_.size()),
                        table.at());
    Operator& out = graph.operators.emplace_back();
    const Table& code = codes_[index];
    // Codes above 127 are in the newer field alone, older files lack it.
    out.code = std::max<std::int32_t>(code.number<std::int8_t>(0), code.number<std::int32_t>(3));
    if (out.code == custom_code) out.custom = code.text(1, "a custom operator's name");
    out.inputs = indices(table, 1, graph, "an operator's inputs", true);
    out.outputs = indices(table, 2, graph, "an operator's outputs", false);
    out.options = table.table(4, "an operator's options");
    if (table.number<std::uint8_t>(11) != 0) out.options = table.table(12, "an operator's options");
  }

  void read_signature(const Table& table) {
    const Signature signature{table.text(2, "a signature's name"), table.number<std::uint32_t>(4)};
    if (file_.failed()) return;
    if (signature.subgraph >= out_.subgraphs.size())
      return file_.fail("a signature's subgraph is number " + with_commas(signature.subgraph) + ": expected fewer than " +
                            with_commas(out_.subgraphs.size()),
                        table.at());
    out_.signatures.push_back(signature);
  }

  FlatBuffer& file_;
  Model out_;
  std::vector<Table> codes_;
  std::vector<Range> data_;
};

}  // namespace

Result<Model> read_model(FlatBuffer& file) { return ModelReader(file).read(); }

}  // namespace roofline::tflite
