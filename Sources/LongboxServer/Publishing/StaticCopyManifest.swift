// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// The part of `device.json` that only a static copy has: the files that replace the server's answers.
struct StaticCopyManifest: Encodable {
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

/// The files that tell hosts how to serve a static copy.
struct StaticCopyHost {
  private let basePath: BasePath

  init(_ basePath: BasePath) {
    self.basePath = basePath
  }

  /// The files' texts by path.
  ///
  /// GitHub Pages can't set headers, and serves all names unchanged only if there is `.nojekyll`.
  var files: [(path: String, text: String)] { [("_headers", headers), (".nojekyll", "")] }

  /// The headers for Netlify and Cloudflare Pages.
  ///
  /// The rest of the content security policy is in the pages. As a header it would also apply to the worker, which must
  /// compile WebAssembly.
  private var headers: String {
    let guarding = HTTPFields.guarding.filter { $0.name != .contentSecurityPolicy }
    let everywhere = guarding.map { "  \($0.name.rawName): \($0.value)\n" }.joined()
    let immutable = StaticCopyFolder.immutable.map { folder in
      "\(basePath.text)/\(folder)/*\n  Cache-Control: public, max-age=31536000, immutable\n"
    }
    return
      "\(basePath.text)/*\n  Content-Security-Policy: frame-ancestors 'none'\n\(everywhere)\(immutable.joined())"
  }
}
