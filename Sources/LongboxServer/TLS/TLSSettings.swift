// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Why the certificates can't be used; the description says what to do.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One or two sentences.
  public let description: String
}

/// Where the certificate for HTTPS comes from.
public enum TLSSettings: Equatable, Sendable {
  /// There is no HTTPS, or a proxy has it.
  case off
  /// The household's own authority, kept in a folder.
  case household(folder: URL)
  /// The operator's files in PEM: the certificate with those between it and the authority, and the key.
  case files(certificate: URL, key: URL)
}
