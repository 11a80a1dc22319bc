// Tables of kernels, one measurement per row, as CSV or JSON, whatever tool wrote them. columns/ tells what the columns hold;
// KernelRows makes operations of the rows. docs/formats/kernels.md has the rules.
#include <algorithm>
#include <array>
#include <optional>
#include <roofline/base/text.hpp>

#include "read/formats.hpp"
#include "read/table/columns/reading.hpp"
#include "read/table/kernel_rows.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

class KernelReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit KernelReader(ReadOptions options)
      : RowsReader(options.source_name, SourceFormat::kernels, options.limits), options_(std::move(options)) {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    if (!table_) {
      window.drop(before_table(window.text()));
      table_.emplace(window.text(), last);
      if (auto ok = start(); !ok) return ok;
    } else {
      table_->reset(window.text(), window.start(), last);
    }
    const LineIndex lines = window.lines();
    for (;;) {
      const auto more = table_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      if (table_->row_end() - table_->row_begin() > options_.longest_record)
        return Unexpected(too_long(lines, table_->row_begin(), options_.longest_record));
      kernels_->add(window, lines);
    }
    window.drop(table_->position());
    rows_.reserve_for(window.source_offset(0) - options_.first_byte, options_.source_bytes);
    kernels_->reserve(rows_.workload().op_class.capacity());
    return {};
  }

  Workload take() override {
    kernels_->finish();
    return rows_.take();
  }

 private:
  Result<void> start() {
    if (auto ok = table_->start(); !ok) return ok;
    if (std::string missing; !table_->rename(options_.columns, missing)) return fail("no column is called " + printed(missing), "columns");
    if (table_->header().empty()) return fail("a table without columns: expected a header such as name,M,N,K,dtype,time_us");
    map_ = table_->column_map();
    note_equal_headers();
    if (auto ok = settle_reading(*map_, *table_, rows_); !ok) return ok;
    if (!map_->is_own_csv()) note_lacking_units();
    kernels_.emplace(options_, *map_, *table_, rows_);
    return {};
  }

  void note_equal_headers() {
    Interner headers;
    for (const std::string& h : map_->header) {
      bool is_new = false;
      headers.intern(h, &is_new);
      if (!is_new && meaning_of(h).role != ColumnRole::none)
        rows_.note(Severity::warning, "two columns are called " + printed(h) + ": the first is used");
    }
  }

  void note_lacking_units() {
    for (std::size_t i = 0; i < map_->header.size(); ++i) {
      const ColumnMeaning m = meaning_of(map_->header[i]);
      const char* units = m.scale > 0 || map_->used_as(static_cast<int>(i)) != ColumnRole::none ? nullptr
                          : m.role == ColumnRole::time_sum  ? "of time and is not used: expected ns, us, ms or s"
                          : m.role == ColumnRole::rate      ? "of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s"
                          : m.role == ColumnRole::bandwidth ? "of a bandwidth and is not used: expected B/s, GB/s or GiB/s"
                                                            : nullptr;
      if (units)
        rows_.note(Severity::warning, "the column " + map_->header_of(static_cast<int>(i)) + " names no unit " + units + " in its header");
    }
  }

  const ReadOptions options_;
  std::optional<TableRows> table_;
  std::optional<ColumnMap> map_;
  std::optional<KernelRows> kernels_;
};

/// A list of operations has types, shapes and words of its own; records without any of them that speak of kernels (a format, a batch, M, a
/// time) are a table of kernels, though it may lack what places them.
bool speaks_of_kernels(const ColumnMap& p) {
  const Keys keys;
  constexpr std::array shapes = {key::type,       key::input_shape,      key::output_shape,  key::input_mat1,
                                 key::input_mat2, key::input_input,      key::input_self,    key::input_other,
                                 key::inputs,     key::normalized_shape, key::indices_shape, key::weight_shape};
  constexpr std::array spelled = {key::data_type, key::weight_type,  key::output_type, key::kv_type,
                                  key::time_ns,   key::predicted_ns, key::hw_bytes};
  const auto is_operation_key = [&](ColumnRole role) {
    const Key known = p.has(role) ? keys.find(p.raw_header(role)) : Key{};
    return !p.has(role) || known != Keys::npos;
  };
  const bool all_operation_keys = is_operation_key(ColumnRole::name) && is_operation_key(ColumnRole::flops) &&
                                  is_operation_key(ColumnRole::macs) && is_operation_key(ColumnRole::bytes) &&
                                  is_operation_key(ColumnRole::time);
  bool kernels = false;
  for (const std::string& h : p.header) {
    const Key known = keys.find(h);
    if (std::find(shapes.begin(), shapes.end(), known) != shapes.end()) return false;
    if (all_operation_keys && std::find(spelled.begin(), spelled.end(), known) != spelled.end() && h == key_name(known)) return false;
    const ColumnRole role = meaning_of(h).role;
    kernels = kernels || (role != ColumnRole::none && role != ColumnRole::name && role != ColumnRole::type && role != ColumnRole::count);
  }
  return kernels && !(p.states_work() && all_operation_keys);
}

bool names_time_unit(const ColumnMap& map) {
  return (map.has(ColumnRole::time) && map.unit(ColumnRole::time) > 0) || map.has(ColumnRole::time_sum);
}

}  // namespace

bool detects_kernels(std::string_view text) {
  text.remove_prefix(before_table(text));
  if (first_visible(text) == '\0') return false;
  TableRows rows(text, true);
  if (!rows.start() || rows.header().size() < 2) return false;
  if (!rows.is_json()) return true;
  const ColumnMap map = rows.column_map();
  const bool measured = map.has(ColumnRole::rate) || map.has(ColumnRole::intensity) || map.has(ColumnRole::bandwidth) ||
                        (map.product() && map.has(ColumnRole::time));
  // Many tools write a JSON object that holds a list; it is a table only if its rows have times, of work or of something with a name.
  if (!rows.may_be_operations())
    return measured || (map.states_work() && map.timed()) || (map.has(ColumnRole::name) && names_time_unit(map));
  // A list of operations has types and times; only a table of measurements has rates or intensities.
  if (std::find(rows.header().begin(), rows.header().end(), "type") != rows.header().end()) return false;
  if (measured) return true;
  return (first_visible(text) == '[' || rows.has_lines() || (map.states_work() && map.timed())) && speaks_of_kernels(map);
}

std::unique_ptr<FormatReader> open_kernels(const ReadOptions& options) { return std::make_unique<KernelReader>(options); }

}  // namespace roofline
