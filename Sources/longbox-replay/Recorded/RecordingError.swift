// Longbox
// SPDX-License-Identifier: MIT

enum RecordingError: Error, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  case badLine(path: String, line: Int, reason: String)
  case empty(path: String)
  case latestNotRecorded(Int, oldest: Int, newest: Int)

  var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path) can't be read (\(reason)). --data takes a folder that holds xkcd/comics.jsonl."
    case .badLine(let path, let line, let reason):
      "Line \(line) of \(path): \(reason)"
    case .empty(let path):
      "\(path) holds no comic, so there is nothing to play back."
    case .latestNotRecorded(let number, let oldest, let newest):
      "Comic \(number) is not recorded, so it can't be the latest; there are \(oldest) to \(newest)."
    }
  }
}
