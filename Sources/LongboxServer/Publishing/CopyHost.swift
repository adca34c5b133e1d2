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
  /// GitHub Pages can't set headers, and serves all names unchanged only if there is `.nojekyll`.
  var files: [(path: String, text: String)] { [("_headers", headers), (".nojekyll", "")] }

  /// The headers for Netlify and Cloudflare Pages.
  ///
  /// The rest of the content security policy is in the pages. As a header it would also apply to the worker, which must
  /// compile WebAssembly.
  private var headers: String {
    let guarding = HTTPFields.guarding.filter { $0.name != .contentSecurityPolicy }
    let everywhere = guarding.map { "  \($0.name.rawName): \($0.value)\n" }.joined()
    let immutable = CopyFolder.immutable.map { folder in
      "\(basePath.text)/\(folder)/*\n  Cache-Control: public, max-age=31536000, immutable\n"
    }
    return
      "\(basePath.text)/*\n  Content-Security-Policy: frame-ancestors 'none'\n\(everywhere)\(immutable.joined())"
  }
}
