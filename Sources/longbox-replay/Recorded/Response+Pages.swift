// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird

extension Response {
  /// A page with a heading, or with another content.
  static func html(status: HTTPResponse.Status, _ message: String, content: String? = nil) -> Response {
    let page = """
      <html>
      <head><title>\(message)</title></head>
      <body>
      <center>\(content ?? "<h1>\(message)</h1>")</center>
      </body>
      </html>

      """
    return Response(
      status: status,
      headers: [.contentType: "text/html"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page))
    )
  }
}

extension String {
  /// The text with `&`, `<` and `>` escaped.
  var escapedForHTML: String {
    var escaped = ""
    for character in self {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
