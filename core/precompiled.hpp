// Compiled once and put before every source of the core. No source relies on it: each includes what it uses.
// No project headers: after a comment-only change ccache reuses the old precompiled header, and GCC then treats such a header as a
// different file.
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
