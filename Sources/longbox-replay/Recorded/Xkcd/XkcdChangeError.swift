// Longbox
// SPDX-License-Identifier: MIT

/// Why a comic can't be published or replaced; each message says what to send instead.
enum XkcdChangeError: Error, CustomStringConvertible {
  case nothingAbove(Int)
  case notRecorded(Int)
  case alreadyPublished(Int, latest: Int)
  case pictureWithoutName(Int)
  case emptyPicture(Int)
  case record(XkcdRecordError)

  var description: String {
    switch self {
    case .nothingAbove(let latest):
      "Nothing is recorded above \(latest): send a whole 'record' to publish a new comic."
    case .notRecorded(let number):
      "Comic \(number) is not recorded: send a whole 'record' to publish it."
    case .alreadyPublished(let number, let latest):
      "Comic \(number) is out already (the latest is \(latest)): change it by /_replay/replace."
    case .pictureWithoutName(let number):
      "The 'img' of comic \(number) names no file, so there is nowhere to serve its 'picture'."
    case .emptyPicture(let number):
      "The 'picture' for comic \(number) is empty."
    case .record(let error):
      error.description
    }
  }
}
