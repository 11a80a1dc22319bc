#include "read/table/kernel_rows.hpp"

#include <algorithm>
#include <array>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/table/columns/reading.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

std::string unknown_format(const CsvField& cell) {
  const auto near = Formats::catalogue().near(cell.view());
  return "unknown number format " + printed(cell.text().substr(0, 60)) + ": expected one such as " + (near.empty() ? "f16" : near[0]);
}

}  // namespace

KernelRows::KernelRows(const ReadOptions& options, const ColumnMap& map, const TableRows& table, WorkloadBuilder& rows)
    : map_(map),
      table_(table),
      rows_(rows),
      keep_records_(options.keep_records),
      left_out_(map),
      numbers_(map),
      formats_(map, options),
      types_(map, rows),
      twice_(map),
      spread_(map),
      categories_(possible_filters(map.header)) {
  if (spread_.any()) spread_measure_ = rows_.add_measure(time_spread, "s");
}

void KernelRows::add(const TextWindow& window, const LineIndex& lines) {
  if (left_out_.takes(table_)) return;
  const std::size_t begin = table_.row_begin(), length = table_.row_end() - begin, fields = table_.fields().size();
  if (fields != map_.header.size())
    rows_.report(Severity::warning, [&] {
      return lines.at(begin, "the row has " + std::to_string(fields) + (fields == 1 ? " field" : " fields") + ": expected " +
                                 std::to_string(map_.header.size()) + ", as the header has");
    });
  OpClass traits;
  const auto fault = [&](std::size_t offset, std::string message) {  // the row gets no cost
    traits.invalid = true;
    rows_.report(Severity::error, [&] { return lines.at(offset, std::move(message)); });
  };
  const bool all_read = numbers_.read(table_, lines, rows_);
  const Cells& cells = numbers_.cells();
  const OperandFormats formats = formats_.of(table_);
  for (const CsvField* cell : formats.unknown)
    if (cell) fault(table_.offset(*cell), unknown_format(*cell));
  const RowType type = types_.of(table_);
  const std::optional<Work> arguments = map_.has(ColumnRole::dims) ? work_of_arguments(type) : std::nullopt;

  const Amounts a = amounts_of(cells, map_, type.family == OpFamily::matrix_product, map_.convolution(), arguments ? &*arguments : nullptr);
  if (!traits.invalid && !a.placed()) {
    traits.time_only = known(a.time) && all_read;
    if (!traits.time_only)
      fault(begin, (known(a.time) ? "this row has a time, and no work that can be read" : "this row has neither work nor a time") +
                       (": expected numbers in " + numbers_.headers()));
  }
  if (!traits.invalid && known(a.flops) && !(a.flops * a.count < 0x1p63))
    fault(begin, "the row has 2^63 FLOPs or more: expected fewer; it gets no bound");
  const CsvField* name = table_.field(map_.at(ColumnRole::name));
  if (map_.has(ColumnRole::count) && name && repeated_.seen(a, name->view())) return;
  if (map_.has(ColumnRole::name) && repeated_.is_total(a, name ? name->view() : std::string_view())) return;
  twice_.compare(cells, a);

  WorkloadRow row;
  OpNumbers& n = row.numbers;
  traits.activation = formats.activation;
  traits.family = type.family;
  if (traits.invalid || traits.time_only) {
    time_only_ += traits.time_only ? 1 : 0;
    n.matrix_flops = n.activation = unknown;
  } else {
    const bool derived = arguments && a.work && !a.states_flops;
    derived_ += derived ? 1 : 0;
    assumed_formats_ += formats.assumed ? 1 : 0;
    put_work(a, type, formats, derived, n, traits);
  }
  n.time_s = a.time;
  traits.symbol = traits.invalid ? Symbol::star : type.op ? type.op->symbol : Symbol::diamond;
  check_success();

  if (a.count != 1) n = times(n, a.count);
  row.op_class = rows_.op_class(type.word, type.category, traits);
  if (name) row.name = name->escaped ? rows_.keep(name->text()) : rows_.keep(name->view());
  row.record = keep_records_ ? rows_.keep_record(window.text().substr(begin, length)) : SourceRange(window.source_offset(begin), length);
  row.shape_hash = numbers_.shape_hash();
  rows_.push(row);
  if (spread_.any()) rows_.set_measure(spread_measure_, spread_.of(table_));
  for (CategoryColumn& column : categories_) column.add(table_);
}

