// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The files of the web application, which stand beside this one in `Public`.
public enum WebAssets {
  /// The folder with the files, or nothing where it was not installed with the program.
  public static var folder: URL? {
    Bundle.module.resourceURL?.appending(path: "Public")
  }

  /// The media type of a file by its ending, or nothing for a file that is not to be served.
  public static func mediaType(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
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
