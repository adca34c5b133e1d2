// Longbox
// SPDX-License-Identifier: MIT

/// The part of `device.json` that only a static copy has: the files that replace the server's answers.
struct CopyManifest: Encodable {
  /// The files of the archive, or of the index of explanations.
  struct Segments: Codable, Equatable {
    var revision: Int
    var rules: Int
    /// The file with everything.
    var whole: String
    /// The file with the changes since an earlier revision, by that revision.
    var deltas: [String: String] = [:]
  }

  /// A file with the explanations of consecutive comics.
  struct Pack: Codable, Equatable {
    var file: String
    /// The greatest change number of its explanations.
    var change: Int
  }

  /// The number of comics in a pack.
  static let packLength = 20

  var archive: Segments
  var index: Segments
  var packLength = Self.packLength
  /// By (number - 1) / packLength.
  var packs: [String: Pack] = [:]
  /// The comics whose picture is a JPEG.
  var jpeg: [Int] = []
  /// The comics whose picture is a GIF; all others are PNG.
  var gif: [Int] = []
}
