// Longbox
// SPDX-License-Identifier: MIT

/// What came back for an ``Exchange``.
public struct Reply: Equatable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header fields, as they came.
  public var headers: HeaderFields
  /// The body, whole where the status is 200; of an error's body perhaps only the beginning.
  public var body: [UInt8]
  /// The address that answered in the end, which differs from the one asked where there was a redirect.
  public var address: WebAddress

  /// Makes a reply.
  public init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = [], address: WebAddress) {
    self.status = status
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// What to send along next time, so that an unchanged thing need not be sent again.
  public var validator: Validator? {
    Validator(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
  }
}
