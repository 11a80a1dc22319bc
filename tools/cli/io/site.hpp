// The built page as a folder of files, and what of it may be served.
#pragma once

#include <filesystem>
#include <optional>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

namespace roofline::cli {

/// The folder with the built page: `named`, else ../share/roofline or ../dist from the executable's folder, else the one of this build.
[[nodiscard]] Result<std::filesystem::path> find_site(const std::string& named);

/// The file that a URL's path (already decoded) names; nothing where that is not a file inside `site`, links followed.
[[nodiscard]] std::optional<std::filesystem::path> find_page(const std::filesystem::path& site, std::string_view url_path);

/// True for the names this machine has for itself, with any port. A page of another site whose name was made to resolve to 127.0.0.1
/// (DNS rebinding) sends that site's name.
[[nodiscard]] bool is_local_host(std::string_view host_header);

/// True where a page of this machine's own asks, at any port. Browsers name the page that asks wherever it is not the one they ask for.
[[nodiscard]] bool is_local_origin(std::string_view origin_header);

}  // namespace roofline::cli
