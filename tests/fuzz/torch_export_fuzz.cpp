// Any bytes as an exported program of PyTorch: in an archive, or as the JSON in one. Refused with a reason, or a network whose operations
// are read. And any bytes as deflated data: refused, or exactly as long as they should be.
#include <roofline/network/network.hpp>

#include "base/zip/inflate.hpp"
#include "check.hpp"

using namespace roofline;

namespace {

void check_network(const std::string& archive) {
  const BytesAtHand source(archive);
  const auto network = open_network("net.pt2", source);
  if (!network) return check(!network.error().message.empty());
  for (const ToolChain by : {ToolChain::none, ToolChain::all}) {
    const auto commands = network_commands(**network, {}, by);
    if (!commands) {
      check(!commands.error().message.empty());
      continue;
    }
    check(read(*commands, ReadOptions()).has_value());
  }
}

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

/// An archive with `json` as its program.
std::string archive_of(std::string_view json) {
  const std::string name = "serialized_exported_program.json";
  const std::string sizes = little(0, 4) + little(json.size(), 4) + little(json.size(), 4) + little(name.size(), 2) + little(0, 2);
  const std::string local = "PK\x03\x04" + std::string(10, '\0') + sizes + name;
  const std::string central = "PK\x01\x02" + std::string(12, '\0') + sizes + std::string(14, '\0') + name;
  const std::size_t at = local.size() + json.size();
  return local + std::string(json) + central + "PK\x05\x06" + little(0, 4) + little(1, 2) + little(1, 2) + little(central.size(), 4) +
         little(at, 4) + little(0, 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.substr(0, 2) == "PK") check_network(std::string(text));
  check_network(archive_of(text));
  const std::uint64_t wanted = size * 4;
  if (const Result<std::string> unpacked = inflate(text, wanted)) check(unpacked->size() == wanted);
  return 0;
}
