#include "llm/gguf/header.hpp"

#include <algorithm>
#include <bit>
#include <roofline/base/text.hpp>
#include <set>
#include <string_view>

#include "base/bit_cast.hpp"
#include "base/little_endian.hpp"
#include "tensor/formats.hpp"

namespace roofline {
namespace {

// Source: github.com/ggml-org/llama.cpp, gguf-py/gguf/constants.py, as of 2026-08.
constexpr GgmlType types[] = {{0, "F32", "fp32", 1, 4},
                              {1, "F16", "fp16", 1, 2},
                              {2, "Q4_0", "q4_0", 32, 18},
                              {3, "Q4_1", "q4_1", 32, 20},
                              {6, "Q5_0", "q5_0", 32, 22},
                              {7, "Q5_1", "q5_1", 32, 24},
                              {8, "Q8_0", "q8_0", 32, 34},
                              {9, "Q8_1", "q8_0", 32, 36},
                              {10, "Q2_K", "q2_k", 256, 84},
                              {11, "Q3_K", "q3_k", 256, 110},
                              {12, "Q4_K", "q4_k", 256, 144},
                              {13, "Q5_K", "q5_k", 256, 176},
                              {14, "Q6_K", "q6_k", 256, 210},
                              {15, "Q8_K", "q8_0", 256, 292},
                              {16, "IQ2_XXS", "iq2_xxs", 256, 66},
                              {17, "IQ2_XS", "iq2_xs", 256, 74},
                              {18, "IQ3_XXS", "iq3_xxs", 256, 98},
                              {19, "IQ1_S", "iq1_s", 256, 50},
                              {20, "IQ4_NL", "iq4_nl", 32, 18},
                              {21, "IQ3_S", "iq3_s", 256, 110},
                              {22, "IQ2_S", "iq2_s", 256, 82},
                              {23, "IQ4_XS", "iq4_xs", 256, 136},
                              {24, "I8", "int8", 1, 1},
                              {25, "I16", "int16", 1, 2},
                              {26, "I32", "int32", 1, 4},
                              {27, "I64", "int64", 1, 8},
                              {28, "F64", "fp64", 1, 8},
                              {29, "IQ1_M", "iq1_m", 256, 56},
                              {30, "BF16", "bf16", 1, 2},
                              {34, "TQ1_0", "tq1_0", 256, 54},
                              {35, "TQ2_0", "tq2_0", 256, 66},
                              {39, "MXFP4", "mxfp4", 32, 17},
                              {40, "NVFP4", "nvfp4", 64, 36},
                              {41, "Q1_0", "iq1_s", 128, 18},
                              {42, "Q2_0", "iq2_xs", 64, 18}};

// Types of metadata values, as GGUF numbers them.
enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64, value_types };
constexpr std::uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};         // bytes of a value; 0: not fixed
constexpr std::uint64_t least_sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};  // fewest bytes of a value
constexpr std::size_t longest_name = 64;                                           // of a tensor, in llama.cpp, with its final NUL
constexpr int deepest = 4;                                                         // arrays within arrays

/// Reads values in the order of the file. After the first fault, or past the bytes at hand, every value is 0.
class Cursor {
 public:
  explicit Cursor(const GgufStart& file) : file_(file) {}

  std::uint64_t number(std::size_t bytes) {
    if (!has(bytes)) return 0;
    at_ += bytes;
    return little_endian(file_.bytes, at_ - bytes, bytes);
  }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number(4)); }

  std::string_view string() {
    const std::uint64_t length = count(1);
    if (!has(length)) return {};
    at_ += length;
    return file_.bytes.substr(at_ - length, length);
  }

  /// A number of things that take at least `least` bytes each: no more than the rest of the file can hold.
  std::uint64_t count(std::uint64_t least) {
    const std::uint64_t at = at_, n = number(8);
    if (good() && n > (file_.size - at_) / least) wrong("a count of " + std::to_string(n) + " is more than the file can hold", at);
    return good() ? n : 0;
  }

  void skip(std::uint64_t bytes) {
    if (has(bytes)) at_ += bytes;
  }

  void wrong(std::string what, std::uint64_t at) {
    if (good()) error_ = Error{std::move(what), 0, 0, "byte " + std::to_string(at)};
  }

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] bool good() const { return !error_ && !needs_more_; }
  [[nodiscard]] bool needs_more() const { return needs_more_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool has(std::uint64_t bytes) {
    if (!good()) return false;
    if (bytes <= file_.bytes.size() - at_) return true;
    if (file_.size > file_.bytes.size() && bytes <= file_.size - at_)
      needs_more_ = true;
    else
      wrong("the file ends within its header: expected a whole file", at_);
    return false;
  }

  const GgufStart& file_;
  std::uint64_t at_ = 0;
  bool needs_more_ = false;
  std::optional<Error> error_;
};

