// What the command in WebAssembly has from Node, in place of zlib, httplib and the operating system (node.js is its other side).
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/clpeak.hpp"
#include "io/gzip.hpp"
#include "io/processor.hpp"
#include "io/program.hpp"
#include "io/serve.hpp"

extern "C" {
std::size_t node_unpack(const char* at, std::size_t size, char* fault, std::size_t room);
std::size_t node_pack(const char* at, std::size_t size);
void node_take(std::size_t from, std::size_t size, char* to);
void node_folder(char* to, std::size_t room);
void node_serve(const char* at, std::size_t size);
}

namespace roofline::cli {

/// Node unpacks at once what is whole, so everything is kept until the end.
struct Unpacker::State {
  std::string packed;
};

Unpacker::Unpacker() : state_(std::make_unique<State>()) {}
Unpacker::~Unpacker() = default;

bool Unpacker::feed(std::string_view packed, const Use&) {
  state_->packed += packed;
  return true;
}

bool Unpacker::finish(const Use& use) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::array<char, 200> fault{};
  const std::size_t size = node_unpack(state_->packed.data(), state_->packed.size(), fault.data(), fault.size());
  consumed_ = state_->packed.size();
  std::string bytes;
  for (std::size_t at = 0; at < size; at += bytes.size()) {
    bytes.resize(std::min(piece, size - at));
    node_take(at, bytes.size(), bytes.data());
    if (!use(bytes)) return false;
  }
  fault_ = fault.data();
  return fault_.empty();
}

std::string packed(std::string_view bytes) {
  std::string out(node_pack(bytes.data(), bytes.size()), '\0');
  node_take(0, out.size(), out.data());
  return out;
}

std::filesystem::path program_folder() {
  std::array<char, 4096> folder{};
  node_folder(folder.data(), folder.size());
  return folder.data();
}

Result<MeasuredProcessor> measure_processor(int) {
  return fail("the command in WebAssembly has no threads to measure with; expected the native command, or the page's Measure this machine");
}

Result<std::string> run_clpeak() { return fail("the command in WebAssembly starts no other program; expected the native command"); }

int serve(const ServeOptions& options) {
  const nlohmann::json json{{"file", options.file}, {"registry", options.registry}, {"config", options.config},
                            {"root", options.root}, {"port", options.port},         {"open", !options.no_open}};
  const std::string text = json.dump();
  node_serve(text.data(), text.size());
  return done;
}

}  // namespace roofline::cli
