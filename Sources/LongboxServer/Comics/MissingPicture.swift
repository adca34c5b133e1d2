// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import NIOCore

/// The picture in place of one that can't be fetched now: a torn page with the comic's number.
///
/// Browsers show it although the response is an error, so it works without scripts. Scripts recognize it by its
/// size, 1 by 1, and show a card with a way to try again. WebKit doesn't tell that size of a drawing, so the service worker
/// replaces it by a GIF (`missingPicture` in `pictures.js`).
struct MissingPicture {
  private let drawing: String

  init(of number: Comic.Number) {
    drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 112 112">\
      <path d="M3 6l45-3-6 17 10 11-9 18 10 12-6 20-42-2zM66 3l43 1-2 77-44 1 6-20-9-13 9-17-9-13z" fill="none" \
      stroke="#8b877e" stroke-width="2"/><text x="56" y="106" fill="#8b877e" font-family="sans-serif" font-size="16" \
      text-anchor="middle">#\(number.value)</text></svg>
      """
  }

  /// A response that isn't cached.
  func response(status: HTTPResponse.Status) -> Response {
    Response(
      status: status,
      headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: drawing))
    )
  }
}
