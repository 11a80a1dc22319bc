// NumPy's .npy, versions 1 to 3 (numpy.lib.format): "\x93NUMPY", two bytes of version, the header's length in 2 or 4 bytes, and a Python
// dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }
#include <algorithm>

#include "base/little_endian.hpp"
#include "tensor/formats.hpp"

namespace roofline {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

Unexpected bad(const std::string& what) {
  return fail(what + ": expected a header such as {'descr': '<f4', 'fortran_order': False, 'shape': (64, 64), }");
}

/// What stands after 'key': in the dictionary, without leading blanks; "" where there is none.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    at = header.find_first_not_of(" :", at + quoted.size());
    return at == std::string_view::npos ? std::string_view() : header.substr(at);
  }
  return {};
}

ElementType element_type(std::string_view type) {
  ElementType element;
  const char order = type[0], kind = type[1];
  const std::string_view size = type.substr(2);
  const int bytes = size == "1" ? 1 : size == "2" ? 2 : size == "4" ? 4 : size == "8" ? 8 : 0;
  element.big_endian = order == '>';
  element.bytes = bytes;
  element.is_signed = kind == 'i';
  if (kind == 'f' && bytes >= 2) {
    element.floating = true;
    element.exponent_bits = bytes == 2 ? 5 : bytes == 4 ? 8 : 11;
    element.mantissa_bits = bytes == 2 ? 10 : bytes == 4 ? 23 : 52;
  } else if (kind != 'i' && kind != 'u' && !(kind == 'b' && bytes == 1)) {
    element.bytes = 0;
  }
  return element;
}

}  // namespace

std::uint64_t npy_header_size(std::string_view start) {
  if (start.size() < 12 || start.substr(0, magic.size()) != magic) return 0;
  return start[6] == 1 ? 10 + little_endian(start, 8, 2) : 12 + little_endian(start, 8, 4);
}

Result<TensorFile> read_npy(std::string_view header, std::uint64_t file_size) {
  TensorInfo tensor;
  tensor.offset = header.size();
  if (header[6] < 1 || header[6] > 3) return fail(".npy of version " + std::to_string(header[6]) + " is not known: expected 1, 2 or 3");

  const std::string_view type = value_of(header, "descr");
  if (type.size() < 2 || (type[0] != '\'' && type[0] != '"'))
    return type.empty() ? bad("has no 'descr'") : fail("is a structured array: expected an array of plain numbers", "descr");
  const std::size_t end = type.find(type[0], 1);
  if (end == std::string_view::npos || end < 4) return bad("its 'descr' is no type");
  tensor.type = type.substr(1, end - 1);
  tensor.element = element_type(tensor.type);
  if (tensor.type[1] == 'V')  // NumPy has no such types of its own and writes their size only
    return fail("its elements are of a type that .npy cannot name (" + tensor.type + "), such as bfloat16: expected it saved as float32",
                "descr");

  const std::string_view order = value_of(header, "fortran_order");
  tensor.reversed = order.substr(0, 4) == "True";
  if (!tensor.reversed && order.substr(0, 5) != "False") return bad("its 'fortran_order' is neither True nor False");

  const std::string_view shape = value_of(header, "shape");
  const std::size_t close = shape.find(')');
  if (shape.empty() || shape[0] != '(' || close == std::string_view::npos) return bad("its 'shape' is no tuple");
  for (std::size_t at = 1; at < close;) {
    if (shape[at] == ' ' || shape[at] == ',' || shape[at] == 'L') {
      ++at;
      continue;
    }
    std::uint64_t length = 0;
    std::size_t digits = 0;
    for (; shape[at] >= '0' && shape[at] <= '9' && digits < 17; ++at, ++digits)
      length = length * 10 + static_cast<std::uint64_t>(shape[at] - '0');
    if (digits == 0 || digits == 17) return bad("its 'shape' holds something else than lengths");
    tensor.shape.push_back(length);
  }
  const auto bytes = size_of(tensor.shape, static_cast<std::uint64_t>(std::max(tensor.element.bytes, 1)));
  if (!bytes || *bytes > file_size - header.size())
    return fail("ends within its data, which should have " + (bytes ? std::to_string(*bytes) + " bytes" : "more bytes than any file") +
                    ": expected a whole file",
                "shape");
  tensor.bytes = *bytes;
  return TensorFile{"npy", {std::move(tensor)}};
}

}  // namespace roofline
