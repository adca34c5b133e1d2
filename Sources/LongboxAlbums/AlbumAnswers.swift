// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// Albums and quizzes on the reader's own device.
///
/// They stand apart from the other pages, since what tells which title a guess names is as large as all of those together,
/// and a reader of comics does not need it. Nothing is kept here: the state of a quiz goes with its form, and the library
/// with each question.
struct AlbumAnswers {
  /// What the host can ask.
  ///
  /// The number is that of `worker-quiz.js` and of `docs/device.md`.
  enum Operation: UInt8 {
    /// Shows a page about albums or a quiz, or plays a turn. Message: see ``AlbumQuestion``; reply: see ``reply(_:_:)``.
    case respond = 1
  }

  /// Does one thing.
  /// - Returns: nothing where it can't be done: the message is malformed, or holds a library that can't be read.
  func perform(_ operation: Operation, _ message: [UInt8]) -> [UInt8]? {
    switch operation {
    case .respond:
      var reader = MessageReader(message)
      return AlbumQuestion(&reader).flatMap(answer)
    }
  }

  private func answer(_ question: AlbumQuestion) -> [UInt8]? {
    do throws(LibraryError) {
      var replica = try Replica(decoding: Array(question.library.bytes))
      var request = question.request
      request.isRemembered = request.method == .post || !replica.library.entries.isEmpty
      let before = replica.library.sequence
      let response: Response
      if let visit = question.visit {
        response = respond(
          toQuiz: visit,
          in: request,
          isSampleBox: question.isSampleBox,
          library: &replica,
          shelf: question.shelf
        )
      } else {
        response = respond(
          toAlbums: request,
          isSampleBox: question.isSampleBox,
          library: &replica,
          shelf: question.shelf
        )
      }
      return reply(response, replica.library.sequence == before ? [] : replica.encoded())
    } catch {
      return nil
    }
  }

  /// u32 status; u8 1 where the server may know more; u32 length, the library where it has changed and has to be stored
  /// first, else nothing; the page, to the end.
  private func reply(_ response: Response, _ library: [UInt8]) -> [UInt8] {
    var writer = MessageWriter()
    writer.append32(response.status)
    writer.append(response.isUnknownHere)
    writer.append32(library.count)
    writer.append(library)
    writer.append(response.body)
    return writer.bytes
  }
}
