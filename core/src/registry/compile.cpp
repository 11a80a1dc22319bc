// Expressions: from text to instructions. Recursive descent over the grammar, one function per level.
#include <cmath>
#include <cstdlib>
#include <optional>
#include <roofline/registry/expression.hpp>

#include "registry/program.hpp"

namespace roofline {

using namespace program;

namespace {

std::string single_quoted(std::string_view text) { return std::string(1, '\'').append(text).append(1, '\''); }

}  // namespace

int Variables::find(std::string_view name) const {
  for (std::size_t i = names.size(); i > 0; --i)
    if (names[i - 1] == name) return static_cast<int>(i - 1);
  return -1;
}

class ExpressionCompiler {
 public:
  ExpressionCompiler(std::string_view text, Keys& keys, const Variables& variables) : keys_(keys), variables_(variables) {
    expression_.text_ = text.substr(0, Expression::max_text);
    if (text.size() > Expression::max_text) {
      fail(Expression::max_text, "the expression is longer than " + std::to_string(Expression::max_text) + " bytes");
    } else {
      next();
    }
  }

  Result<Expression> compile() {
    expect(Type::number, conditional());
    if (token_.kind != Token::Kind::end) fail_expected("an operator");
    if (error_) return Unexpected(*error_);
    return std::move(expression_);
  }

 private:
  using Op = Expression::Op;

  /// What is known before running: a field can be of any kind.
  enum class Type : std::uint8_t { number, list, string, any };
  struct Item {
    Type type = Type::any;
    std::size_t begin = 0, end = 0;
  };
  struct Token {
    enum class Kind : std::uint8_t { end, number, name, string, symbol };
    Kind kind = Kind::end;
    std::size_t begin = 0, end = 0;
  };

  // -- tokens

  [[nodiscard]] std::string_view text() const { return expression_.text_; }
  [[nodiscard]] std::string_view part(std::size_t begin, std::size_t end) const { return text().substr(begin, end - begin); }

  void next() {
    last_end_ = token_.end;
    std::size_t p = token_.end;
    const auto at = [&](std::size_t i) { return i < text().size() ? text()[i] : '\0'; };
    while (p < text().size() && (at(p) == ' ' || at(p) == '\t' || at(p) == '\n' || at(p) == '\r')) ++p;
    token_ = {Token::Kind::end, p, p};
    if (p == text().size()) return;
    if (is_digit(at(p))) {
      token_.kind = Token::Kind::number;
      while (is_digit(at(p))) ++p;
      if (at(p) == '.') {
        ++p;
        while (is_digit(at(p))) ++p;
      }
      const std::size_t sign = at(p + 1) == '+' || at(p + 1) == '-' ? 1 : 0;
      if ((at(p) == 'e' || at(p) == 'E') && is_digit(at(p + 1 + sign)))
        for (p += 1 + sign; is_digit(at(p));) ++p;
    } else if (is_name_start(at(p))) {
      token_.kind = Token::Kind::name;
      while (is_name_start(at(p)) || is_digit(at(p))) ++p;
    } else if (at(p) == '"' || at(p) == '\'') {
      token_.kind = Token::Kind::string;
      const std::size_t close = text().find(at(p), p + 1);
      if (close == std::string_view::npos) return fail(p, "the string has no closing quote");
      p = close + 1;
    } else {
      token_.kind = Token::Kind::symbol;
      static constexpr std::string_view pairs[] = {"==", "!=", "<=", ">=", "&&", "||", "//"};
      const auto is_here = [&](std::string_view pair) { return text().substr(p, 2) == pair; };
      if (std::any_of(std::begin(pairs), std::end(pairs), is_here)) {
        p += 2;
      } else if (std::string_view("+-*/%^!<>?:()[],").find(at(p)) != std::string_view::npos) {
        p += 1;
      } else {
        const std::size_t begin = p++;
        while ((static_cast<unsigned char>(at(p)) & 0xC0) == 0x80) ++p;  // the rest of a UTF-8 character
        return fail(begin, "unexpected character " + single_quoted(part(begin, p)));
      }
    }
    token_.end = p;
  }

  [[nodiscard]] bool at_symbol(std::string_view symbol) const {
    return token_.kind == Token::Kind::symbol && part(token_.begin, token_.end) == symbol;
  }
  bool accept(std::string_view symbol) {
    if (!at_symbol(symbol)) return false;
    next();
    return true;
  }
  void require(std::string_view symbol) {
    if (!accept(symbol)) fail_expected(single_quoted(symbol));
  }

  // -- errors: the first one counts; after it there are no more tokens, so every loop and recursion ends

  void fail(std::size_t offset, std::string message) {
    if (!error_) error_ = error_at(text(), offset, std::move(message));
    token_ = {Token::Kind::end, text().size(), text().size()};
  }
  void fail_expected(const std::string& what) {
    const bool end = token_.kind == Token::Kind::end;
    fail(token_.begin, "expected " + what + ", found " + (end ? "the end" : single_quoted(part(token_.begin, token_.end))));
  }

