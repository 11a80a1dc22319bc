// Networks as tests open them: their commands.json, its summary, and figures of real files.
#pragma once

#include <filesystem>
#include <roofline/network/network.hpp>
#include <roofline/write/write.hpp>

#include "json.hpp"
#include "support.hpp"

namespace roofline {

/// The commands.json of a network, or what is wrong with it.
inline Result<std::string> commands_of(std::string_view name, std::string_view bytes, const DimensionValues& given = {},
                                       const NetworkTarget& target = {}) {
  const BytesAtHand source(bytes);
  const Result<std::unique_ptr<Network>> network = open_network(name, source);
  if (!network) return Unexpected(network.error());
  return network_commands(**network, given, target);
}

struct ReadNetwork {
  Json facts;     ///< the member "network"
  Json commands;  ///< the operations
  double matrix_macs = 0;
  std::size_t faults = 0;  ///< records that the core's own reader refuses

  [[nodiscard]] Json command(const std::string& name) const {
    for (const Json& command : commands)
      if (command["name"] == name) return command;
    return {};
  }
};

/// Opened, and read as commands.json by the core.
inline ReadNetwork read_network(std::string_view name, std::string_view bytes, const DimensionValues& given = {},
                                const NetworkTarget& target = {}) {
  const Result<std::string> text = commands_of(name, bytes, given, target);
  INFO((text ? std::string() : text.error().text()));
  REQUIRE(text);
  const Json document = Json::parse(*text);
  ReadNetwork out{document["network"], document["commands"]};
  const Workload workload = open(*text);
  CHECK(workload.source_format == SourceFormat::network);
  for (std::size_t i = 0; i < workload.size(); ++i)
    if (workload.step.empty() || workload.steps[workload.step[i]].empty())
      out.matrix_macs += workload.matrix_flops.empty() ? 0 : known_or(workload.matrix_flops[i], 0) / 2;
  for (const Diagnostic& d : workload.diagnostics) {
    UNSCOPED_INFO(d.message);
    out.faults += d.severity == Severity::error ? 1 : 0;
  }
  return out;
}

/// The operations of a network as the core reads them, without a remark.
inline Workload operations_of(std::string_view name, std::string_view bytes, const DimensionValues& given = {}) {
  const Result<std::string> text = commands_of(name, bytes, given);
  INFO((text ? std::string() : text.error().text()));
  REQUIRE(text);
  Workload out = open(*text);
  for (const Diagnostic& d : out.diagnostics) UNSCOPED_INFO(d.message);
  CHECK(out.diagnostics.empty());
  return out;
}

inline const char* const network_samples = "../shared/samples/models/";

/// facts.json beside the real files; null where they are not.
inline Json sample_facts() {
  const std::string path = std::string(network_samples) + "facts.json";
  return std::filesystem::exists(path) ? Json::parse(file(path)) : Json();
}

}  // namespace roofline
