#include "network/torch/archive.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/zip/inflate.hpp"
#include "base/zip/zip.hpp"

namespace roofline::torch_export {
namespace {

constexpr std::string_view an_archive = "expected what torch.export.save writes: models/NAME.json or serialized_exported_program.json";
constexpr std::string_view before_2_8 = "serialized_exported_program.json";
constexpr std::uint64_t most_unpacked = std::uint64_t{256} << 20;

Unexpected not_whole() { return fail("is a ZIP archive that is not whole: expected all of a .pt2 file"); }

Result<std::string> read_member(const ByteSource& source, const zip::Member& member) {
  const std::string name(member.name);
  if (member.method != zip::stored && member.method != zip::deflated)
    return fail("is compressed by ZIP's method " + std::to_string(member.method) + ": expected it stored or deflated", name);
  if (member.size > most_unpacked) return fail("has " + with_commas(member.size) + " bytes: expected at most 256 MiB", name);
  if (member.local > source.size() || source.size() - member.local < zip::local_header) return not_whole();
  const Result<std::string> header = source.read(member.local, zip::local_header);
  if (!header) return Unexpected(header.error());
  const std::optional<std::uint64_t> data = zip::data_offset(member, *header);
  const std::uint64_t bytes = member.method == zip::stored ? member.size : member.packed;
  if (!data || *data > source.size() || bytes > source.size() - *data) return not_whole();
  std::string text;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t piece = std::min(bytes - at, ByteSource::most_at_once);
    const Result<std::string> part = source.read(*data + at, piece);
    if (!part) return Unexpected(part.error());
    text += *part;
    at += piece;
  }
  if (member.method == zip::stored) return text;
  Result<std::string> unpacked = inflate(text, member.size);
  if (!unpacked) return fail(unpacked.error().message, name);
  return unpacked;
}

/// "encoder/models/model.json": below one folder of any name, or none.
bool is_in(std::string_view name, std::string_view folder, std::string_view ending) {
  const std::size_t at = name.find(folder);
  return at != std::string_view::npos && (at == 0 || (name[at - 1] == '/' && name.find('/') == at - 1)) &&
         name.find('/', at + folder.size()) == std::string_view::npos && name.ends_with(ending);
}

/// What an archive without an exported program is.
Unexpected no_program(const std::vector<zip::Member>& members) {
  const auto any = [&](std::string_view part) {
    return std::any_of(members.begin(), members.end(), [&](const zip::Member& m) { return m.name.find(part) != std::string_view::npos; });
  };
  if (any("data/aotinductor/"))
    return fail("is compiled by AOTInductor: its kernels are machine code, and the graph is not in it; " + std::string(an_archive));
  if (any("code/__torch__") || any("/constants.pkl"))
    return fail("is a TorchScript archive: export the module by torch.export, and save that; " + std::string(an_archive));
  if (any("data.pkl")) return fail("is a checkpoint of torch.save: it has weights and no graph; " + std::string(an_archive));
  return fail("is a ZIP archive without an exported program: " + std::string(an_archive));
}

}  // namespace

Result<Archive> read_archive(const ByteSource& source) {
  const std::uint64_t tail = std::min(source.size(), zip::tail);
  const Result<std::string> end = source.read(source.size() - tail, tail);
  if (!end) return Unexpected(end.error());
  const std::optional<zip::Directory> directory = zip::find_directory(*end, source.size());
  if (!directory) return not_whole();
  const Result<std::string> text = source.read(directory->offset, directory->bytes);
  if (!text) return Unexpected(text.error());
  const auto members = zip::read_directory(*text, directory->members);
  if (!members) return not_whole();
  Archive out;
  const zip::Member *program = nullptr, *weights = nullptr;
  for (const zip::Member& member : *members) {
    if (member.name == before_2_8 || member.name.ends_with("/" + std::string(before_2_8)) || is_in(member.name, "models/", ".json")) {
      if (program)
        out.other_programs.emplace_back(member.name);
      else
        program = &member;
    }
    if (!weights && is_in(member.name, "data/weights/", "_weights_config.json")) weights = &member;
  }
  if (!program) return no_program(*members);
  Result<std::string> json = read_member(source, *program);
  if (!json) return Unexpected(json.error());
  out.program = std::move(*json);
  out.program_name = program->name;
  if (weights) {
    Result<std::string> config = read_member(source, *weights);
    if (!config) return Unexpected(config.error());
    out.weights_config = std::move(*config);
  }
  return out;
}

}  // namespace roofline::torch_export
