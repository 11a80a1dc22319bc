#include "network/torch/zip_members.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/zip/inflate.hpp"

namespace roofline::torch_export {
namespace {

constexpr std::uint64_t most_unpacked = std::uint64_t{256} << 20;

Unexpected not_whole() { return fail("is a ZIP archive that is not whole: expected all of a .pt2 file"); }

}  // namespace

bool PartOfFile::fill(std::uint64_t offset, char* to, std::size_t bytes) const {
  const Result<std::string> read = whole_.read(offset_ + offset, bytes);
  if (read) read->copy(to, bytes);
  return read.has_value();
}

Result<ZipMembers> ZipMembers::of(const ByteSource& source) {
  const std::uint64_t tail = std::min(source.size(), zip::tail);
  const Result<std::string> end = source.read(source.size() - tail, tail);
  if (!end) return Unexpected(end.error());
  const std::optional<zip::Directory> directory = zip::find_directory(*end, source.size());
  if (!directory) return not_whole();
  Result<std::string> text = source.read(directory->offset, directory->bytes);
  if (!text) return Unexpected(text.error());
  // Names point into directory_, so moving it must keep its buffer. A string beyond the small-string size does; a directory is longer.
  ZipMembers out(source);
  out.directory_ = std::move(*text);
  auto members = zip::read_directory(out.directory_, directory->members);
  if (!members) return not_whole();
  out.members_ = std::move(*members);
  for (std::size_t i = 0; i < out.members_.size(); ++i) out.by_name_.emplace(out.members_[i].name, i);
  return out;
}

const zip::Member* ZipMembers::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &members_[found->second];
}

const zip::Member* ZipMembers::find_ending(std::string_view ending) const {
  for (const zip::Member& member : members_)
    if (member.name.ends_with(ending)) return &member;
  return nullptr;
}

std::optional<std::uint64_t> ZipMembers::data_of(const zip::Member& member, std::uint64_t bytes) const {
  if (member.local > source_->size() || source_->size() - member.local < zip::local_header) return std::nullopt;
  const Result<std::string> header = source_->read(member.local, zip::local_header);
  const std::optional<std::uint64_t> data = header ? zip::data_offset(member, *header) : std::nullopt;
  if (!data || *data > source_->size() || bytes > source_->size() - *data) return std::nullopt;
  return data;
}

std::optional<std::uint64_t> ZipMembers::stored_at(const zip::Member& member) const {
  return member.method == zip::stored ? data_of(member, member.size) : std::nullopt;
}

Result<std::string> ZipMembers::read(const zip::Member& member) const {
  const std::string name(member.name);
  if (member.method != zip::stored && member.method != zip::deflated)
    return fail("is compressed by ZIP's method " + std::to_string(member.method) + ": expected it stored or deflated", name);
  if (member.size > most_unpacked) return fail("has " + with_commas(member.size) + " bytes: expected at most 256 MiB", name);
  const std::uint64_t bytes = member.method == zip::stored ? member.size : member.packed;
  if (bytes > most_unpacked) return fail("has " + with_commas(bytes) + " packed bytes: expected at most 256 MiB", name);
  const std::optional<std::uint64_t> data = data_of(member, bytes);
  if (!data) return not_whole();
  std::string text;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t piece = std::min(bytes - at, ByteSource::most_at_once);
    const Result<std::string> part = source_->read(*data + at, piece);
    if (!part) return Unexpected(part.error());
    text += *part;
    at += piece;
  }
  if (member.method == zip::stored) return text;
  Result<std::string> unpacked = inflate(text, member.size);
  if (!unpacked) return fail(unpacked.error().message, name);
  return unpacked;
}

}  // namespace roofline::torch_export
