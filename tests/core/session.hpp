// A file of operations opened in a session, as the page does.
#pragma once

#include <roofline/session/session.hpp>

#include "support.hpp"

namespace roofline {

/// What finish() answers.
inline std::string open_in(Session& session, std::string_view bytes, const std::string& name) {
  session.start(name, bytes.size());
  bytes.copy(session.begin(bytes.size(), name), bytes.size());
  REQUIRE(session.feed() == "{}");
  return session.finish();
}

}  // namespace roofline