  // -- code

  /// Appends an instruction that changes the number of values on the stack by `growth`; its place in the code.
  std::size_t emit(Op op, int growth, Item about, std::size_t operand = 0, double number = 0) {
    depth_ += growth;
    if (depth_ > static_cast<int>(Expression::max_values))
      fail(about.begin, "the expression holds more than " + std::to_string(Expression::max_values) + " values at once");
    expression_.code_.push_back(
        {op, static_cast<std::uint16_t>(operand), static_cast<std::uint16_t>(about.begin), static_cast<std::uint16_t>(about.end), number});
    return expression_.code_.size() - 1;
  }
  void land(std::size_t jump) { expression_.code_[jump].operand = static_cast<std::uint16_t>(expression_.code_.size()); }

  /// Makes sure that the value on top is of this type: now where that is known, else when it runs. Lists check themselves when used.
  void expect(Type type, Item item) {
    if (item.type == type) return;
    static constexpr const char* names[] = {"a number", "a list", "a string"};
    if (item.type != Type::any)
      return fail(item.begin, std::string("expected ") + names[static_cast<int>(type)] + ", " + std::string(part(item.begin, item.end)) +
                                  " is " + names[static_cast<int>(item.type)]);
    if (type == Type::number) emit(Op::expect_number, 0, item);
  }

  // -- grammar

  /// Runs one level deeper, as far as the limit allows.
  template <class Level>
  Item nested(const Level& level) {
    Item item{Type::any, token_.begin, token_.begin};
    if (nesting_ == Expression::max_nesting) {
      fail(token_.begin, "more than " + std::to_string(Expression::max_nesting) + " levels within each other");
      return item;
    }
    ++nesting_;
    item = level();
    --nesting_;
    return item;
  }

  Item conditional() {
    return nested([this] {
      const Item condition = binary(0);
      if (!at_symbol("?")) return condition;
      expect(Type::number, condition);
      next();
      const std::size_t to_else = emit(Op::jump_if_false, -1, condition);
      const Item yes = conditional();
      require(":");
      const std::size_t to_end = emit(Op::jump, -1, yes);  // the other branch starts without this one's value
      land(to_else);
      const Item no = conditional();
      land(to_end);
      return Item{yes.type == no.type ? yes.type : Type::any, condition.begin, last_end_};
    });
  }

  Item binary(int lowest) {
    Item left = unary();
    for (const Binary* operation = operator_here(); operation && operation->precedence >= lowest; operation = operator_here()) {
      const Item symbol{Type::any, token_.begin, token_.end};
      const bool either = operation->name == "||", both = operation->name == "&&", equates = operation->precedence == equality;
      if (!equates) expect(Type::number, left);
      next();
      const std::size_t shortcut = either || both ? emit(either ? Op::keep_if_true : Op::keep_if_false, -1, symbol) : 0;
      const Item right = binary(operation->precedence + 1);
      if (!equates) expect(Type::number, right);
      if (equates && (left.type == Type::list || right.type == Type::list)) fail(symbol.begin, "lists cannot be compared");
      if (either || both) {
        truth(symbol);
        land(shortcut);
      } else if (equates) {
        emit(operation->name == "==" ? Op::equal : Op::not_equal, -1, symbol);
      } else {
        emit(Op::binary, -1, symbol, static_cast<std::size_t>(operation - binaries));
      }
      left = {Type::number, left.begin, last_end_};
      const Binary* following = operator_here();
      if (following && following->precedence == operation->precedence && (equates || operation->precedence == order))
        fail(token_.begin, "comparisons do not chain, join them by &&");
    }
    return left;
  }

  [[nodiscard]] const Binary* operator_here() const {
    if (token_.kind != Token::Kind::symbol) return nullptr;
    const std::size_t row = row_of(binaries, part(token_.begin, token_.end));
    return row < std::size(binaries) && binaries[row].precedence >= 0 ? &binaries[row] : nullptr;
  }

  /// Any number but 0 becomes 1.
  void truth(Item about) {
    emit(Op::unary, 0, about, row_of(unaries, "!"));
    emit(Op::unary, 0, about, row_of(unaries, "!"));
  }

  Item unary() {
    if (!at_symbol("-") && !at_symbol("!")) return power();
    const Item sign{Type::number, token_.begin, token_.end};
    next();
    const Item item = nested([this] { return unary(); });
    expect(Type::number, item);
    emit(Op::unary, 0, sign, row_of(unaries, part(sign.begin, sign.end)));
    return {Type::number, sign.begin, item.end};
  }

  Item power() {
    const Item base = indexed();
    if (!at_symbol("^")) return base;
    const Item symbol{Type::number, token_.begin, token_.end};
    expect(Type::number, base);
    next();
    const Item exponent = nested([this] { return unary(); });
    expect(Type::number, exponent);
    emit(Op::binary, -1, symbol, row_of(binaries, "^"));
    return {Type::number, base.begin, exponent.end};
  }