template <class To, class From>
Json reinterpreted(std::uint64_t bits) {
  return Json(bit_cast<To>(static_cast<From>(bits)));
}

Json read_value(Cursor& in, std::uint32_t type, int depth);

Json read_array(Cursor& in, int depth) {
  const std::uint64_t at = in.at();
  const std::uint32_t type = in.number32();
  if (type >= value_types || depth == deepest)
    return in.wrong("an array of an unknown type, or nested too deeply: expected types 0 to 12, at most 4 deep", at), Json();
  const std::uint64_t n = in.count(least_sizes[type]);
  const bool keep = n <= GgufHeader::longest_array;
  if (!keep && sizes[type] > 0) return in.skip(n * sizes[type]), Json(n);
  Json out = Json::array();
  for (std::uint64_t i = 0; i < n && in.good(); ++i) {
    if (!keep && type == text)
      (void)in.string();
    else if (Json value = read_value(in, type, depth + 1); keep)
      out.push_back(std::move(value));
  }
  return keep ? out : Json(n);
}

Json read_value(Cursor& in, std::uint32_t type, int depth) {
  switch (type) {
    case i8:
      return reinterpreted<std::int8_t, std::uint8_t>(in.number(1));
    case i16:
      return reinterpreted<std::int16_t, std::uint16_t>(in.number(2));
    case i32:
      return reinterpreted<std::int32_t, std::uint32_t>(in.number(4));
    case i64:
      return reinterpreted<std::int64_t, std::uint64_t>(in.number(8));
    case f32:
      return reinterpreted<float, std::uint32_t>(in.number(4));
    case f64:
      return reinterpreted<double, std::uint64_t>(in.number(8));
    case boolean:
      return Json(in.number(1) != 0);
    case text:
      return Json(std::string(in.string()));
    case array:
      return read_array(in, depth);
    default:
      return Json(in.number(sizes[type]));
  }
}

void read_metadata(Cursor& in, std::uint64_t keys, Json& out) {
  out = Json::object();
  std::set<std::string_view> seen;  // an ordered object is searched key by key
  for (std::uint64_t i = 0; i < keys && in.good(); ++i) {
    const std::uint64_t at = in.at();
    const std::string_view key = in.string();
    const std::uint32_t type = in.number32();
    if (!in.good()) return;
    if (key.empty() || !seen.insert(key).second)
      return in.wrong(key.empty() ? "a key without a name: expected one" : "\"" + printable(key) + "\" comes twice", at);
    if (type >= value_types)
      return in.wrong("\"" + printable(key) + "\" has an unknown type, " + std::to_string(type) + ": expected 0 to 12", at);
    out.get_ref<Json::object_t&>().emplace_back(std::string(key), read_value(in, type, 0));
  }
}

GgufTensorInfo read_tensor(Cursor& in) {
  GgufTensorInfo t;
  const std::uint64_t at = in.at();
  t.name = in.string();
  const std::uint32_t dimensions = in.number32();
  const std::string name = "the tensor \"" + printable(t.name) + '"';
  if (dimensions > 4) in.wrong(name + " has " + std::to_string(dimensions) + " dimensions: expected at most 4", at);
  std::vector<std::uint64_t> shape;
  for (std::uint32_t i = 0; i < dimensions && in.good(); ++i) shape.push_back(in.number(8));
  t.type = in.number32();
  t.offset = in.number(8);
  if (!in.good()) return t;
  const auto elements = size_of(shape, 1);
  if (!elements || *elements == 0) return in.wrong(name + " has no elements, or too many", at), t;
  t.elements = *elements;
  t.row = shape.empty() ? 1 : shape[0];
  const auto* known = std::find_if(std::begin(types), std::end(types), [&](const GgmlType& type) { return type.id == t.type; });
  if (known == std::end(types)) return t;
  t.known = known;
  if (t.row % known->block != 0)
    return in.wrong(name + " has rows of " + std::to_string(t.row) + ", which are no multiple of the " + std::to_string(known->block) +
                        " elements in a block of " + known->name,
                    at),
           t;
  t.bytes = t.elements / known->block * known->block_bytes;
  return t;
}

/// Sets the bytes of tensors of unknown types, and where the data ends.
Result<void> place(GgufHeader& header, std::uint64_t file_size) {
  std::vector<std::uint64_t> offsets;
  for (const GgufTensorInfo& t : header.tensors) offsets.push_back(t.offset);
  std::sort(offsets.begin(), offsets.end());
  for (GgufTensorInfo& t : header.tensors) {
    const auto next = std::upper_bound(offsets.begin(), offsets.end(), t.offset);
    if (!t.known && (next != offsets.end() || file_size > header.data + t.offset))
      t.bytes = (next != offsets.end() ? *next : file_size - header.data) - t.offset;
    if (t.bytes > 8 * t.elements)  // at most 2^53 elements (size_of())
      return fail("the tensor \"" + printable(t.name) + "\" of the unknown type " + std::to_string(t.type) +
                  " takes more than 64 bits per element: expected at most as many");
    header.file_size = std::max(header.file_size, header.data + t.offset + t.bytes);
  }
  return {};
}

