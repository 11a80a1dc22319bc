// Where this program is.
#pragma once

#include <filesystem>

namespace roofline::cli {

/// The folder of the executable; empty where the system does not say.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace roofline::cli
