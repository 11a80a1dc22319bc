// The embind layer: registrations and conversions, no logic. The only place that knows emscripten. See session.d.ts.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <roofline/session/session.hpp>

namespace {

using emscripten::typed_memory_view;
using emscripten::val;
using roofline::Session;

/// A copy of a column as a typed array of its own: a view into the module's memory would die when that grows.
template <class T>
val copied(const std::vector<T>& column) {
  return val(typed_memory_view(column.size(), column.data())).call<val>("slice");
}

std::uintptr_t begin(Session& s, std::size_t size, const std::string& name) {
  return reinterpret_cast<std::uintptr_t>(s.begin(size, name));
}

void start(Session& s, const std::string& name, double size) { s.start(name, static_cast<std::uint64_t>(size)); }

std::string add_registry(Session& s, const std::string& text) { return s.add_registry(text); }
std::string take_as(Session& s, const std::string& choices) { return s.take_as(choices); }
std::string configure(Session& s, const std::string& config) { return s.configure(config); }
std::string view(Session& s, const std::string& text) { return s.view(text); }
std::string detail(Session& s, std::size_t op, const std::string& record) { return s.detail(op, record); }
std::string build(Session& s, const std::string& kind, const std::string& request) { return s.build(kind, request); }
int index_of(const Session& s, const std::string& name) { return s.index_of(name); }

val on_screen(const Session::Screen& screen) {
  val out = val::object();
  out.set("json", screen.json);
  out.set("chartAlone", screen.frame.chart_alone);
  roofline::each_column(screen.frame, [&](const char* name, const auto& column, const char*) { out.set(name, copied(column)); });
  return out;
}

val frame(Session& s) { return on_screen(s.frame()); }
val chart(Session& s) { return on_screen(s.chart()); }

val ask(Session& s, const std::string& question, const std::string& request) {
  const roofline::Answer answer = s.ask(question, request);
  val out = val::object();
  out.set("json", answer.json);
  for (const auto& [name, column] : answer.columns) out.set(name, copied(column));
  return out;
}

/// Hands pieces of a document to a function of JavaScript.
auto sink_of(val sink) {
  return
      [sink](std::string_view piece) { sink(val(typed_memory_view(piece.size(), reinterpret_cast<const std::uint8_t*>(piece.data())))); };
}

/// "" or why nothing was written.
std::string write(Session& s, const std::string& kind, val sink, std::uint32_t baseline) {
  const auto written = s.write(kind, sink_of(sink), baseline);
  return written ? std::string() : written.error().message;
}

void write_operation_rows(const Session& s, std::size_t most, val sink) { s.write_operation_rows(most, sink_of(sink)); }

val columns(const Session& s) {
  const auto [columns, words] = s.columns();
  val out = val::object();
  out.set("json", words);
  roofline::each_number(columns, [&](const char* name, const auto& column) { out.set(name, copied(column)); });
  return out;
}

std::string text_or_error(const roofline::Result<std::string>& text) {
  return text ? *text : "{\"error\":{\"message\":\"unknown\",\"line\":0,\"column\":0,\"path\":\"\"}}";
}
std::string list(const Session&, const std::string& kind) { return text_or_error(roofline::list_json(kind)); }
std::string show(const Session&, const std::string& kind, const std::string& id) { return text_or_error(roofline::show_json(kind, id)); }

}  // namespace

EMSCRIPTEN_BINDINGS(roofline) {
  emscripten::class_<Session>("Session")
      .constructor<>()
      .function("begin", &begin)
      .function("prepare", &Session::prepare)
      .function("start", &start)
      .function("tableColumns", &Session::table_columns)
      .function("takeAs", &take_as)
      .function("feed", &Session::feed)
      .function("finish", &Session::finish)
      .function("drop", &Session::drop)
      .function("addRegistry", &add_registry)
      .function("clearRegistry", &Session::clear_registry)
      .function("configure", &configure)
      .function("config", &Session::config)
      .function("machine", &Session::machine)
      .function("view", &view)
      .function("frame", &frame)
      .function("chart", &chart)
      .function("record", &Session::record)
      .function("detail", &detail)
      .function("diagnostics", &Session::diagnostics)
      .function("build", &build)
      .function("keep", &Session::keep)
      .function("forget", &Session::forget)
      .function("ask", &ask)
      .function("indexOf", &index_of)
      .function("write", &write)
      .function("writeOperationRows", &write_operation_rows)
      .function("columns", &columns)
      .function("list", &list)
      .function("show", &show);
}
