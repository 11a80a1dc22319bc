// One record of a source file: the fields that operators and registry expressions derive work from.
// A Record is scratch space: the reader fills the same one again for every record, without allocating.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A field's name as a small number. The names the operators know come first (see keys.cpp);
/// registry expressions may add more.
using Key = std::uint16_t;

namespace key {
enum : Key {
  // what and how long
  type,
  name,
  data_type,
  weight_type,
  output_type,
  kv_type,
  time_ns,
  predicted_ns,
  count,
  macs,
  flops,
  bytes,
  hw_bytes,
  note,
  category,
  module,
  merged,
  step,
  fused_flops,
  fused_elements,
  // convolution and pooling
  input_shape,
  output_shape,
  output_channels,
  kernel_size,
  stride,
  padding,
  dilation,
  groups,
  bias,
  transposed,
  output_padding,
  grad_input,
  grad_weight,
  data_format,
  ceil_mode,
  scale_factor,
  output_size,
  mode,
  // matrix products
  input_mat1,
  input_mat2,
  input_input,
  m,
  n,
  k,
  batch,
  transpose_a,
  transpose_b,
  equation,
  // element-wise, reductions, norms
  input_self,
  input_other,
  inputs,
  axis,
  keep_dims,
  normalized_shape,
  affine,
  training,
  // gather and embedding
  indices_shape,
  weight_shape,
  vocabulary,
  hidden,
  // attention
  query,
  key_,
  value,
  heads,
  kv_heads,
  head_dim,
  head_dim_v,
  query_length,
  context,
  causal,
  sparsity,
  // reshaping
  pad,
  repeats,
  // the time in other units
  time_us,
  time_ms,
  time_s,
  known_count
};
}  // namespace key

/// The name of a key the operators know: key_name(key::data_type) is "data_type". Messages and paths use it.
[[nodiscard]] std::string_view key_name(Key known);

/// The names of keys, exact in case. Copied into a reader when a registry adds names of its own.
class Keys {
 public:
  Keys();
  /// The key of a name, aliases included ("dtype" is data_type); npos where nobody asked for that name.
  [[nodiscard]] Key find(std::string_view name) const;
  /// As find, and adds the name where it is new.
  Key add(std::string_view name);
  [[nodiscard]] std::string_view name(Key key) const { return names_[key]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  static constexpr Key npos = 0xffff;

 private:
  /// A name's length and its first and last eight bytes, which is all of it up to sixteen.
  struct Ends {
    std::uint64_t head = 0, tail = 0;
    std::uint32_t length = 0;
    bool operator==(const Ends&) const = default;
  };
  struct Slot {
    Ends ends;
    std::uint32_t offset = 0;  // of the whole name in text_
    Key key = npos;
  };
  [[nodiscard]] static Ends ends_of(std::string_view name);
  [[nodiscard]] std::size_t probe(const Ends& ends, const char* name) const;
  void insert(std::string_view name, Key key);
  std::vector<std::string> names_;
  std::string text_;         // all names and aliases, back to back
  std::vector<Slot> slots_;  // open addressing, a power of two
  std::size_t used_ = 0;
};

/// One field's value. Lists are flat numbers; `shapes` is a list of lists (concat's inputs, padding pairs).
struct Value {
  enum class Kind : std::uint8_t { absent, null, boolean, number, string, list, shapes, other };
  Kind kind = Kind::absent;
  bool all_numbers = true;  ///< list, shapes: false where an element is not a number
  double number = 0;        ///< number; boolean as 0 or 1
  std::string_view string;  ///< string
  std::uint32_t first = 0;  ///< list: range in Record::numbers; shapes: range in Record::lists
  std::uint32_t size = 0;
  std::uint32_t offset = 0;  ///< where the value starts, in bytes from the start of its record's text

  [[nodiscard]] bool present() const { return kind != Kind::absent && kind != Kind::null; }
};

/// The fields of one record, by key.
class Record {
 public:
  explicit Record(std::size_t key_count = key::known_count) : values_(key_count) {}

  [[nodiscard]] const Value& operator[](Key key) const { return values_[key]; }
  [[nodiscard]] bool has(Key key) const { return values_[key].present(); }
  /// The numbers of a list field; empty where the field is absent or not a list.
  [[nodiscard]] std::span<const double> list(Key key) const {
    const Value& v = values_[key];
    return v.kind == Value::Kind::list ? std::span(numbers_).subspan(v.first, v.size) : std::span<const double>();
  }
  [[nodiscard]] std::size_t shape_count(Key key) const { return values_[key].kind == Value::Kind::shapes ? values_[key].size : 0; }
  [[nodiscard]] std::span<const double> shape(Key key, std::size_t i) const {
    const auto [first, size] = lists_[values_[key].first + i];
    return std::span(numbers_).subspan(first, size);
  }
  [[nodiscard]] std::size_t key_count() const { return values_.size(); }
  /// Equal for records whose shapes and other parameters are equal, whatever the order of their fields; names, times and counts do not
  /// count.
  [[nodiscard]] std::uint64_t shape_hash() const;

  // Filling, for readers and tests.
  void clear();
  void grow(std::size_t key_count) {
    if (key_count > values_.size()) values_.resize(key_count);
  }
  void set_number(Key key, double number, std::uint32_t offset = 0);
  void set_boolean(Key key, bool value, std::uint32_t offset = 0);
  void set_string(Key key, std::string_view text, std::uint32_t offset = 0);  ///< keeps a view: `text` must outlive the record
  void set_null(Key key, std::uint32_t offset = 0);
  void set_other(Key key, std::uint32_t offset = 0);  ///< an object, or lists nested too deep
  void set_list(Key key, std::span<const double> numbers, std::uint32_t offset = 0);
  void begin_list(Key key, std::uint32_t offset = 0);
  void add_number(double number);
  void add_not_a_number();  ///< an element that is not a number: NaN stands in its place, and all_numbers becomes false
  void begin_inner_list();  ///< turns the open list into `shapes`
  void end_inner_list();
  void end_list();

 private:
  Value& touch(Key key, Value::Kind kind, std::uint32_t offset);
  std::vector<Value> values_;
  std::vector<Key> used_;
  std::vector<double> numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lists_;
  Key open_ = Keys::npos;    // the list being filled
  bool inner_open_ = false;  // an inner list of it
};

}  // namespace roofline
