// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The files of the web application, which the build puts into `dist` beside this file.
public enum WebAssets {
  /// The folder with the files; nil if it was not installed with the program.
  public static var folder: URL? {
    Bundle.module.resourceURL?.appending(path: "dist")
  }

  /// The file that lists all others, with a hash of each.
  public static let listName = "files.json"

  /// The media type of a file by its extension; nil for a file that is not served.
  public static func mediaType(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "json", "map": "application/json"
    case "js": "text/javascript; charset=utf-8"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "txt": "text/plain; charset=utf-8"
    case "wasm": "application/wasm"
    case "webmanifest": "application/manifest+json"
    case "woff2": "font/woff2"
    default: nil
    }
  }
}
