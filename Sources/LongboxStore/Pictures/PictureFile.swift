// Longbox
// SPDX-License-Identifier: MIT

/// A row's reference to a picture's file.
struct PictureFile: Hashable, Sendable {
  let name: ContentName
  let byteCount: Int

  /// Whether bytes have the size and the hash of this file.
  func isContent(_ bytes: [UInt8]) -> Bool {
    let ending = name.value.split(separator: ".").last.map(String.init) ?? ""
    return bytes.count == byteCount && ContentName(of: bytes, ending: ending) == name
  }
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
  /// The files that rows refer to.
  func pictureFiles() throws -> [(folder: PictureFolder, file: PictureFile)] {
    try pictures.files().map { (.pictures, $0) } + albums.artworkFiles().map { (.artwork, $0) }
  }

  /// Whether a row refers to a file.
  func uses(_ name: ContentName, in folder: PictureFolder) throws -> Bool {
    switch folder {
    case .pictures: try pictures.byteCount(of: name) != nil
    case .artwork: try albums.hasArtwork(name)
    }
  }
}