/// Fails if two tensors have bytes in common. Adds what llama.cpp refuses: it expects each tensor at the next aligned byte.
Result<void> check_places(GgufHeader& header, std::uint64_t alignment) {
  std::vector<const GgufTensorInfo*> in_order;
  for (const GgufTensorInfo& t : header.tensors) in_order.push_back(&t);
  std::sort(in_order.begin(), in_order.end(),
            [](const auto* a, const auto* b) { return std::pair(a->offset, a->bytes) < std::pair(b->offset, b->bytes); });
  std::uint64_t end = 0, gaps = 0;
  const GgufTensorInfo *unaligned = nullptr, *long_name = nullptr, *before = nullptr;
  for (const GgufTensorInfo* t : in_order) {
    if (t->offset < end)
      return fail("the tensors \"" + printable(before->name) + "\" and \"" + printable(t->name) +
                      "\" overlap: expected each at an offset of its own",
                  "offset");
    if (t->offset % alignment != 0) unaligned = t;
    if (t->name.size() >= longest_name) long_name = t;
    const std::uint64_t expected = (end + alignment - 1) / alignment * alignment;
    if (t->offset > expected) gaps += t->offset - expected;
    end = t->offset + t->bytes;
    before = t;
  }
  if (gaps > 0) header.oddities.push_back(with_unit(static_cast<double>(gaps), "B") + " between tensors belong to none");
  if (unaligned != nullptr)
    header.oddities.push_back("\"" + printable(unaligned->name) + "\" is not at a multiple of " + std::to_string(alignment) + " bytes");
  if (long_name != nullptr) header.oddities.push_back("the name \"" + printable(long_name->name) + "\" has 64 bytes or more");
  return {};
}

/// The name of a tensor that comes twice; empty: none does.
std::string_view repeated(const std::vector<GgufTensorInfo>& tensors) {
  std::vector<std::string_view> names;
  for (const GgufTensorInfo& t : tensors) names.push_back(t.name);
  std::sort(names.begin(), names.end());
  const auto found = std::adjacent_find(names.begin(), names.end());
  return found == names.end() ? std::string_view() : *found;
}

}  // namespace

bool is_gguf(std::string_view start) { return start.starts_with("GGUF"); }

Result<std::optional<GgufHeader>> read_gguf_header(const GgufStart& file) {
  Cursor in(file);
  GgufHeader header;
  in.skip(4);
  const std::uint32_t version = in.number32();
  if (in.good() && (version < 2 || version > 3))
    in.wrong(version == 1                               ? "GGUF version 1: convert the model again with today's llama.cpp"
             : version != 0 && (version & 0xFFFFU) == 0 ? "a big-endian GGUF file: expected a little-endian one"
                                                        : "GGUF version " + std::to_string(version) + ": expected 2 or 3",
             4);
  const std::uint64_t tensors = in.count(24), keys = in.count(12);
  read_metadata(in, keys, header.metadata);
  for (std::uint64_t i = 0; i < tensors && in.good(); ++i) header.tensors.push_back(read_tensor(in));
  if (in.needs_more()) return std::nullopt;
  if (in.error()) return Unexpected(*in.error());
  const Json& stated = member(header.metadata, "general.alignment");
  const double alignment = stated.is_null() ? 32 : number_of(stated);
  if (!(alignment >= 1 && alignment <= 0x1p30) || !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
    return fail("expected a power of two up to 2^30, found " + dump(stated), "general.alignment");
  const auto a = static_cast<std::uint64_t>(alignment);
  header.data = (in.at() + a - 1) / a * a;
  for (const GgufTensorInfo& t : header.tensors)
    if (constexpr std::uint64_t most = std::uint64_t{1} << 53; t.bytes > most || t.offset > most || header.data > most)
      return fail("the tensor \"" + printable(t.name) + "\" has an offset or a size of more than 2^53 bytes: expected one within the file",
                  "offset");
  if (const std::string_view name = repeated(header.tensors); !name.empty())
    return fail("the tensor \"" + printable(name) + "\" comes twice: expected each once");
  if (auto ok = place(header, file.size); !ok) return Unexpected(ok.error());
  if (auto ok = check_places(header, a); !ok) return Unexpected(ok.error());
  return header;
}

}  // namespace roofline
