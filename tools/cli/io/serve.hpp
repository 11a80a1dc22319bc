// The page on this machine's own address, with a file open and its changes followed: by the native command itself (serve.cpp), else by
// Node's own server (npm/serve.mjs), which the one of WebAssembly hands over to.
#pragma once

#include <string>

#include "commands.hpp"

namespace roofline::cli {

struct ServeOptions {
  std::string file;
  std::string registry;
  std::string config;
  std::string root;
  int port = 8080;
  bool no_open = false;
};

[[nodiscard]] int serve(const ServeOptions& options);

}  // namespace roofline::cli
