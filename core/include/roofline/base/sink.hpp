// Where text goes, piece by piece, so that a document of any size needs no second copy.
#pragma once

#include <functional>
#include <string_view>

namespace roofline {

using Sink = std::function<void(std::string_view)>;

}  // namespace roofline
