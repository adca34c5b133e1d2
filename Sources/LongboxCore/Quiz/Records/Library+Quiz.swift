// Longbox
// SPDX-License-Identifier: MIT

/// Quiz records: `saved/quiz/tracks/1440857781/00000000000000A1`.
///
/// A merge keeps one value of a key, so two devices that play the same quiz would lose one result. So each
/// device writes its own register, named after its number, and readers combine all of them.
extension Library {
  /// The reader's record in a kind of quiz, over all devices.
  /// - Parameters:
  ///   - kind: the kind of quiz.
  ///   - subject: the identifier of the album or, for *Which album?*, of the artist.
  ///   - digest: the digest of the titles; data about another list of tracks is ignored.
  public func quizRecord(_ kind: QuizKind, of subject: Text, digest: UInt64) -> QuizRecord {
    var record = QuizRecord(digest: digest)
    for place in places(under: Self.quizPrefix(kind, subject)) {
      if let value = entries[place].value, let other = QuizRecord(value) { record.add(other) }
    }
    return record
  }

  /// Adds a result to the record.
  /// - Throws: `LibraryError.savedName` if the subject is empty or has a slash, `LibraryError.keyLength`, or
  ///   `LibraryError.full`.
  @discardableResult
  public mutating func record(_ result: QuizResult, at editTime: EditTime) throws(LibraryError) -> Undo {
    guard !result.subject.isEmpty, !result.subject.bytes.contains(UInt8(ascii: "/")) else { throw .savedName }
    let key = try LibraryKey(
      Self.quizPrefix(result.kind, result.subject) + Text(hexadecimal: editTime.timestamp.device)
    )
    let all = quizRecord(result.kind, of: result.subject, digest: result.digest)
    // Data about another list of tracks is dropped; the scores stay.
    let old = value(key).flatMap { QuizRecord($0) }
    var record = QuizRecord(digest: result.digest)
    record.plays = old?.plays ?? 0
    record.best = old?.best
    record.take(result, knowing: all, at: editTime.time)
    return try set(key, to: record.value, timestamp: editTime.timestamp)
  }

  private static func quizPrefix(_ kind: QuizKind, _ subject: Text) -> Text {
    "saved/quiz/" + kind.word + "/" + subject + "/"
  }
}

extension Text {
  fileprivate init(hexadecimal number: UInt64) {
    self.init(
      (0..<16).map { UInt8(hexadecimalDigit: UInt8(number >> UInt64(60 - 4 * $0) & 15), isUppercase: true) }
    )
  }
}
