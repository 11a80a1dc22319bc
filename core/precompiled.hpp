// Compiled once and put before every source of the core. No source relies on it: each includes what it uses.
// None of our own headers: ccache finds the compiled header again after a comment has changed, and GCC then takes such a header for another
// one.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>
