#include "json.hpp"

namespace nlohmann {
template class basic_json<ordered_map>;
}
