#include "tensor/json.hpp"

namespace roofline {

void write_tensor(JsonOut& out, const TensorInfo& tensor) {
  out.member("name", tensor.name);
  out.member("type", tensor.type);
  out.key("shape");
  out.begin_array();
  for (const std::uint64_t length : tensor.shape) out.count(length);
  out.end_array();
  out.member_count("elements", tensor.elements());
}

std::string tensors_json(const TensorFile& file) {
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.member("format", file.format);
    out.key("tensors");
    out.begin_array();
    for (const TensorInfo& tensor : file.tensors) {
      out.begin_object();
      write_tensor(out, tensor);
      out.member_count("offset", tensor.offset);
      out.member_count("bytes", tensor.bytes);
      out.member("readable", tensor.element.bytes > 0 && tensor.bytes > 0);
      if (tensor.packed) {
        out.key("packed");
        out.begin_object();
        out.member_count("offset", tensor.packed->offset);
        out.member_count("bytes", tensor.packed->bytes);
        out.member_count("size", tensor.packed->size);
        out.member_count("crc", tensor.packed->crc);
        out.end_object();
      }
      out.end_object();
    }
    out.end_array();
    out.end_object();
  });
}

}  // namespace roofline
