#include <roofline/base/names.hpp>
#include <roofline/tensor/tensor.hpp>

#include "base/zip/zip.hpp"
#include "tensor/formats.hpp"

namespace roofline {

std::optional<std::uint64_t> size_of(const std::vector<std::uint64_t>& shape, std::uint64_t factor) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  for (const std::uint64_t length : shape)
    if (length == 0) return 0;
  for (const std::uint64_t length : shape) {
    if (length > most / factor) return std::nullopt;
    factor *= length;
  }
  return factor;
}

std::uint64_t tensor_header_size(std::string_view start, std::uint64_t file_size) {
  if (const std::uint64_t size = npy_header_size(start)) return size;
  if (zip::is_archive(start)) return file_size;
  return safetensors_header_size(start, file_size);
}

Result<TensorFile> read_tensor_header(std::string_view header, std::uint64_t file_size) {
  const std::uint64_t size = tensor_header_size(header.substr(0, tensor_start), file_size);
  if (size == 0) return fail("is no tensor file: expected NumPy's .npy or .npz, or safetensors");
  if (header.size() < size)
    return fail("ends within its header, which should have " + std::to_string(size) + " bytes: expected a whole file");
  if (zip::is_archive(header)) return read_npz(header.substr(0, size));
  return npy_header_size(header) ? read_npy(header.substr(0, size), file_size) : read_safetensors(header.substr(0, size), file_size);
}

Result<const TensorInfo*> find_tensor(const TensorFile& file, std::string_view name) {
  const TensorInfo* found = nullptr;
  std::vector<std::string> names;
  for (const TensorInfo& tensor : file.tensors) {
    if (tensor.name == name) found = &tensor;
    names.push_back(tensor.name);
  }
  if (!found && name.empty() && file.tensors.size() == 1) found = &file.tensors.front();
  if (!found && name.empty()) return fail("holds " + std::to_string(names.size()) + " tensors: expected the name of one");
  if (!found) return fail("holds no tensor \"" + std::string(name) + '"' + did_you_mean(near_matches(name, names)));
  if (found->element.bytes == 0)
    return fail("elements of type " + found->type + " are not read: expected floating-point numbers or integers of whole bytes",
                found->name);
  if (found->elements() == 0) return fail("the tensor has no elements: expected some", found->name.empty() ? "shape" : found->name);
  return found;
}

}  // namespace roofline
