// Longbox
// SPDX-License-Identifier: MIT

/// What came back for an ``Exchange``.
public struct Reply: Equatable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header fields, as they came.
  public var headers: HeaderFields
  /// The body: complete with status 200; with an error, perhaps only its beginning.
  public var body: [UInt8]
  /// The address that answered; after a redirect it differs from the requested one.
  public var address: WebAddress

  /// Makes a reply.
  public init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = [], address: WebAddress) {
    self.status = status
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// The validator for the next request.
  public var validator: Validator? {
    Validator(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
  }
}
