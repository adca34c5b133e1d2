// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Concatenates the statements of a closure.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ literal: StaticString) -> HTML { HTML(literal) }
  @_disfavoredOverload
  static func buildExpression(_ text: Text) -> HTML { HTML(text) }
  static func buildExpression(_ number: Int) -> HTML { HTML(Text(decimal: number)) }
  static func buildBlock() -> HTML { HTML() }
  static func buildPartialBlock(first: HTML) -> HTML { first }

  static func buildPartialBlock(accumulated: consuming HTML, next: consuming HTML) -> HTML {
    accumulated + next
  }

  static func buildOptional(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildEither(first: HTML) -> HTML { first }
  static func buildEither(second: HTML) -> HTML { second }

  static func buildArray(_ parts: [HTML]) -> HTML {
    var all = HTML()
    for part in parts { all.append(part) }
    return all
  }
}
