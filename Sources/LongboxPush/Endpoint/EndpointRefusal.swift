// Longbox
// SPDX-License-Identifier: MIT

/// Why no message is sent to an endpoint.
///
/// Each description is a sentence for the person who runs Longbox, or who would be notified.
public enum EndpointRefusal: Error, Equatable, Sendable {
  /// It is no address as browsers give it.
  case malformed
  /// It is not https.
  case notEncrypted
  /// It holds a name or a password.
  case userInformation
  /// It names another port than that of https.
  case port(Int)
  /// It has an IP address in place of a name; no public push service has.
  case addressLiteral(String)
  /// Its name is one of a private network.
  case localName(String)
  /// Its name is not known, or no name server answers in time.
  case unknownHost(String)
  /// Its name leads to an address that is not public.
  case privateAddress(host: String, address: String)
}

extension EndpointRefusal: CustomStringConvertible {
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
