// The input of a session: files of operations in pieces; settings, machines and registries whole.
#include <algorithm>
#include <array>
#include <roofline/analysis/which_machine.hpp>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine_import.hpp>
#include <roofline/read/table_columns.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>
#include <roofline/workload/join.hpp>

#include "base/json.hpp"
#include "read/formats.hpp"
#include "session/failed.hpp"
#include "session/opened.hpp"
#include "session/read_overrides.hpp"

namespace roofline {
char* Session::begin(std::size_t size, std::string name) {
  pending_.resize(size);
  pending_name_ = std::move(name);
  return pending_.data();
}

std::string Session::prepare() {
  if (find_binary_format(pending_)) {
    drop();
    return dump(Json{{"kind", "operations"}});
  }
  auto text = to_utf8(pending_);
  drop();
  if (!text) return failed(text.error());
  const FileKind kind = detect(*text);
  constexpr std::array names = {"operations", "registry", "config",
                                "machine",    "model",    "operations"};  // unknown: the reader says what is wrong
  Json out = {{"kind", names[static_cast<std::size_t>(kind)]}};
  if (kind == FileKind::operations || kind == FileKind::unknown) return dump(out);
  if (kind == FileKind::machine) {  // from whatever tool: what is handed back is a machine file
    const auto machine = import_machine(*text);
    if (!machine) return failed(machine.error());
    *text = machine_json(*machine, true);
  }
  out["text"] = std::move(*text);
  return dump(out);
}

std::string Session::take_as(std::string_view choices) {
  auto as = parse_read_overrides(choices);
  if (!as) return failed(as.error());
  next_overrides_ = std::make_unique<ReadOverrides>(std::move(*as));
  return "{}";
}

std::string Session::table_columns() {
  auto text = to_utf8(pending_);
  drop();
  const auto columns = text ? roofline::table_columns(*text) : Result<std::vector<TableColumn>>(Unexpected(text.error()));
  if (!columns) return failed(columns.error());
  Json found = Json::array(), choices = Json::array();
  for (const TableColumn& c : *columns)
    found.push_back(
        {{"header", c.header}, {"meaning", c.meaning}, {"first", c.first}, {"use", to_string(c.use)}, {"as", c.as}, {"unit", c.unit}});
  for (const ColumnChoice& c : column_choices()) choices.push_back({{"header", c.header}, {"meaning", c.meaning}});
  return dump(Json{{"columns", std::move(found)}, {"choices", std::move(choices)}});
}

void Session::start(std::string name, std::uint64_t size) {
  ReadOptions options;
  options.source_name = std::move(name);
  options.source_bytes = size;
  options.registry = registry_.get();
  options.keys = keys_.get();
  overrides_ = next_overrides_ ? std::move(next_overrides_) : std::make_unique<ReadOverrides>();
  options.each_launch = overrides_->model.has_value();
  options.columns = overrides_->columns;
  options.assumed_format = scenario_.assumed_format.value_or(no_format);
  options.limits = limits_;
  options.limits.memory_bytes -= std::min<std::uint64_t>(memory_held(), limits_.memory_bytes);
  reader_ = std::make_unique<Reader>(std::move(options));
}

std::string Session::feed() {
  if (!reader_) return failed({"nothing is being read", 0, 0, {}});
  if (const auto ok = reader_->feed(pending_); !ok) return not_read(ok.error());
  return "{}";
}

std::uint64_t Session::memory_held() const {
  const auto held = [](const Workload& w) { return w.resident_bytes() + w.text.size(); };
  return held(work_) + (before_ ? held(*before_) : 0);
}

/// Where there is no room for it, with what takes that room, and what opens in its place.
std::string Session::not_read(Error error) {
  if (reader_->full()) {
    if (const std::uint64_t held = memory_held(); held > limits_.memory_bytes / 16)
      error.message += "; what is open takes " + with_unit(static_cast<double>(held), "B") + ": after a sample there is more room";
    error.message += ". The command reads it: roofline analyze FILE. Where its operations recur, what -o summary writes opens here";
  }
  drop();
  return failed(error);
}

std::string Session::finish() {
  if (!reader_) return failed({"nothing is being read", 0, 0, {}});
  auto workload = reader_->finish();
  if (!workload) return not_read(workload.error());
  const std::unique_ptr<ReadOverrides> as = std::move(overrides_);
  drop();
  if (as->model) {
    const auto scenario = scenario_for(*workload, settings_);
    if (!scenario) return failed(scenario.error());
    workload = place_kernels(*workload, *as->model, *scenario);
    if (!workload) return failed(workload.error());
  }
  Opening how{.asks_for_model = !as->model};
  if (!as->alone && complete_each_other(work_, *workload))
    if (Result<Workload> both = join(work_, *workload, limits_)) {
      how.joined = true;
      keep_ = false;
      workload = std::move(both);
    }
  const bool run_after = keep_;
  open(std::move(*workload));
  if (!run_after) how.guessed_machine = machine_in_words(Plan(work_, scenario_), Machines::presets().all());
  return dump(Json{{"opened", opened(work_, before_ ? &*before_ : nullptr, how)}});
}

void Session::drop() {
  reader_.reset();
  pending_.clear();
  pending_.shrink_to_fit();
}

std::string Session::add_registry(std::string_view text) {
  auto keys = std::make_unique<Keys>(*keys_);
  auto registry = std::make_unique<Registry>(*registry_);
  if (auto ok = registry->add(text, *keys); !ok) return failed(ok.error());
  keys_ = std::move(keys);
  registry_ = std::move(registry);
  Json ops = Json::array();
  for (const RegistryOperation& op : registry_->operations()) ops.push_back(op.type);
  return dump(Json{{"ops", std::move(ops)}});
}

void Session::clear_registry() {
  keys_ = std::make_unique<Keys>();
  registry_ = std::make_unique<Registry>();
}

}  // namespace roofline
