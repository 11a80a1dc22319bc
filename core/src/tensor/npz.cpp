// NumPy's .npz: a ZIP archive of .npy files. What numpy.savez stores lies in it as it is; what numpy.savez_compressed deflates is listed
// with its place, for the caller to unpack. The archive's directory stands at its end (PKWARE's APPNOTE.TXT, sections 4.3.12 and 4.3.16),
// so all of it counts as the header.
#include "tensor/formats.hpp"

namespace roofline {
namespace {

constexpr std::string_view local_mark = "PK\x03\x04", central_mark = "PK\x01\x02", end_mark = "PK\x05\x06";
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22;
constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr std::uint64_t stored = 0, deflated = 8;
constexpr const char* expected = "expected arrays of numpy.savez or savez_compressed, or one array (.npy)";

Unexpected broken() { return fail(std::string("is a ZIP archive that is not whole: ") + expected); }

struct Entry {
  std::string_view name;
  std::uint64_t method = 0, crc = 0, packed = 0, size = 0, local = 0;
};

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

/// The array of one entry, its offset counted from the start of the archive.
Result<TensorInfo> read_entry(std::string_view file, const Entry& entry) {
  constexpr std::string_view suffix = ".npy";
  const std::string name(entry.name.substr(0, entry.name.size() - suffix.size()));
  if (entry.method != stored && entry.method != deflated)
    return fail("is compressed by ZIP's method " + std::to_string(entry.method) + ": " + expected, name);
  if (entry.size == in_zip64 || entry.packed == in_zip64 || entry.local == in_zip64)
    return fail(std::string("starts beyond 4 GB: ") + expected, name);
  if (entry.local + local_size > file.size() || file.substr(entry.local, 4) != local_mark) return broken();
  const std::uint64_t data = entry.local + local_size + little_endian(file, entry.local + 26, 2) + little_endian(file, entry.local + 28, 2);
  const std::uint64_t bytes = entry.method == stored ? entry.size : entry.packed;
  if (data > file.size() || bytes > file.size() - data) return broken();
  if (entry.method == deflated) {
    TensorInfo tensor;
    tensor.name = name;
    tensor.packed = PackedPart{data, bytes, entry.size, static_cast<std::uint32_t>(entry.crc)};
    return tensor;
  }
  Result<TensorInfo> tensor = read_array(name, file.substr(data, bytes), bytes);
  if (tensor) tensor->offset += data;
  return tensor;
}

}  // namespace

bool is_zip(std::string_view start) { return start.substr(0, local_mark.size()) == local_mark; }

Result<TensorFile> read_npz(std::string_view file) {
  const std::size_t end = file.rfind(end_mark);
  if (end == std::string_view::npos || file.size() - end < end_size) return broken();
  const std::uint64_t count = little_endian(file, end + 10, 2);
  std::uint64_t at = little_endian(file, end + 16, 4);
  TensorFile out{"npz", {}};
  for (std::uint64_t i = 0; i < count; ++i) {
    if (at + central_size > file.size() || file.substr(at, 4) != central_mark) return broken();
    const std::uint64_t name = little_endian(file, at + 28, 2);
    const std::uint64_t rest = little_endian(file, at + 30, 2) + little_endian(file, at + 32, 2);
    if (name > file.size() - at - central_size) return broken();
    const Entry entry{file.substr(at + central_size, name), little_endian(file, at + 10, 2), little_endian(file, at + 16, 4),
                      little_endian(file, at + 20, 4),      little_endian(file, at + 24, 4), little_endian(file, at + 42, 4)};
    at += central_size + name + rest;
    if (entry.name.size() < 5 || entry.name.substr(entry.name.size() - 4) != ".npy") continue;
    auto tensor = read_entry(file, entry);
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
