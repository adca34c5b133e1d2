// Longbox
// SPDX-License-Identifier: MIT

extension XkcdRecord {
  /// Why bytes are not the record of a comic.
  public enum RecordFault: Error, Equatable, Sendable {
    /// They are empty, or only white space.
    case empty
    /// They are an HTML page, such as a notice of maintenance.
    case html
    /// They are not one whole JSON object in UTF-8.
    case notAnObject
    /// They are more bytes than this.
    case tooLong(limit: Int)
    /// `num` is missing or not a whole number.
    case noNumber
    /// `num` is a number that no comic has.
    case badNumber(Int)
    /// `year`, `month` and `day` are missing or not a date.
    case badDate
    /// `title` and `safe_title` are both missing or empty.
    case noTitle
  }
}

extension XkcdRecord.RecordFault: JSONObjectFault {}

extension XkcdRecord.RecordFault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "it is empty"
    case .html: "it is an HTML page instead of JSON"
    case .notAnObject: "it is not one whole JSON object in UTF-8"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .noNumber: "its “num” is missing or not a whole number"
    case .badNumber(let number): "no comic has the number \(number)"
    case .badDate: "its year, month and day are missing or not a date"
    case .noTitle: "it has no title"
    }
  }
}
