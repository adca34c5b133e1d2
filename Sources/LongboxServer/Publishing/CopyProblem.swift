// Longbox
// SPDX-License-Identifier: MIT

/// Why a static copy can't be written.
public enum CopyProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder holds files that Longbox didn't write.
  case foreignFile(folder: String, file: String)
  /// Another run is writing to the folder.
  case inUse(folder: String)
  /// The list of the copy's files can't be read.
  case unreadableList(file: String)
  /// A file can't be written or removed.
  case disk(file: String, reason: String)
  /// The web application's files are missing.
  case noWebApplication
  /// There is no comic to publish.
  case nothingStored

  /// A sentence or two that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .foreignFile(let folder, let file):
      "The folder \(folder) has a file that Longbox did not write, \(file). Name an empty or a new folder, or move that file "
        + "away: Longbox removes old files there, and must not remove yours."
    case .inUse(let folder): "Another “longbox publish” is writing to \(folder). Wait until it has finished."
    case .unreadableList(let file):
      "\(file), the list of the copy's files, can't be read. Remove the whole folder and publish again."
    case .disk(let file, let reason): "\(file) can't be written or removed: \(reason)"
    case .noWebApplication:
      "The files of the web application are missing. Build them with “make web”, or install Longbox again."
    case .nothingStored:
      "No comic is stored yet. Start “longbox serve” or “longbox import” first, or name another folder with --data."
    }
  }
}
