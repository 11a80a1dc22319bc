#include "io/site.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/program.hpp"

namespace roofline::cli {
namespace fs = std::filesystem;

Result<fs::path> find_site(const std::string& named) {
  std::vector<fs::path> candidates;
  std::error_code failed;
  if (!named.empty()) {
    candidates.push_back(named);
  } else {
    if (const fs::path folder = program_folder(); !folder.empty())
      candidates = {folder.parent_path() / "share/roofline", folder.parent_path() / "dist"};
#ifdef ROOFLINE_SITE_DIR
    candidates.push_back(ROOFLINE_SITE_DIR);
#endif
  }
  for (const fs::path& candidate : candidates) {
    if (!fs::is_regular_file(candidate / "index.html", failed)) continue;
    if (fs::path site = fs::canonical(candidate, failed); !failed) return site;
  }
  const std::string where = candidates.empty() ? "" : candidates.back().string() + ": ";
  return fail(where + "no index.html there: expected the folder of the built page (tools/run builds it, --root names another)");
}

std::optional<fs::path> find_page(const fs::path& site, std::string_view url_path) {
  if (url_path.find('\0') != std::string_view::npos) return std::nullopt;
  url_path.remove_prefix(std::min(url_path.find_first_not_of('/'), url_path.size()));
  std::error_code failed;
  fs::path file = fs::canonical(site / (url_path.empty() ? "index.html" : url_path), failed);
  if (failed || !fs::is_regular_file(file, failed)) return std::nullopt;
  const bool inside = std::mismatch(site.begin(), site.end(), file.begin(), file.end()).first == site.end();
  return inside ? std::optional(std::move(file)) : std::nullopt;
}

bool is_local_host(std::string_view host_header) {
  const std::size_t colon = host_header.rfind(':');
  const bool port = colon != std::string_view::npos && host_header.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  std::string host(host_header.substr(0, port ? colon : host_header.size()));
  std::transform(host.begin(), host.end(), host.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

bool is_local_origin(std::string_view origin_header) {
  constexpr std::string_view scheme = "http://";
  return origin_header.substr(0, scheme.size()) == scheme && is_local_host(origin_header.substr(scheme.size()));
}

}  // namespace roofline::cli