  Item indexed() {
    Item base = primary();
    while (at_symbol("[")) {
      if (base.type != Type::any) expect(Type::list, base);
      next();
      std::uint16_t bounds = 0;
      if (!at_symbol(":")) {
        expect(Type::number, conditional());
        bounds |= has_start;
      }
      if (accept(":")) {
        if (!at_symbol("]")) {
          expect(Type::number, conditional());
          bounds |= has_stop;
        }
        emit(Op::slice, -((bounds & has_start) != 0) - ((bounds & has_stop) != 0), base, bounds);
        base.type = Type::list;
      } else {
        emit(Op::index, -1, base);
        base.type = Type::any;  // one of a list of lists is a list
      }
      require("]");
      base.end = last_end_;
    }
    return base;
  }

  Item primary() {
    const Token token = token_;
    const std::string_view word = part(token.begin, token.end);
    Item item{Type::number, token.begin, token.end};
    switch (token.kind) {
      case Token::Kind::number: {
        const double value = std::strtod(expression_.text_.c_str() + token.begin, nullptr);
        if (!std::isfinite(value)) fail(token.begin, std::string(word) + " is too large");
        next();
        emit(Op::number, 1, item, 0, value);
        return item;
      }
      case Token::Kind::string:
        next();
        emit(Op::string, 1, item);
        item.type = Type::string;
        return item;
      case Token::Kind::name:
        next();
        if (accept("(")) return call(token);
        if (const int variable = variables_.find(word); variable >= 0) {
          emit(Op::variable, 1, item, static_cast<std::size_t>(variable));
          return item;
        }
        item = {Type::any, token.begin, parts_end(token)};
        emit(Op::field, 1, item, key(item));
        return item;
      default:
        break;
    }
    if (accept("(")) {
      item = conditional();
      require(")");
      return {item.type, token.begin, last_end_};
    }
    fail_expected("an operand");
    return item;
  }

  /// The end of name['part']['part'], of which the name has been read.
  std::size_t parts_end(const Token& name) {
    std::size_t end = name.end;
    const auto part_follows = [this] {
      const std::size_t after = text().find_first_not_of(" \t\n\r", token_.end);
      return at_symbol("[") && after != std::string_view::npos && (text()[after] == '\'' || text()[after] == '"');
    };
    while (variables_.parts && part_follows()) {
      next();
      next();
      require("]");
      end = last_end_;
    }
    return end;
  }

  Key key(const Item& name) {
    const std::string_view word = part(name.begin, name.end);
    if (keys_.size() >= Keys::npos && keys_.find(word) == Keys::npos) {
      fail(name.begin, "too many different field names");
      return key::type;
    }
    return keys_.add(word);
  }

  Item call(const Token& name) {
    const std::string word(part(name.begin, name.end));
    const std::size_t over_list = row_of(over_lists, word), unary = row_of(unaries, word), binary = row_of(binaries, word);
    if (word == "has") {
      field_name();
    } else if (word == "len") {
      emit(Op::length, 0, list());
    } else if (unary < std::size(unaries)) {
      expect(Type::number, conditional());
      emit(Op::unary, 0, {Type::number, name.begin, name.end}, unary);
    } else if (over_list < std::size(over_lists)) {
      const Item first = conditional();
      if (binary < std::size(binaries) && at_symbol(",")) {  // min and max: of one list, or of two numbers and more
        expect(Type::number, first);
        while (accept(",")) {
          expect(Type::number, conditional());
          emit(Op::binary, -1, {Type::number, name.begin, name.end}, binary);
        }
      } else {
        if (first.type != Type::any) expect(Type::list, first);
        emit(Op::over_list, 0, first, over_list);
      }
    } else {
      fail(name.begin, "unknown function " + single_quoted(word) + ", expected one of " + std::string(functions));
    }
    if (at_symbol(",")) fail(token_.begin, word + " takes one argument");
    require(")");
    return {Type::number, name.begin, last_end_};
  }

  Item list() {
    const Item item = conditional();
    if (item.type != Type::any) expect(Type::list, item);
    return item;
  }

  void field_name() {
    const Token field = token_;
    if (field.kind != Token::Kind::name) return fail_expected("a field's name");
    const std::string_view word = part(field.begin, field.end);
    if (variables_.find(word) >= 0) return fail(field.begin, "expected a field's name, " + std::string(word) + " is a variable");
    next();
    const Item whole{Type::number, field.begin, parts_end(field)};
    emit(Op::has, 1, whole, key(whole));
  }

  Expression expression_;
  Keys& keys_;
  const Variables& variables_;
  Token token_;
  std::size_t last_end_ = 0;  // of the token before
  int depth_ = 0, nesting_ = 0;
  std::optional<Error> error_;
};

Result<Expression> Expression::compile(std::string_view text, Keys& keys, const Variables& variables) {
  return ExpressionCompiler(text, keys, variables).compile();
}

}  // namespace roofline
