#include "io/report.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "io/files.hpp"
#include "io/gzip.hpp"
#include "io/program.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Where web/single.mjs leaves room for the report.
constexpr std::string_view room = R"(<script type="application/json" id="report">)";

Result<std::string> read_page(const std::string& named) {
  const fs::path folder = program_folder();
  std::vector<fs::path> candidates;
  if (!named.empty()) {
    candidates.emplace_back(named);
  } else {
    if (!folder.empty())
      candidates = {folder / "roofline.html", folder.parent_path() / "share/roofline/roofline.html",
                    folder.parent_path() / "dist/roofline.html"};
#ifdef ROOFLINE_SITE_DIR
    candidates.push_back(fs::path(ROOFLINE_SITE_DIR) / "roofline.html");
#endif
  }
  std::error_code failed;
  for (const fs::path& candidate : candidates) {
    if (!fs::is_regular_file(candidate, failed)) continue;
    Result<std::string> page = read_file(candidate);
    if (page && page->find(room) == std::string::npos)
      return fail(candidate.string() + ": has no room for a report: expected the roofline.html of this version");
    return page;
  }
  return fail((candidates.empty() ? "roofline.html" : candidates.back().string()) +
              ": not there: expected the page as one file (tools/build page makes it, --template names another)");
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += i + j > bytes.size() ? '=' : digits[three >> (18 - 6 * j) & 63];
  }
  return out;
}

/// JSON inside a script element that is no script: nothing in it can end the element.
std::string inert(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) text.replace(at, 1, "\\u003c");
  return text;
}

std::string name_of(const std::string& path) { return path == "-" ? display_name(path) : fs::path(path).filename().string(); }

Result<Json> packed_files(const std::vector<std::string>& paths) {
  Json files = Json::array();
  for (const std::string& path : paths) {
    const Result<std::string> bytes = path == "-" ? kept_standard_input() : read_file(path);
    if (!bytes) return fail(describe(path, bytes.error()));
    files.push_back({{"name", name_of(path)}, {"gzip", base64(packed(*bytes))}});
  }
  return files;
}

}  // namespace

void add_template_option(CLI::App& command, std::string& page) {
  command
      .add_option("--template", page, "With -o html: the page that becomes the report (default: the roofline.html of this installation)")
      ->type_name("FILE");
}

Json file_source(const std::string& path) { return {{"file", name_of(path)}}; }

Json link_settings(const Scenario& scenario) {
  Json settings = Json::parse(config_json(scenario), nullptr, false);
  if (!scenario.typed.peak_tops) settings.erase("peak_tops");
  if (!scenario.typed.mem_bw) settings.erase("mem_bw");
  if (scenario.basis == MachineBasis::assumed || scenario.basis == MachineBasis::stated) settings.erase("machine");
  return settings;
}

Json link_view(const OpFilter& filter, const Workload& workload) {
  Json view = Json::object();
  if (!filter.steps.empty()) view["steps"] = filter.steps;
  if (!filter.category_or_type.empty()) {  // the page's words are types, as they are written
    const RowSelection rows = select_rows(workload, filter);
    view["types"] = Json::array();
    for (std::size_t c = 0; c < workload.classes.size(); ++c)
      if (const std::string& type = workload.classes[c].type;
          rows.classes[c] != 0 && std::find(view["types"].begin(), view["types"].end(), Json(type)) == view["types"].end())
        view["types"].push_back(type);
  }
  if (!filter.bounds.empty()) view["bounds"] = filter.bounds;
  if (!filter.limits.empty()) view["limits"] = filter.limits;
  if (!filter.text.empty()) view["search"] = filter.text;
  if (!filter.infeed) view["noInfeed"] = true;
  return view;
}

int print_report(const Report& report, const std::string& page) {
  if (report.top == 0) return cli::report("--top: a report's chart has one point at least", wrong_command_line);
  Json link = report.link;
  if (report.top) link["view"]["top"] = *report.top;
  const Result<std::string> template_page = read_page(page);
  if (!template_page) return cli::report(template_page.error().text(), unusable_input);
  Json files = Json::object();
  for (const auto& [role, paths] : {std::pair("source", &report.source), std::pair("before", &report.before)}) {
    Result<Json> packed = packed_files(*paths);
    if (!packed) return cli::report(packed.error().text(), wrong_command_line);
    if (!packed->empty()) files[role] = std::move(*packed);
  }
  const Json json{{"version", ROOFLINE_VERSION}, {"link", std::move(link)}, {"files", std::move(files)}};
  const std::string_view text = *template_page;
  const std::size_t at = text.find(room) + room.size();
  return print_pieces([&](const Sink& sink) {
    sink(text.substr(0, at));
    sink(inert(json.dump(-1, ' ', false, Json::error_handler_t::replace)));
    sink(text.substr(text.find("</script>", at)));
  });
}

}  // namespace roofline::cli
