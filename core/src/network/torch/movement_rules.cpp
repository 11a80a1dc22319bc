// Views, which name what is there already, and what copies, gathers and fills.
#include <algorithm>

#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

/// What is written is what moves; at least so much is read.
void copied(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const std::vector<TensorId> from = c.tensors();
  if (from.empty()) return;
  const Lengths& read = rule.as == "transpose" || rule.as == "repeat" || rule.as == "pad" ? c.shape_of(from[0]) : c.out();
  work::movement(out, rule.as.empty() ? "copy" : rule.as, {read}, c.out(), c.out_type());
}

/// All of it is read, however much is found.
void searched(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths& shape = c.shape_of(c.tensors()[0]);
  work::movement(out, "copy", {shape}, shape, c.type_of(c.tensors()[0]));
}

void concatenated(const SizedCall& c, const Rule&, SizedNode& out) {
  std::vector<Lengths> shapes;
  for (const TensorId id : c.tensors()) shapes.push_back(c.shape_of(id));
  work::movement(out, "concat", shapes, c.out(), c.out_type());
}

void filled(const SizedCall& c, const Rule&, SizedNode& out) { work::movement(out, "fill", {c.out()}, c.out(), c.out_type()); }

/// What is put in is read and written; the rest stays where it is.
void updated(const SizedCall& c, const Rule&, SizedNode& out) {
  for (const char* name : {"src", "source", "values", "index"})
    if (c.has(name)) return work::movement(out, "copy", {c.shape(name)}, c.shape(name), c.out_type());
}

void embedded(const SizedCall& c, const Rule&, SizedNode& out) {
  work::look_up(out, c.shape("weight"), c.shape("indices"), 0, true, types(c, "weight", "weight"));
}

void selected(const SizedCall& c, const Rule&, SizedNode& out) {
  const double axis = c.number("dim", 0), rank = static_cast<double>(c.shape("self").size());
  work::look_up(out, c.shape("self"), c.shape("index"), axis < 0 ? axis + rank : axis, c.is_constant("self"), types(c, "self", "self"));
}

/// self[:, index]: along one dimension where there is one index, else element by element. A mask is read, too, with the elements that it
/// chooses.
void indexed(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const Argument* indices = c.call().find("indices");
  const auto is = [](TensorId id) { return id != no_tensor; };
  if (!indices || std::count_if(indices->tensors.begin(), indices->tensors.end(), is) != 1) return copied(c, rule, out);
  const auto at = std::find_if(indices->tensors.begin(), indices->tensors.end(), is);
  if (is_mask(c.type_of(*at))) {
    const double bits = 2 * elements_of(c.out()) * c.out_type().bits + elements_of(c.shape_of(*at)) * c.type_of(*at).bits;
    return work::stated(out, "masked_select", 0, bits / 8, types(c, "self", "self"));
  }
  work::look_up(out, c.shape("self"), c.shape_of(*at), static_cast<double>(at - indices->tensors.begin()), c.is_constant("self"),
                types(c, "self", "self"));
}

constexpr Rule view(std::string_view target, bool keeps_type = true) { return {target, nullptr, {}, 1, Fusing::vanishes, keeps_type}; }
constexpr Rule copy(std::string_view target, std::string_view as = {}, bool keeps_type = true) {
  return {target, copied, as, 1, Fusing::none, keeps_type};
}
constexpr Rule fill(std::string_view target) { return {target, filled, {}, 1, Fusing::none, false, false}; }
constexpr Rule search(std::string_view target) { return {target, searched}; }
constexpr Rule update(std::string_view target) { return {target, updated}; }

