#include "io/serve.hpp"

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "io/browser.hpp"
#include "io/files.hpp"
#include "io/site.hpp"
#include "io/watch.hpp"
#include "serve_table.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// npm/serve.json: what this server and the npm package's (npm/serve.mjs) have in common.
const nlohmann::json& table() {
  static const auto parsed = nlohmann::json::parse(serve_table);
  return parsed;
}

std::string text_of(const char* group, const std::string& name) { return table()[group][name].get<std::string>(); }

std::string route(const char* name) { return text_of("routes", name); }

volatile std::sig_atomic_t interrupted = 0;

/// None without FILE. A registry and a config that are not named are looked for beside it, under their own names; they may come later.
std::vector<std::pair<std::string, fs::path>> watched_files(const ServeOptions& options) {
  if (options.file.empty()) return {};
  const auto beside = [&](const std::string& named, const char* role) {
    return named.empty() ? fs::path(options.file).parent_path() / text_of("files", role) : fs::path(named);
  };
  return {{"operations", options.file}, {"registry", beside(options.registry, "registry")}, {"config", beside(options.config, "config")}};
}

void refuse(int status, httplib::Response& response) {
  response.status = status;
  response.set_content(text_of("errors", std::to_string(status)), "text/plain");
}

std::string content_type(const fs::path& file) { return table()["types"].value(file.extension().string(), "application/octet-stream"); }

/// A file in pieces. The length is given beforehand: httplib compresses answers of unknown length, at seconds per megabyte.
void send_file(const fs::path& path, const std::string& type, httplib::Response& response) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  std::error_code failed;
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  if (!fs::is_regular_file(path, failed) || !*file) return refuse(404, response);
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
  for (const WatchedFile& file : watch.now().files) {
    if (!file.exists) continue;
    files.push_back({{"role", file.role}, {"name", file.path.filename().string()}, {"size", file.size}, {"version", file.version}});
  }
  response.set_content(dump({{"files", files}}), "application/json");
}

/// One page's event stream: called again and again by httplib until it returns false or the stream is done.
class EventStream {
 public:
  explicit EventStream(const Watch& watch) : watch_(&watch), known_(watch.now()) {}

  bool operator()(httplib::DataSink& sink) {
    if (watch_->stopped()) {
      sink.done();
      return true;
    }
    std::string text;
    if (!opened_) {
      text = ": following\n\n";
      opened_ = true;
    } else {
      // At most a second, so that the thread of a page that has gone becomes free.
      const Watch::State now = watch_->wait(known_, 1s);
      for (std::size_t i = 0; i < now.files.size(); ++i) {
        if (now.files[i].version == known_.files[i].version) continue;
        text += "event: change\ndata: " + dump({{"role", now.files[i].role}, {"version", now.files[i].version}}) + "\n\n";
      }
      if (text.empty() && now.heartbeats != known_.heartbeats) text = ": still here\n\n";
      known_ = now;
    }
    if (!sink.is_writable()) return false;
    return text.empty() || sink.write(text.data(), text.size());
  }

 private:
  const Watch* watch_;
  Watch::State known_;
  bool opened_ = false;
};

void add_live_routes(httplib::Server& server, const Watch& watch) {
  server.Get(route("info"), [&watch](const httplib::Request&, httplib::Response& response) { send_info(watch, response); });
  server.Get(route("file") + "([a-z]+)", [&watch](const httplib::Request& request, httplib::Response& response) {
    for (const WatchedFile& file : watch.now().files) {
      if (file.role == request.matches[1].str()) return send_file(file.path, "application/octet-stream", response);
    }
    refuse(404, response);
  });
  server.Get(route("events"), [&watch](const httplib::Request&, httplib::Response& response) {
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
  httplib::Headers headers;
  for (const auto& [name, value] : table()["headers"].items()) headers.emplace(name, value.get<std::string>());
  server.set_default_headers(std::move(headers));
  server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    const bool of_others = request.has_header("Origin") && !is_local_origin(request.get_header_value("Origin"));
    if (is_local_host(request.get_header_value("Host")) && !of_others) return httplib::Server::HandlerResponse::Unhandled;
    refuse(403, response);
    return httplib::Server::HandlerResponse::Handled;
  });
}

/// The port it listens on; 0 where it cannot.
int bind(httplib::Server& server, int port) {
  const auto address = table()["address"].get<std::string>();
  if (port == 0) return std::max(server.bind_to_any_port(address), 0);
  return server.bind_to_port(address, port) ? port : 0;
}

/// Polls until a signal. ROOFLINE_CLOCK=stdin is for tests: a line of standard input takes the place of each interval, an empty line on
/// standard output says that the poll is done, and the end of the input ends it.
void follow(Watch& watch) {
  const char* clock = std::getenv("ROOFLINE_CLOCK");
  if (clock && clock == std::string_view("stdin")) {
    for (int c = std::getchar(); c != EOF; c = std::getchar()) {
      if (c != '\n') continue;
      watch.poll();
      std::putchar('\n');
      std::fflush(stdout);
    }
    return;
  }
  const std::chrono::milliseconds interval(table()["poll_ms"].get<int>());
  while (!interrupted) {
    std::this_thread::sleep_for(interval);
    watch.poll();
  }
}

}  // namespace

int serve(const ServeOptions& options) {
  const Result<fs::path> site = find_site(options.root);
  if (!site) return report(site.error().text(), unusable_input);
  for (const std::string& file : {options.file, options.registry, options.config}) {
    if (file.empty()) continue;
    if (const Result<void> readable = check_readable(file); !readable) return report(describe(file, readable.error()), unusable_input);
  }

  Watch watch(watched_files(options), table()["polls_per_heartbeat"].get<std::uint64_t>());
  httplib::Server server;
  configure(server);
  add_live_routes(server, watch);
  server.Get(".*", [&site](const httplib::Request& request, httplib::Response& response) {
    const auto file = find_page(*site, request.path);
    return file ? send_file(*file, content_type(*file), response) : refuse(404, response);
  });

  const int port = bind(server, options.port);
  if (port == 0) {
    return report("port " + std::to_string(options.port) + " of " + table()["address"].get<std::string>() +
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
  follow(watch);
  watch.stop();
  server.stop();
  listener.join();
  return done;
}

}  // namespace roofline::cli
