// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxPages

// Stands alone because the fuzzers compile it, without what needs other packages.
extension MultipartForm {
  /// The boundary in a `Content-Type`; nil for other media types.
  static func boundary(in contentType: String?) -> Text? {
    let fields = (contentType ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    guard fields.first?.lowercased() == "multipart/form-data" else { return nil }
    guard let field = fields.first(where: { $0.lowercased().hasPrefix("boundary=") }) else { return nil }
    var boundary = field.dropFirst("boundary=".count)
    if boundary.hasPrefix("\""), boundary.hasSuffix("\""), boundary.count > 1 {
      boundary = boundary.dropFirst().dropLast()
    }
    guard (1...boundaryLimit).contains(boundary.utf8.count), boundary.allSatisfy(\.isASCII) else {
      return nil
    }
    return Text(string: String(boundary))
  }
}
