#include "io/serve.hpp"

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "io/browser.hpp"
#include "io/files.hpp"
#include "io/site.hpp"
#include "io/watch.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* address = "127.0.0.1";
constexpr auto poll_interval = 200ms;
constexpr auto heartbeat_interval = 15s;

volatile std::sig_atomic_t interrupted = 0;

/// None without FILE. A registry and a config that are not named are looked for beside it, under their own names; they may come later.
std::vector<std::pair<std::string, fs::path>> watched_files(const ServeOptions& options) {
  if (options.file.empty()) return {};
  const fs::path folder = fs::path(options.file).parent_path();
  return {{"operations", options.file},
          {"registry", options.registry.empty() ? folder / "op_registry.json" : fs::path(options.registry)},
          {"config", options.config.empty() ? folder / "roofline_config.json" : fs::path(options.config)}};
}

void not_found(httplib::Response& response) {
  response.status = 404;
  response.set_content("Not found\n", "text/plain");
}

/// A file in pieces. The length is given beforehand: httplib compresses answers of unknown length, at seconds per megabyte.
void send_file(const fs::path& path, const std::string& type, httplib::Response& response) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  std::error_code failed;
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  if (!fs::is_regular_file(path, failed) || !*file) return not_found(response);
  const auto size = static_cast<std::size_t>(file->tellg());
  if (size == 0) return response.set_content("", type);
  const auto buffer = std::make_shared<std::string>(std::min(size, piece), '\0');
  response.set_content_provider(size, type, [file, buffer](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
    file->seekg(static_cast<std::streamoff>(offset));
    file->read(buffer->data(), static_cast<std::streamsize>(std::min(length, buffer->size())));
    return file->gcount() > 0 && sink.write(buffer->data(), static_cast<std::size_t>(file->gcount()));
  });
}

std::string dump(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

void send_info(const Watch& watch, httplib::Response& response) {
  nlohmann::json files = nlohmann::json::array();
  for (const WatchedFile& file : watch.files()) {
    if (!file.exists) continue;
    files.push_back({{"role", file.role}, {"name", file.path.filename().string()}, {"size", file.size}, {"version", file.version}});
  }
  response.set_content(dump({{"files", files}}), "application/json");
}

/// One page's event stream: called again and again by httplib until it returns false or the stream is done.
class EventStream {
 public:
  explicit EventStream(const Watch& watch) : watch_(&watch), known_(watch.files()) {}

  bool operator()(httplib::DataSink& sink) {
    if (watch_->stopped()) {
      sink.done();
      return true;
    }
    std::string text;
    if (last_sent_ == Clock::time_point{}) {
      text = ": following\n\n";
    } else {
      // Not for longer, so that a page that has gone gives its thread back.
      const std::vector<WatchedFile> now = watch_->wait(known_, 1s);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].version == known_[i].version) continue;
        text += "event: change\ndata: " + dump({{"role", now[i].role}, {"version", now[i].version}}) + "\n\n";
      }
      known_ = now;
      if (text.empty() && Clock::now() - last_sent_ >= heartbeat_interval) text = ": still here\n\n";
    }
    if (!sink.is_writable()) return false;
    if (text.empty()) return true;
    last_sent_ = Clock::now();
    return sink.write(text.data(), text.size());
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Watch* watch_;
  std::vector<WatchedFile> known_;
  Clock::time_point last_sent_{};
};

void add_live_routes(httplib::Server& server, const Watch& watch) {
  server.Get("/live/info", [&watch](const httplib::Request&, httplib::Response& response) { send_info(watch, response); });
  server.Get("/live/file/([a-z]+)", [&watch](const httplib::Request& request, httplib::Response& response) {
    for (const WatchedFile& file : watch.files()) {
      if (file.role == request.matches[1].str()) return send_file(file.path, "application/octet-stream", response);
    }
    not_found(response);
  });
  server.Get("/live/events", [&watch](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider(
        "text/event-stream", [stream = EventStream(watch)](std::size_t, httplib::DataSink& sink) mutable { return stream(sink); });
  });
}

void configure(httplib::Server& server) {
  // httplib's own choice, SO_REUSEPORT, would let a second server share the port in silence.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_keep_alive_timeout(1);                                    // seconds; how long an idle connection can hold up the end
  server.new_task_queue = [] { return new httplib::ThreadPool(64); };  // each open page keeps one thread for its events
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Server-Timing", "roofline-serve"}});  // how the page knows whom to ask for /live/info
  server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    const bool of_others = request.has_header("Origin") && !is_local_origin(request.get_header_value("Origin"));
    if (is_local_host(request.get_header_value("Host")) && !of_others) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content("This server answers to localhost and 127.0.0.1 only\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
}

/// The port it listens on; 0 where it cannot.
int bind(httplib::Server& server, int port) {
  if (port == 0) return std::max(server.bind_to_any_port(address), 0);
  return server.bind_to_port(address, port) ? port : 0;
}

}  // namespace

int serve(const ServeOptions& options) {
  const Result<fs::path> site = find_site(options.root);
  if (!site) return report(site.error().text(), unusable_input);
  for (const std::string& file : {options.file, options.registry, options.config}) {
    if (file.empty()) continue;
    if (const Result<void> readable = check_readable(file); !readable) return report(describe(file, readable.error()), unusable_input);
  }

  Watch watch(watched_files(options));
  httplib::Server server;
  configure(server);
  add_live_routes(server, watch);
  server.Get(".*", [&site](const httplib::Request& request, httplib::Response& response) {
    const auto file = find_page(*site, request.path);
    return file ? send_file(*file, content_type(*file), response) : not_found(response);
  });

  const int port = bind(server, options.port);
  if (port == 0) {
    return report("port " + std::to_string(options.port) + " of " + address +
                      " is in use or not permitted: expected a free one, which --port names (--port 0 takes any)",
                  unusable_input);
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  std::thread listener([&server] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::sleep_for(1ms);  // stop() has no effect before

  const std::string url = "http://localhost:" + std::to_string(port) + "/";
  std::fprintf(stderr, "%s shows %s (Ctrl-C ends)\n", url.c_str(), options.file.empty() ? "the page" : options.file.c_str());
  if (!options.no_open) open_browser(url);
  while (!interrupted) {
    std::this_thread::sleep_for(poll_interval);
    watch.poll();
  }
  watch.stop();
  server.stop();
  listener.join();
  return done;
}

}  // namespace roofline::cli
