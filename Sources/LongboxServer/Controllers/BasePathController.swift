// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import NIOCore

/// Answers requests outside the base path: ``BasePath/remove(from:)`` gives them these addresses.
struct BasePathController: Controller {
  /// The address of requests for other paths.
  static let outside = "/outside-base-path"
  /// The address of requests for the base path without the slash at its end.
  static let slashless = "/base-path"

  let basePath: BasePath

  var endpoints: [Endpoint] {
    guard !basePath.isEmpty else { return [] }
    return [
      .get(String(Self.outside.dropFirst())) { _, _ in rejection },
      .get(String(Self.slashless.dropFirst())) { _, _ in
        Response(
          status: .temporaryRedirect,
          headers: [.location: Link.latest.address.description, .cacheControl: "no-store"]
        )
      },
    ]
  }

  private var rejection: Response {
    let sentence = """
      This Longbox is at \(basePath.text)/ (LONGBOX_BASE_PATH). A proxy before it must pass the whole path on, or be \
      one of LONGBOX_TRUSTED_PROXIES and name the path that it removes in X-Forwarded-Prefix.

      """
    return Response(
      status: .notFound,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: sentence))
    )
  }
}
