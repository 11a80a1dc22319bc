#include "io/clpeak.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "io/files.hpp"

extern char** environ;

namespace roofline::cli {
namespace {

/// A folder for one run, which goes with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "roofline-XXXXXX").string();
    if (!error && mkdtemp(name.data())) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }  ///< empty: it could not be made

 private:
  std::filesystem::path path_;
};

}  // namespace

Result<std::string> run_clpeak() {
  const ScratchFolder folder;
  if (folder.path().empty()) return fail("no temporary folder could be made for clpeak's results");
  const std::string file = (folder.path() / "clpeak.xml").string();
  // clpeak 1 writes the file only with the first option.
  char* const arguments[] = {const_cast<char*>("clpeak"), const_cast<char*>("--enable-xml-dump"), const_cast<char*>("--xml-file"),
                             const_cast<char*>(file.c_str()), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);  // the result alone goes to standard output
  pid_t process = 0;
  const int error = posix_spawnp(&process, "clpeak", &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == ENOENT) return fail("clpeak is not installed; expected it on the PATH (Debian and Ubuntu: apt-get install clpeak)");
  if (error != 0) return fail("clpeak cannot be started: " + std::generic_category().message(error));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail("clpeak failed; its messages are above. Expected an OpenCL device, which clinfo lists");
  auto text = read_text(file);
  if (!text) return fail("clpeak wrote no results; its messages are above");
  return text;
}

}  // namespace roofline::cli