void KernelRows::finish() {
  note_ignored(column_uses(map_, spread_, categories_, rows_.size()), categories_, rows_);
  if (rows_.size() == 0 && left_out_.not_run() == 0) rows_.note(Severity::warning, "the table has a header and no rows");
  if (failed_ > 0)
    rows_.note(Severity::warning, std::to_string(failed_) + (failed_ == 1 ? " row is" : " rows are") + " marked " + printed(failed_word_) +
                                      " in the column " + map_.header_of(ColumnRole::success) + ": its tool does not vouch for them");
  left_out_.report(rows_);
  numbers_.report(rows_);
  formats_.report(rows_, assumed_formats_);
  if (derived_ > 0)
    rows_.note(Severity::info, "FLOPs and bytes of " + quantity(derived_, "row") + " follow from the arguments in " +
                                   map_.header_of(ColumnRole::dims) + ": " + (derived_ == 1 ? "it states" : "they state") + " none");
  if (time_only_ > 0)
    rows_.note(Severity::info, quantity(time_only_, "row states", "rows state") +
                                   " a time but no work: shapes, FLOPs or bytes would place " + (time_only_ == 1 ? "it" : "them"));
  repeated_.report(rows_);
  twice_.report(rows_, map_);
  Diagnostics& said = rows_.workload().diagnostics;  // what is about the whole before what is about its rows
  std::stable_partition(said.begin(), said.end(), [](const Diagnostic& d) { return !d.op.has_value(); });
  for (CategoryColumn& column : categories_) column.keep(rows_.workload(), map_.header);
}

std::optional<Work> KernelRows::work_of_arguments(const RowType& type) const {
  const CsvField *name = table_.field(map_.at(ColumnRole::name)), *shapes = table_.field(map_.at(ColumnRole::dims));
  if (!type.op || !name || !shapes) return {};
  const CsvField *types = table_.field(map_.at(ColumnRole::dim_types)), *values = table_.field(map_.at(ColumnRole::dim_values));
  return work_of_call(*type.op, name->text(), {shapes->view(), types ? types->view() : "", values ? values->view() : ""});
}

void KernelRows::put_work(const Amounts& a, const RowType& type, const OperandFormats& formats, bool derived, OpNumbers& n,
                          OpClass& traits) const {
  if (a.work) static_cast<Work&>(n) = *a.work;
  if (!derived) {
    const bool bytes_alone = known(a.bytes) && !map_.has(ColumnRole::rate) && !map_.has(ColumnRole::flops);
    const double flops = known(a.flops) ? a.flops : bytes_alone ? 0 : unknown;
    n.matrix_flops = type.vector ? 0 : flops;
    n.vector_flops = type.vector ? flops : 0;
  }
  n.given_bytes = a.bytes;
  traits.rates_only = a.rates_only;
  traits.matrix_work = n.matrix_flops > 0;
  traits.vector_work = n.vector_flops > 0;
  traits.measured_bytes = map_.measured_bytes && known(numbers_.cells()[ColumnRole::bytes]);
  if (a.work) {
    traits.weight = n.weight > 0 ? formats.weight : no_format;
    traits.output = formats.output;
    traits.kv = n.kv_read > 0 || n.kv_write > 0 ? formats.activation : no_format;
  } else {
    traits.roles_unknown = true;
    n.activation = known(a.bytes) ? a.bytes / Formats::catalogue()[formats.activation].bytes() : unknown;
  }
}

void KernelRows::check_success() {
  const CsvField* cell = table_.field(map_.at(ColumnRole::success));
  if (!cell) return;
  constexpr std::array<std::string_view, 8> bad = {"false", "no", "0", "failed", "fail", "error", "incorrect", "invalid"};
  if (std::find(bad.begin(), bad.end(), lower(cell->text())) == bad.end()) return;
  ++failed_;
  failed_word_ = cell->text();
}

}  // namespace roofline
