// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// A request for which a controller looks into its memory.
struct CacheQuery {
  /// The request without its body.
  let request: HTTPRequest
  /// The path and the query.
  let address: String
  /// The value of the first parameter in the path; empty where the endpoint's path has none.
  let parameter: Substring
  /// What follows the question mark.
  let query: Substring?
}
