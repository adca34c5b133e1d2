// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders

/// How other devices reach this server, and how they sign in.
struct Reach: Sendable {
  /// Decides which requests are admitted.
  var gate = AccessGate()
  /// Whether the server listens on loopback alone, although readers sign in.
  var isOnLoopbackAlone = false
  /// The certificates; nil without HTTPS of our own.
  var certificates: Certificates?
  /// Publishes a further name; nil if nothing does.
  var publisher: NamePublisher?
  /// The names and addresses under which other devices reach this machine, the best first.
  var hosts: @Sendable () -> [String] = { [] }

  /// The devices and keys; nil if there is no sign-in.
  var access: AccessControl? { gate.access }

  /// The addresses of the site for other devices, the best first: scheme, host, port and base path.
  ///
  /// The public address that the operator named comes first.
  /// - Parameters:
  ///   - port: the port with a colon before it; empty for the usual one.
  ///   - site: the public address and the base path.
  func roots(port: String, of site: SiteAddress) -> [String] {
    let scheme = certificates == nil ? "http" : "https"
    let ofMachine = hosts().map { "\(scheme)://\($0)\(port)\(site.basePath.text)" }
    return [site.publicAddress?.root].compactMap(\.self) + ofMachine
  }

  /// The address of the start page: below the public address if there is one, otherwise one that needs no encryption;
  /// nil if this machine is in no network.
  ///
  /// It has an IPv4 address if there is one: a phone may not find this machine by its name.
  func startAddress(port: String, of site: SiteAddress) -> String? {
    if let address = site.publicAddress { return address.link(to: StartController.path) }
    let hosts = hosts()
    let host = hosts.first { $0.first?.isNumber ?? false } ?? hosts.first
    return host.map { "http://\($0)\(port)\(site.basePath.text)\(StartController.path)" }
  }
}
