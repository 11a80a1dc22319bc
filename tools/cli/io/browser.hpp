#pragma once

#include <string>

namespace roofline::cli {

/// Shows `url` in the user's browser where there is one and a display to show it on; otherwise does nothing.
void open_browser(const std::string& url);

}  // namespace roofline::cli
