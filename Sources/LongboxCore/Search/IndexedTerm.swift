// Longbox
// SPDX-License-Identifier: MIT

/// A term of an index, as passed by ``SearchIndex/visit(prefix:limit:_:)``.
struct IndexedTerm {
  var bytes: [UInt8] = []
  /// A lower bound of the bytes shared with the previously visited term.
  var shared = 0
  var postings = TermPostings(range: 0..<0, documents: 0)
}
