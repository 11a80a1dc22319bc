// NumPy's .npz: a ZIP archive of .npy files. What numpy.savez stores lies in it as it is; what numpy.savez_compressed deflates is listed
// with its place, for the caller to unpack. The archive's directory stands at its end, so all of it counts as the header.
#include "base/zip/zip.hpp"
#include "tensor/formats.hpp"

namespace roofline {
namespace {

constexpr const char* expected = "expected arrays of numpy.savez or savez_compressed, or one array (.npy)";

Unexpected broken() { return fail(std::string("is a ZIP archive that is not whole: ") + expected); }

/// The array in `size` bytes of which `start` is the first, its offset counted from there.
Result<TensorInfo> read_array(const std::string& name, std::string_view start, std::uint64_t size) {
  const std::uint64_t header = npy_header_size(start);
  if (header == 0 || header > start.size() || header > size) return fail(std::string("is no .npy array: ") + expected, name);
  auto read = read_npy(start.substr(0, header), size);
  if (!read) return fail(read.error().message, name);
  TensorInfo tensor = std::move(read->tensors.front());
  tensor.name = name;
  return tensor;
}

/// The array of one member, its offset counted from the start of the archive.
Result<TensorInfo> read_member(std::string_view file, const zip::Member& member) {
  constexpr std::string_view suffix = ".npy";
  const std::string name(member.name.substr(0, member.name.size() - suffix.size()));
  if (member.method != zip::stored && member.method != zip::deflated)
    return fail("is compressed by ZIP's method " + std::to_string(member.method) + ": " + expected, name);
  if (member.local > file.size()) return broken();
  const std::optional<std::uint64_t> data = zip::data_offset(member, file.substr(member.local, zip::local_header));
  const std::uint64_t bytes = member.method == zip::stored ? member.size : member.packed;
  if (!data || *data > file.size() || bytes > file.size() - *data) return broken();
  if (member.method == zip::deflated) {
    TensorInfo tensor;
    tensor.name = name;
    tensor.packed = PackedPart{*data, bytes, member.size, static_cast<std::uint32_t>(member.crc)};
    return tensor;
  }
  Result<TensorInfo> tensor = read_array(name, file.substr(*data, bytes), bytes);
  if (tensor) tensor->offset += *data;
  return tensor;
}

}  // namespace

Result<TensorFile> read_npz(std::string_view file) {
  const std::optional<zip::Directory> directory = zip::find_directory(file, file.size());
  if (!directory) return broken();
  const auto members = zip::read_directory(file.substr(directory->offset, directory->bytes), directory->members);
  if (!members) return broken();
  TensorFile out{"npz", {}};
  for (const zip::Member& member : *members) {
    if (!member.name.ends_with(".npy")) continue;
    auto tensor = read_member(file, member);
    if (!tensor) return Unexpected(tensor.error());
    out.tensors.push_back(std::move(*tensor));
  }
  if (out.tensors.empty())
    return fail(std::string("is a ZIP archive without NumPy arrays (PyTorch's .pt is one, too): ") + expected + " or safetensors");
  return out;
}

Result<void> read_packed(TensorInfo& tensor, std::string_view start) {
  Result<TensorInfo> read = read_array(tensor.name, start, tensor.packed->size);
  if (!read) return Unexpected(read.error());
  read->packed = tensor.packed;
  tensor = std::move(*read);
  return {};
}

}  // namespace roofline
