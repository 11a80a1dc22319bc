// roofline serve [FILE]: the page on this machine's own address, with FILE open and its changes followed.
#include <memory>

#include "io/serve.hpp"

namespace roofline::cli {

void add_serve(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "The page on this machine, with a file open and its changes followed");
  CLI::Option* file = command->add_option("FILE", options->file, "Operations to open; every change of the file is shown within a second");
  file->type_name("")->check(
      [](const std::string& name) { return name == "-" ? "standard input cannot be followed: expected a file" : ""; });
  command->add_option("--registry", options->registry, "More operations (default: op_registry.json beside FILE)")
      ->needs(file)
      ->type_name("FILE");
  command->add_option("--config", options->config, "Settings (default: roofline_config.json beside FILE)")->needs(file)->type_name("FILE");
  command->add_option("--port", options->port, "Port on 127.0.0.1 (default: 8080); 0 takes any free one")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  command->add_flag("--no-open", options->no_open, "Do not open a browser");
  command->add_option("--root", options->root, "Folder of the built page")->type_name("DIR");
  command->callback([options, &chosen] { chosen = [options] { return serve(*options); }; });
}

}  // namespace roofline::cli
