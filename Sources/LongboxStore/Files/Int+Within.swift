// Longbox
// SPDX-License-Identifier: MIT

extension FixedWidthInteger {
  /// The whole part of a number that a file, a source or a client gave, brought into the range of this type; 0 for NaN.
  ///
  /// The standard library's conversion ends the process for a number outside the range.
  package init(within number: Double) {
    self =
      Self(exactly: number.rounded(.towardZero)) ?? (number.isNaN ? 0 : number < 0 ? .min : .max)
  }

  /// Adds a number that a file, a source or a client gave; what is out of range becomes the nearest number in range.
  package func addingWithinRange(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Multiplies by a number that a file system or a client gave; neither may be negative, and what is out of range becomes
  /// the greatest number.
  package func multipliedWithinRange(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
