// Longbox
// SPDX-License-Identifier: MIT

/// What the reader did in quizzes: `saved/quiz/tracks/1440857781/00000000000000A1`.
///
/// To merge is to keep one of two values of a key, and so two devices that played the same quiz would lose what one of
/// them did. So each device has a register of its own, named by the number in its stamps, and what counts is all of
/// them together.
extension Library {
  /// What the reader has done in a kind of quiz.
  /// - Parameters:
  ///   - kind: the kind.
  ///   - subject: the album's name in its source or, of *Which album?*, the artist's.
  ///   - digest: of the titles; what is known of tracks of another list is left out.
  public func quizRecord(_ kind: QuizKind, of subject: Text, digest: UInt64) -> QuizRecord {
    var record = QuizRecord(digest: digest)
    for place in places(under: Self.quizPrefix(kind, subject)) {
      if let value = entries[place].value, let other = QuizRecord(value) { record.add(other) }
    }
    return record
  }

  /// Takes up how a quiz went.
  /// - Throws: `LibraryError.savedName` where the subject is empty or has a slash, `LibraryError.keyLength`, or
  ///   `LibraryError.full`.
  @discardableResult
  public mutating func record(_ result: QuizResult, at moment: Moment) throws(LibraryError) -> Undo {
    guard !result.subject.isEmpty, !result.subject.bytes.contains(UInt8(ascii: "/")) else { throw .savedName }
    let key = try LibraryKey(
      Self.quizPrefix(result.kind, result.subject) + Text(hexadecimal: moment.stamp.device)
    )
    let all = quizRecord(result.kind, of: result.subject, digest: result.digest)
    // The tracks of another list are forgotten, the figures are kept.
    let old = value(key).flatMap { QuizRecord($0) }
    var record = QuizRecord(digest: result.digest)
    record.plays = old?.plays ?? 0
    record.best = old?.best
    record.take(result, knowing: all, at: moment.time)
    return try set(key, to: record.value, stamp: moment.stamp)
  }

  private static func quizPrefix(_ kind: QuizKind, _ subject: Text) -> Text {
    "saved/quiz/" + kind.word + "/" + subject + "/"
  }
}

extension Text {
  /// A number in 16 hexadecimal digits.
  fileprivate init(hexadecimal number: UInt64) {
    var digits: [UInt8] = []
    for place in 0..<16 {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place) & 0xF)
      digits.append(digit < 10 ? 0x30 + digit : 0x37 + digit)
    }
    self.init(digits)
  }
}
