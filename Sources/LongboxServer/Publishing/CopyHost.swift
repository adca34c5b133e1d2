// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// The files that tell hosts how to serve a static copy.
struct CopyHost {
  private let basePath: BasePath

  init(_ basePath: BasePath) {
    self.basePath = basePath
  }

  /// The files' texts by path.
  ///
  /// GitHub Pages has no headers to set, and needs `.nojekyll` to leave names alone.
  var files: [(path: String, text: String)] { [("_headers", headers), (".nojekyll", "")] }

  /// For Netlify and Cloudflare Pages.
  ///
  /// Pages carry the rest of their policy; here it would apply to the worker, too, which must compile WebAssembly.
  private var headers: String {
    let guarding = HTTPFields.guarding.filter { $0.name != .contentSecurityPolicy }
    let everywhere = guarding.map { "  \($0.name.rawName): \($0.value)\n" }.joined()
    let immutable = ["assets", "pictures", "thumbnails", "archive", "explanations"].map { folder in
      "\(basePath.text)/\(folder)/*\n  Cache-Control: public, max-age=31536000, immutable\n"
    }
    return
      "\(basePath.text)/*\n  Content-Security-Policy: frame-ancestors 'none'\n\(everywhere)\(immutable.joined())"
  }
}