constexpr Rule movement_table[] = {
    view("view"),
    view("_unsafe_view"),
    view("_reshape_alias"),
    view("reshape"),
    view("reshape_as"),
    view("view_as"),
    view("flatten"),
    view("unflatten"),
    view("squeeze"),
    view("unsqueeze"),
    view("expand"),
    view("expand_as"),
    view("broadcast_to"),
    view("broadcast_tensors"),
    view("permute"),
    view("transpose"),
    view("t"),
    view("numpy_T"),
    view("mT"),
    view("mH"),
    view("matrix_H"),
    view("adjoint"),
    view("swapaxes"),
    view("swapdims"),
    view("movedim"),
    view("moveaxis"),
    view("alias"),
    view("detach"),
    view("lift_fresh"),
    view("lift_fresh_copy"),
    view("positive"),
    view("slice"),
    view("select"),
    view("narrow"),
    view("split"),
    view("split_with_sizes"),
    view("unsafe_split"),
    view("unsafe_chunk"),
    view("chunk"),
    view("tensor_split"),
    view("hsplit"),
    view("vsplit"),
    view("unbind"),
    view("diagonal"),
    view("as_strided"),
    view("unfold"),
    view("atleast_1d"),
    view("atleast_2d"),
    view("atleast_3d"),
    view("meshgrid"),
    view("view_as_real", false),
    view("view_as_complex", false),
    view("real", false),
    view("imag", false),
    view("conj", false),
    view("resolve_conj", false),
    view("resolve_neg", false),
    view("dropout"),
    view("native_dropout"),
    view("alpha_dropout"),
    view("feature_dropout"),
    view("set_grad_enabled", false),
    view("sym_size", false),
    {"clone", copied, {}, 1, Fusing::vanishes, true},
    {"contiguous", copied, {}, 1, Fusing::vanishes, true},
    copy("copy"),
    copy("view_copy"),
    copy("reshape_copy"),
    copy("squeeze_copy"),
    copy("unsqueeze_copy"),
    copy("alias_copy"),
    copy("detach_copy"),
    copy("slice_copy", "slice"),
    copy("select_copy", "slice"),
    copy("narrow_copy", "slice"),
    copy("diagonal_copy", "slice"),
    copy("as_strided_copy"),
    copy("unfold_copy"),
    copy("expand_copy", "repeat"),
    copy("permute_copy", "transpose"),
    copy("transpose_copy", "transpose"),
    copy("t_copy", "transpose"),
    {"split_copy", searched, {}, 1, Fusing::none, true},
    {"split_with_sizes_copy", searched, {}, 1, Fusing::none, true},
    {"unbind_copy", searched, {}, 1, Fusing::none, true},
    {"cat", concatenated, {}, 1, Fusing::none, true},
    {"concat", concatenated, {}, 1, Fusing::none, true},
    {"concatenate", concatenated, {}, 1, Fusing::none, true},
    {"stack", concatenated, {}, 1, Fusing::none, true},
    {"hstack", concatenated, {}, 1, Fusing::none, true},
    {"vstack", concatenated, {}, 1, Fusing::none, true},
    {"dstack", concatenated, {}, 1, Fusing::none, true},
    {"column_stack", concatenated, {}, 1, Fusing::none, true},
    copy("pad", "pad"),
    copy("constant_pad_nd", "pad"),
    copy("reflection_pad1d", "pad"),
    copy("reflection_pad2d", "pad"),
    copy("reflection_pad3d", "pad"),
    copy("replication_pad1d", "pad"),
    copy("replication_pad2d", "pad"),
    copy("replication_pad3d", "pad"),
    copy("repeat", "repeat"),
    copy("tile", "repeat"),
    copy("repeat_interleave"),
    copy("roll"),
    copy("flip"),
    copy("fliplr"),
    copy("flipud"),
    copy("rot90"),
    copy("tril"),
    copy("triu"),
    copy("pixel_shuffle"),
    copy("pixel_unshuffle"),
    copy("channel_shuffle"),
    copy("native_channel_shuffle"),
    copy("im2col"),
    copy("col2im"),
    copy("one_hot", "repeat"),
    copy("take"),
    copy("take_along_dim"),
    copy("gather"),
    copy("masked_select"),
    copy("diag_embed"),
    search("topk"),
    search("sort"),
    search("argsort"),
    search("nonzero"),
    search("nonzero_static"),
    search("argwhere"),
    search("unique"),
    search("_unique2"),
    search("unique_dim"),
    search("unique_consecutive"),
    search("bincount"),
    search("histc"),
    search("multinomial"),
    search("searchsorted"),
    search("bucketize"),
    update("scatter"),
    update("scatter_add"),
    update("scatter_reduce"),
    update("slice_scatter"),
    update("select_scatter"),
    update("diagonal_scatter"),
    update("index_put"),
    update("_unsafe_index_put"),
    update("index_add"),
    update("index_copy"),
    update("index_fill"),
    update("index_reduce"),
    update("masked_scatter"),
    {"embedding", embedded},
    {"embedding_bag", embedded},
    {"_embedding_bag", embedded},
    {"_embedding_bag_forward_only", embedded},
    {"index_select", selected, {}, 1, Fusing::none, true},
    {"index", indexed},
    {"_unsafe_index", indexed},
    {"_unsafe_masked_index", indexed},
    fill("zeros"),
    fill("ones"),
    fill("full"),
    fill("empty"),
    fill("empty_permuted"),
    fill("empty_strided"),
    fill("zeros_like"),
    fill("ones_like"),
    fill("full_like"),
    fill("empty_like"),
    fill("new_zeros"),
    fill("new_ones"),
    fill("new_full"),
    fill("new_empty"),
    fill("new_empty_strided"),
    fill("fill"),
    fill("zero"),
    fill("scalar_tensor"),
    fill("arange"),
    fill("range"),
    fill("linspace"),
    fill("logspace"),
    fill("eye"),
    fill("tril_indices"),
    fill("triu_indices"),
    fill("rand"),
    fill("randn"),
    fill("randint"),
    fill("randperm"),
    fill("rand_like"),
    fill("randn_like"),
    fill("randint_like"),
    fill("normal"),
    fill("uniform"),
    fill("normal_functional"),
    fill("bernoulli"),
};

}  // namespace

std::span<const Rule> movement_rules() { return movement_table; }

}  // namespace roofline::torch_export
