// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// A request for a response that may be in memory.
struct CacheQuery {
  let request: HTTPRequest
  /// The path and the query.
  let address: String
  /// The value of the first parameter in the path; empty if the path has none.
  let parameter: Substring
  /// The text after the question mark.
  let query: Substring?
}
