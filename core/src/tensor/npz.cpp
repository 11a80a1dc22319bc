// NumPy's .npz: a ZIP archive of .npy files. What numpy.savez stores lies in it as it is; what numpy.savez_compressed packs is refused. The
// archive's directory stands at its end (PKWARE's APPNOTE.TXT, sections 4.3.12 and 4.3.16), so all of it counts as the header.
#include "tensor/formats.hpp"

namespace roofline {
namespace {

constexpr std::string_view local_mark = "PK\x03\x04", central_mark = "PK\x01\x02", end_mark = "PK\x05\x06";
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22;
constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr const char* expected = "expected arrays of numpy.savez, or one array (.npy)";

Unexpected broken() { return fail(std::string("is a ZIP archive that is not whole: ") + expected); }

struct Entry {
  std::string_view name;
  std::uint64_t method = 0, size = 0, local = 0;
};

/// The array of one entry, its offset counted from the start of the archive.
Result<TensorInfo> read_entry(std::string_view file, const Entry& entry) {
  constexpr std::string_view suffix = ".npy";
  const std::string name(entry.name.substr(0, entry.name.size() - suffix.size()));
  if (entry.method != 0)
    return fail("is compressed: expected arrays of numpy.savez, which does not compress, or one array (.npy, gzip is fine)", name);
  if (entry.size == in_zip64 || entry.local == in_zip64) return fail(std::string("lies beyond 4 GB: ") + expected, name);
  if (entry.local + local_size > file.size() || file.substr(entry.local, 4) != local_mark) return broken();
  const std::uint64_t data = entry.local + local_size + little_endian(file, entry.local + 26, 2) + little_endian(file, entry.local + 28, 2);
  if (data > file.size() || entry.size > file.size() - data) return broken();
  const std::string_view array = file.substr(data, entry.size);
  const std::uint64_t header = npy_header_size(array);
  if (header == 0 || header > array.size()) return fail(std::string("is no .npy array: ") + expected, name);
  auto read = read_npy(array.substr(0, header), array.size());
  if (!read) return fail(read.error().message, name);
  TensorInfo tensor = std::move(read->tensors.front());
  tensor.name = name;
  tensor.offset += data;
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
    const Entry entry{file.substr(at + central_size, name), little_endian(file, at + 10, 2), little_endian(file, at + 24, 4),
                      little_endian(file, at + 42, 4)};
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

}  // namespace roofline
