#include "io/browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

extern char** environ;

namespace roofline::cli {

void open_browser(const std::string& url) {
#ifdef __APPLE__
  const char* opener = "open";
#else
  const char* opener = "xdg-open";
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
#endif
  std::signal(SIGCHLD, SIG_IGN);  // nobody waits for it, so it must not stay behind as a zombie
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // Ctrl-C ends the server, not the browser
  char* arguments[] = {const_cast<char*>(opener), const_cast<char*>(url.c_str()), nullptr};
  pid_t process = 0;
  (void)posix_spawnp(&process, opener, &files, &attributes, arguments, environ);  // not installed: the URL has been printed
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

}  // namespace roofline::cli
