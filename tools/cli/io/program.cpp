#include "io/program.hpp"

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <cstdint>
#include <string>
#endif

namespace roofline::cli {

std::filesystem::path program_folder() {
  std::error_code failed;
#ifdef __APPLE__
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  if (_NSGetExecutablePath(name.data(), &size) != 0) return {};
  return std::filesystem::canonical(name.c_str(), failed).parent_path();
#else
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
#endif
}

}  // namespace roofline::cli
