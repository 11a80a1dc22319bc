#include <algorithm>
#include <cctype>
#include <roofline/machine/format.hpp>
#include <roofline/operators/operator.hpp>

#include "operators/derivation.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

template <std::size_t n>
bool contains(const std::string_view (&list)[n], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// Namespaces that say where an operator comes from, not what it is.
constexpr std::string_view namespaces[] = {
    "id",     "op",    "ops",    "aten",      "prims",    "torch", "nn",     "functional", "f",         "modules",    "quantized",
    "tf",     "keras", "layers", "rawops",    "math",     "tfl",   "tflite", "onnx",       "ai",        "com",        "microsoft",
    "xla",    "hlo",   "mhlo",   "stablehlo", "chlo",     "jax",   "lax",    "jnp",        "np",        "numpy",      "tosa",
    "linalg", "caffe", "caffe2", "trt",       "tensorrt", "iree",  "vllm",   "xformers",   "flashattn", "torchvision"};

// Overloads, as PyTorch prints them behind a dot.
constexpr std::string_view overloads[] = {"default",    "tensor",    "scalar", "out",          "int",          "self",         "dim",
                                          "dimintlist", "intlist",   "vec",    "tensorscalar", "tensortensor", "scalartensor", "tensorout",
                                          "scalarout",  "usingints", "input",  "inplace",      "other",        "dimmax",       "dimmin"};

// "torch.ops.aten.add.Tensor" -> "add"; "ID_CONV" -> "conv". Normalised.
std::string bare(std::string_view type) {
  constexpr std::string_view separators = ".:/";
  for (std::size_t at; (at = type.find_first_of(separators)) != std::string_view::npos;) {
    const std::string head = normalised(type.substr(0, at));
    if (!head.empty() && !contains(namespaces, head)) break;
    type.remove_prefix(at + 1);
  }
  if (const std::size_t at = type.find_last_of(separators); at != std::string_view::npos) {
    const std::string tail = normalised(type.substr(at + 1));
    if (contains(overloads, tail) || std::all_of(tail.begin(), tail.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      type = type.substr(0, at);
  }
  if (type.size() > 3 && normalised(type.substr(0, 2)) == "id" && (type[2] == '_' || type[2] == '-')) type.remove_prefix(3);
  return normalised(type);
}

// "fusedbatchnormv3" -> "fusedbatchnorm"
std::string_view without_version(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == 'v' ? name.substr(0, end) : name;
}

const Operator* find_exact(std::string_view name) {
  for (const Operator* op : operators())
    if (normalised(op->id) == name || std::find(op->names.begin(), op->names.end(), name) != op->names.end()) return op;
  return nullptr;
}

}  // namespace

std::span<const Operator* const> operators() {
  static const std::vector<const Operator*> all = [] {
    std::vector<const Operator*> list;
    for (const std::span<const Operator> family :
         {families::convolution(), families::matrix_product(), families::einsum(), families::attention(), families::elementwise(),
          families::reduction(), families::softmax(), families::normalisation(), families::pooling(), families::resize(),
          families::movement(), families::gather()})
      for (const Operator& op : family) list.push_back(&op);
    return list;
  }();
  return all;
}

const Operator* find_operator(std::string_view type) {
  const std::string name = bare(type);
  if (const Operator* op = find_exact(name)) return op;
  return find_exact(without_version(name));
}

std::vector<std::string> near_operators(std::string_view type) {
  std::vector<std::string> candidates;
  for (const Operator* op : operators()) {
    candidates.push_back(normalised(op->id));
    candidates.insert(candidates.end(), op->names.begin(), op->names.end());
  }
  return near_ids(bare(type), candidates, [](const std::string& name) { return find_exact(name)->id; });
}

std::string with_numbers(std::string_view expression, const Trace& trace, double value) {
  std::string numbers;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && std::isalnum(static_cast<unsigned char>(expression[end])) != 0) ++end;
    const std::string_view word = expression.substr(i, end - i);
    const auto symbol = std::find_if(trace.symbols.begin(), trace.symbols.end(), [&](const auto& s) { return s.first == word; });
    if (word.empty())
      numbers += expression[end++];
    else if (symbol != trace.symbols.end())
      numbers += plain(symbol->second);
    else
      numbers += word;
    i = end;
  }
  std::string text = std::string(expression) + " = " + numbers;
  if (numbers != plain(value)) text += " = " + plain(value);
  return text;
}

}  // namespace roofline
