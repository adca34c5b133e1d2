// Longbox
// SPDX-License-Identifier: MIT

/// A row's reference to a picture's file.
struct PictureFile: Hashable, Sendable {
  let name: ContentName
  let byteCount: Int
}

/// A picture's file that is to be stored, with its name by content.
struct NewPictureFile: Hashable, Sendable {
  let name: ContentName
  let bytes: [UInt8]

  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - ending: the extension without the dot.
  init(_ bytes: [UInt8], ending: String) {
    self.bytes = bytes
    name = ContentName(of: bytes, ending: ending)
  }

  /// What a row says about it.
  var file: PictureFile { PictureFile(name: name, byteCount: bytes.count) }
}

/// The folders with pictures' files.
enum PictureFolder: String, CaseIterable, Sendable {
  /// Comics' pictures.
  case pictures
  /// Albums' covers.
  case artwork
}

extension StoreTables {
  /// Whether a row refers to a file.
  func uses(_ name: ContentName, in folder: PictureFolder) throws -> Bool {
    switch folder {
    case .pictures: try pictures.byteCount(of: name) != nil
    case .artwork: try albums.hasArtwork(name)
    }
  }
}
