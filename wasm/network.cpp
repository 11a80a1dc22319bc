// build/wasm/network.wasm: networks' files as commands.json, and models out of the headers of GGUF and safetensors files, fetched with the
// first such file. web/src/worker/network.ts gives the file's bytes by range.
#include <memory>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/quantize_plan.hpp>
#include <roofline/network/network.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "on_demand.hpp"
#include "open_file.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

namespace {

using roofline::Json;
using namespace roofline::on_demand;

std::unique_ptr<OpenFile> file;
std::string file_name;
std::unique_ptr<roofline::Network> network;

/// The files of a list, [{name, size, bytes}], each with its first `bytes` bytes out of `starts`; nullopt: `starts` is too short.
template <class File>
std::optional<std::vector<File>> files_of(std::string_view list, std::string_view starts) {
  std::vector<File> files;
  std::size_t at = 0;
  for (const Json& of : Json::parse(list, nullptr, false)) {
    const auto bytes = static_cast<std::size_t>(roofline::number_of(roofline::member(of, "bytes")));
    if (bytes > starts.size() - at) {
      answer_error({"expected the first bytes of each file", 0, 0, {}});
      return std::nullopt;
    }
    files.push_back({roofline::text_of(roofline::member(of, "name")), starts.substr(at, bytes),
                     static_cast<std::uint64_t>(roofline::number_of(roofline::member(of, "size")))});
    at += bytes;
  }
  return files;
}

}  // namespace

/// Whether a file of the reserved name, a NUL byte and the file's first bytes are a network's.
EXPORT("is_network") int is_network(std::size_t name_size) {
  return roofline::is_network(std::string_view(request).substr(0, name_size), std::string_view(request).substr(name_size)) ? 1 : 0;
}

/// Opens the file whose name is reserved. The answer is {} or {"error"}.
EXPORT("open_network") void open_network(double size) {
  network.reset();
  file = std::make_unique<OpenFile>(size);
  file_name = request;
  auto opened = roofline::open_network(request, *file);
  answer = "{}";
  if (!opened) return answer_error(opened.error());
  network = std::move(*opened);
}

/// The open network as commands.json under the reserved choices, {"dimensions": {name: length or name}, "fold": true}; or {"error"}.
EXPORT("commands") void commands() {
  if (!network) return answer_error({"no network is open", 0, 0, {}});
  const Json choices = Json::parse(request, nullptr, false);
  roofline::DimensionValues given;
  for (const auto& [name, value] : roofline::member(choices, "dimensions").items())
    given.emplace_back(name, value.is_string() ? roofline::text_of(value) : value.dump());
  auto text = roofline::network_commands(*network, given, roofline::member(choices, "fold") == true);
  if (!text) return answer_error(text.error());
  answer = std::move(*text);
}

/// A plan of formats for the open network: reserved are settings and a request (answer_network_plan()).
EXPORT("plan") void plan(std::size_t settings_size) {
  if (!network) return answer_error({"no network is open", 0, 0, {}});
  const std::string_view text = request;
  answer = roofline::answer_network_plan(*network, *file, file_name, text.substr(0, settings_size), text.substr(settings_size));
}

/// The tensors' own errors in the GGUF file whose name is reserved, {name: error}, of `size` bytes; or {"error"}. It closes the network.
EXPORT("own_errors") void own_errors(double size) {
  network.reset();
  file = std::make_unique<OpenFile>(size);
  const auto errors = roofline::gguf_own_errors(*file, request);
  if (!errors) return answer_error(errors.error());
  Json out = Json::object();
  for (const auto& [tensor, error] : *errors) out[tensor] = error;
  answer = roofline::compact({{"own_errors", std::move(out)}});
}

/// The language model in the headers of GGUF files. Reserved are a list of `list_size` bytes, [{name, size, bytes}], and then the first
/// `bytes` bytes of each file. The answer is {"model"}, null where a header is longer than what is given of it, or {"error"}.
EXPORT("gguf") void gguf(std::size_t list_size) {
  const std::string_view text = request;
  const auto files = files_of<roofline::GgufStart>(text.substr(0, list_size), text.substr(list_size));
  if (!files) return;
  const auto model = roofline::gguf_model(*files);
  if (!model) return answer_error(model.error());
  answer = *model ? "{\"model\":" + **model + '}' : R"({"model":null})";
}

/// The language model of a checkpoint. Reserved are `config_size` bytes of its config.json, `index_size` of the index of its safetensors
/// files (0: there is none), a list of `list_size` bytes, [{name, size, bytes}], and the first `bytes` bytes of each file. The answer is
/// {"model"} or {"error"}.
EXPORT("checkpoint") void checkpoint(std::size_t config_size, std::size_t index_size, std::size_t list_size) {
  const std::string_view text = request, after_index = text.substr(config_size + index_size);
  const auto files = files_of<roofline::CheckpointFile>(after_index.substr(0, list_size), after_index.substr(list_size));
  if (!files) return;
  const auto model = roofline::checkpoint_model(text.substr(0, config_size), text.substr(config_size, index_size), *files);
  if (!model) return answer_error(model.error());
  answer = "{\"model\":" + *model + '}';
}
