// The members of a ZIP archive that is read by ranges.
#pragma once

#include <optional>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/zip/zip.hpp"

namespace roofline::torch_export {

/// A range of a file as a file: a stored archive within an archive.
class PartOfFile final : public ByteSource {
 public:
  PartOfFile(const ByteSource& whole, std::uint64_t offset, std::uint64_t bytes) : whole_(whole), offset_(offset), bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_; }

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override;

 private:
  const ByteSource& whole_;
  std::uint64_t offset_, bytes_;
};

class ZipMembers {
 public:
  /// Reads the directory. `source` must outlive the members.
  [[nodiscard]] static Result<ZipMembers> of(const ByteSource& source);

  [[nodiscard]] const std::vector<zip::Member>& all() const { return members_; }
  /// nullptr: there is no such member.
  [[nodiscard]] const zip::Member* find(std::string_view name) const;
  /// The first member whose name ends so; nullptr: there is none.
  [[nodiscard]] const zip::Member* find_ending(std::string_view ending) const;
  /// Its unpacked bytes.
  [[nodiscard]] Result<std::string> read(const zip::Member& member) const;
  /// Where the bytes of a stored member begin; nullopt: it is compressed, or not whole.
  [[nodiscard]] std::optional<std::uint64_t> stored_at(const zip::Member& member) const;

 private:
  explicit ZipMembers(const ByteSource& source) : source_(&source) {}
  [[nodiscard]] std::optional<std::uint64_t> data_of(const zip::Member& member, std::uint64_t bytes) const;

  const ByteSource* source_;
  std::string directory_;  // the members' names are in it
  std::vector<zip::Member> members_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

}  // namespace roofline::torch_export
