// Longbox
// SPDX-License-Identifier: MIT

/// Why no message is sent to an endpoint.
///
/// Each description is a sentence for the operator or the subscriber.
public enum EndpointRejection: Error, Equatable, Sendable {
  /// The text isn't an absolute https address.
  case malformed
  /// The scheme isn't https.
  case notEncrypted
  /// The address contains a user name or a password.
  case userInformation
  /// The port isn't 443.
  case port(Int)
  /// The host is an IP address; public push services have names.
  case addressLiteral(String)
  /// The host name belongs to a private network.
  case localName(String)
  /// The host name doesn't exist, or no name server answers in time.
  case unknownHost(String)
  /// The host name resolves to an address that isn't public.
  case privateAddress(host: String, address: String)
}

extension EndpointRejection: CustomStringConvertible {
  /// A sentence that says what is wrong with the endpoint.
  public var description: String {
    switch self {
    case .malformed: "The address of the push service is not a complete and plain https address."
    case .notEncrypted: "The address of the push service is not https."
    case .userInformation: "The address of the push service holds a name or a password."
    case .port(let port): "The address of the push service names the port \(port); only 443 is taken."
    case .addressLiteral(let host): "The address of the push service is a number (\(host)) and not a name."
    case .localName(let host): "\(host) is a name of a private network, not of a public push service."
    case .unknownHost(let host):
      "The name of the push service, \(host), is not known, or no name server answers."
    case .privateAddress(let host, let address):
      "The name of the push service, \(host), leads to \(address), which is not a public address."
    }
  }
}
