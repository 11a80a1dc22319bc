// "format_support": what the machine can do with each format, for lists to mark those it lacks: {} -> {"formats": [{"id", "support":
// "computes", "dequantises" (of weights alone) or "lacks"}]}
#include "base/json_out.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_format_support(const QuestionContext& of, const Json&) {
  const Formats& formats = Formats::catalogue();
  return Answer{json_text([&](JsonOut& out) {
                  out.object([&] {
                    out.array("formats", [&] {
                      for (std::size_t f = 0; f < formats.size(); ++f)
                        out.object([&] {
                          out.member("id", formats.all()[f].id);
                          out.member("support", to_string(support(of.plan().scenario().machine, static_cast<FormatId>(f), false)));
                        });
                    });
                  });
                }),
                {}};
}

}  // namespace roofline
