#include "network/torch/archive.hpp"

#include <algorithm>

#include "network/torch/stored_weights.hpp"
#include "network/torch/zip_members.hpp"

namespace roofline::torch_export {
namespace {

constexpr std::string_view an_archive = "expected what torch.export.save writes: models/NAME.json or serialized_exported_program.json";
constexpr std::string_view before_2_8 = "serialized_exported_program.json";

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
  const Result<ZipMembers> members = ZipMembers::of(source);
  if (!members) return Unexpected(members.error());
  Archive out;
  const zip::Member *program = nullptr, *weights = nullptr;
  for (const zip::Member& member : members->all()) {
    if (member.name == before_2_8 || member.name.ends_with("/" + std::string(before_2_8)) || is_in(member.name, "models/", ".json")) {
      if (program)
        out.other_programs.emplace_back(member.name);
      else
        program = &member;
    }
    if (!weights && is_in(member.name, "data/weights/", "_weights_config.json")) weights = &member;
  }
  if (!program) return no_program(members->all());
  Result<std::string> json = members->read(*program);
  if (!json) return Unexpected(json.error());
  out.program = std::move(*json);
  out.program_name = program->name;
  if (weights) {
    Result<std::string> config = members->read(*weights);
    if (!config) return Unexpected(config.error());
    out.weights_config = std::move(*config);
    out.weights = weights_of_config(*members, *weights, out.weights_config);
  } else {
    out.weights = weights_of_state_dict(source, *members);
  }
  return out;
}

}  // namespace roofline::torch_export
