#include <cstring>
#include <iterator>
#include <roofline/workload/record.hpp>
#include <utility>

namespace roofline {
namespace {

struct Spelling {
  Key key;
  std::string_view name;
};

// In the order of the enumeration; checked below.
constexpr Spelling spellings[] = {
    {key::type, "type"},
    {key::name, "name"},
    {key::data_type, "data_type"},
    {key::weight_type, "weight_type"},
    {key::output_type, "output_type"},
    {key::kv_type, "kv_type"},
    {key::time_ns, "time_ns"},
    {key::predicted_ns, "predicted_ns"},
    {key::count, "count"},
    {key::macs, "macs"},
    {key::flops, "flops"},
    {key::bytes, "bytes"},
    {key::hw_bytes, "hw_bytes"},
    {key::note, "note"},
    {key::category, "category"},
    {key::module, "module"},
    {key::merged, "merged"},
    {key::step, "step"},
    {key::fused_flops, "fused_flops"},
    {key::fused_elements, "fused_elements"},
    {key::input_shape, "input_shape"},
    {key::output_shape, "output_shape"},
    {key::output_channels, "output_channels"},
    {key::kernel_size, "kernel_size"},
    {key::stride, "stride"},
    {key::padding, "padding"},
    {key::dilation, "dilation"},
    {key::groups, "groups"},
    {key::bias, "bias"},
    {key::transposed, "transposed"},
    {key::output_padding, "output_padding"},
    {key::grad_input, "grad_input"},
    {key::grad_weight, "grad_weight"},
    {key::data_format, "data_format"},
    {key::ceil_mode, "ceil_mode"},
    {key::scale_factor, "scale_factor"},
    {key::output_size, "output_size"},
    {key::mode, "mode"},
    {key::input_mat1, "input_mat1"},
    {key::input_mat2, "input_mat2"},
    {key::input_input, "input_input"},
    {key::m, "m"},
    {key::n, "n"},
    {key::k, "k"},
    {key::batch, "batch"},
    {key::transpose_a, "transpose_a"},
    {key::transpose_b, "transpose_b"},
    {key::equation, "equation"},
    {key::input_self, "input_self"},
    {key::input_other, "input_other"},
    {key::inputs, "inputs"},
    {key::axis, "axis"},
    {key::keep_dims, "keep_dims"},
    {key::normalized_shape, "normalized_shape"},
    {key::affine, "affine"},
    {key::training, "training"},
    {key::indices_shape, "indices_shape"},
    {key::weight_shape, "weight_shape"},
    {key::vocabulary, "vocabulary"},
    {key::hidden, "hidden"},
    {key::query, "query"},
    {key::key_, "key"},
    {key::value, "value"},
    {key::heads, "heads"},
    {key::kv_heads, "kv_heads"},
    {key::head_dim, "head_dim"},
    {key::head_dim_v, "head_dim_v"},
    {key::query_length, "query_length"},
    {key::context, "context"},
    {key::causal, "causal"},
    {key::sparsity, "sparsity"},
    {key::pad, "pad"},
    {key::repeats, "repeats"},
    {key::time_us, "time_us"},
    {key::time_ms, "time_ms"},
    {key::time_s, "time_s"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(spellings); ++i)
    if (spellings[i].key != i) return false;
  return std::size(spellings) == key::known_count;
}
static_assert(in_order(), "`spellings` must list every key once, in the order of the enumeration");

// What PyTorch, ONNX, TensorFlow and XLA call the same thing. None so general ("input", "weight", "op") that a record could hold it
// beside the key itself with another meaning.
constexpr Spelling aliases[] = {
    {key::type, "op_type"},
    {key::name, "op_name"},
    {key::data_type, "dtype"},
    {key::data_type, "datatype"},
    {key::data_type, "precision"},
    {key::weight_type, "weight_dtype"},
    {key::output_type, "output_dtype"},
    {key::output_type, "out_dtype"},
    {key::kv_type, "kv_dtype"},
    {key::time_ns, "duration_ns"},
    {key::time_us, "duration_us"},
    {key::time_ms, "duration_ms"},
    {key::time_ns, "latency_ns"},
    {key::time_us, "latency_us"},
    {key::time_ms, "latency_ms"},
    {key::count, "occurrences"},
    {key::input_shape, "input_size"},
    {key::output_channels, "out_channels"},
    {key::output_channels, "filters"},
    {key::kernel_size, "kernel_shape"},
    {key::kernel_size, "pool_size"},
    {key::kernel_size, "ksize"},
    {key::stride, "strides"},
    {key::padding, "pads"},
    {key::dilation, "dilations"},
    {key::dilation, "dilation_rate"},
    {key::groups, "group"},
    {key::groups, "feature_group_count"},
    {key::bias, "use_bias"},
    {key::bias, "has_bias"},
    {key::data_format, "layout"},
    {key::scale_factor, "scales"},
    {key::mode, "interpolation"},
    {key::input_mat1, "mat1"},
    {key::input_mat1, "lhs"},
    {key::input_mat2, "mat2"},
    {key::input_mat2, "rhs"},
    {key::m, "M"},
    {key::n, "N"},
    {key::n, "out_features"},
    {key::k, "K"},
    {key::k, "in_features"},
    {key::batch, "batch_size"},
    {key::transpose_a, "transA"},
    {key::transpose_b, "transB"},
    {key::input_self, "self"},
    {key::input_other, "other"},
    {key::inputs, "input_shapes"},
    {key::inputs, "input_tensors"},
    {key::axis, "axes"},
    {key::axis, "dim"},
    {key::keep_dims, "keepdim"},
    {key::keep_dims, "keepdims"},
    {key::affine, "elementwise_affine"},
    {key::training, "is_training"},
    {key::training, "training_mode"},
    {key::indices_shape, "input_indices"},
    {key::weight_shape, "input_weight"},
    {key::vocabulary, "vocab_size"},
    {key::vocabulary, "num_embeddings"},
    {key::hidden, "hidden_size"},
    {key::hidden, "embedding_dim"},
    {key::query, "input_query"},
    {key::key_, "input_key"},
    {key::value, "input_value"},
    {key::heads, "num_heads"},
    {key::kv_heads, "num_kv_heads"},
    {key::kv_heads, "num_key_value_heads"},
    {key::query_length, "q_len"},
    {key::query_length, "seq_len"},
    {key::context, "kv_len"},
    {key::context, "context_length"},
    {key::causal, "is_causal"},
    {key::sparsity, "sparsity_hint"},
};

}  // namespace

std::string_view key_name(Key key) { return spellings[key].name; }

Keys::Keys() {
  slots_.resize(512);
  for (const Spelling& s : spellings) {
    names_.emplace_back(s.name);
    insert(s.name, s.key);
  }
  for (const Spelling& s : aliases) insert(s.name, s.key);
}

Keys::Ends Keys::ends_of(std::string_view name) {
  const char* p = name.data();
  const std::size_t n = name.size();
  Ends ends;
  ends.length = static_cast<std::uint32_t>(n);
  if (n >= 8) {
    std::memcpy(&ends.head, p, 8);
    std::memcpy(&ends.tail, p + n - 8, 8);
  } else if (n >= 4) {
    std::memcpy(&ends.head, p, 4);
    std::memcpy(&ends.tail, p + n - 4, 4);
  } else if (n > 0) {
    std::memcpy(&ends.head, p, 1);
    std::memcpy(&ends.tail, p + n / 2, 1);
    ends.tail = ends.tail << 8 | static_cast<unsigned char>(p[n - 1]);
  }
  return ends;
}

// The slot of the name, or the free one where it belongs.
std::size_t Keys::probe(const Ends& ends, const char* name) const {
  const std::uint64_t hash = (ends.head ^ ends.tail * 0xc2b2ae3d27d4eb4fULL ^ ends.length) * 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = static_cast<std::size_t>(hash >> 32) & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.key == npos) return i;
    if (slot.ends == ends && (ends.length <= 16 || std::memcmp(text_.data() + slot.offset + 8, name + 8, ends.length - 16) == 0)) return i;
  }
}

Key Keys::find(std::string_view name) const { return slots_[probe(ends_of(name), name.data())].key; }

Key Keys::add(std::string_view name) {
  if (const Key found = find(name); found != npos) return found;
  const auto key = static_cast<Key>(names_.size());
  if (key == npos) return npos;
  names_.emplace_back(name);
  insert(name, key);
  return key;
}

void Keys::insert(std::string_view name, Key key) {
  if (2 * (used_ + 1) > slots_.size()) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old)
      if (slot.key != npos) slots_[probe(slot.ends, text_.data() + slot.offset)] = slot;
  }
  const Ends ends = ends_of(name);
  slots_[probe(ends, name.data())] = {ends, static_cast<std::uint32_t>(text_.size()), key};
  text_ += name;
  ++used_;
}

}  // namespace roofline
