// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation
import LongboxReaders
import LongboxStore
import SwiftASN1
import X509

/// The household's own certificate authority, which the household's devices trust.
///
/// It can only vouch for names and addresses of home networks, and for the names that the operator chose when it was
/// made: its constraints (RFC 5280, section 4.2.1.10) can't grow.
public struct HouseholdAuthority: Sendable {
  /// The validity of the authority, in seconds: ten years.
  private static let lifetime: TimeInterval = 3_652 * 24 * 3600
  /// The validity of a certificate from now on, in seconds.
  ///
  /// With the day of ``margin`` it is 397 days, which all browsers accept.
  static let leafLifetime: TimeInterval = 396 * 24 * 3600
  /// Certificates are valid a day earlier, for devices with a slow clock.
  private static let margin: TimeInterval = 24 * 3600
  private static let domains = ["local", "home.arpa", "internal", "lan", "localhost"]

  let certificate: Certificate
  private let key: P256.Signing.PrivateKey
  /// The certificate in DER.
  public let bytes: [UInt8]
  private let permitted: [String]
  private let permittedRanges: [Subnet]

  /// The SHA-256 of the certificate, in pairs of digits.
  public var fingerprint: String {
    SHA256.hash(data: bytes)
      .map { String(format: "%02X", $0) }
      .joined(separator: ":")
  }

  private init(_ certificate: Certificate, _ key: P256.Signing.PrivateKey) throws {
    self.certificate = certificate
    self.key = key
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    bytes = serializer.serializedBytes
    let constraints = try certificate.extensions.nameConstraints
    permitted = constraints.map { Array($0.permittedDNSDomains) } ?? []
    permittedRanges = constraints?.permittedIPRanges.compactMap { Subnet(Array($0.bytes)) } ?? []
  }

  /// Makes an authority.
  /// - Parameters:
  ///   - machine: the machine. People recognize the authority by its name. If its addresses are no private ones, the
  ///     authority may vouch for their networks, too.
  ///   - names: the operator's names.
  ///   - now: the time.
  init(for machine: MachineNames, names: [String], at now: Date) throws {
    let key = P256.Signing.PrivateKey()
    let own = Certificate.PrivateKey(key)
    let year = Calendar(identifier: .gregorian).component(.year, from: now)
    let name = try DistinguishedName {
      OrganizationName("Longbox")
      CommonName("Longbox on \(machine.machine.prefix(40)) (\(year))")
    }
    let domains =
      Self.domains
      + ([machine.machine] + names).filter { name in
        !Self.domains.contains { Self.isWithin(name, $0) }
      }
    let others = machine.addresses.filter { address in !Subnet.home.contains { $0.contains(address) } }
    let ranges = Subnet.home + others.map { Subnet(around: $0) }
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Self.serial(),
      publicKey: own.publicKey,
      notValidBefore: now - Self.margin,
      notValidAfter: now + Self.lifetime,
      issuer: name,
      subject: name,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        Critical(
          NameConstraints(
            permittedDNSDomains: domains,
            permittedIPRanges: ranges.map { ASN1OctetString(contentBytes: $0.bytes[...]) }
          )
        )
        SubjectKeyIdentifier(hash: own.publicKey)
      },
      issuerPrivateKey: own
    )
    try self.init(certificate, key)
  }

  /// Loads the authority of a folder, or makes one and stores it: the key is readable by its owner only.
  static func loadOrCreate(in folder: URL, for machine: MachineNames, names: [String], at now: Date) throws
    -> HouseholdAuthority
  {
    if let stored = try stored(in: folder) { return stored }
    let fresh = try HouseholdAuthority(for: machine, names: names, at: now)
    let certificate = try fresh.certificate.serializeAsPEM().pemString
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      for (text, file) in [(fresh.key.pemRepresentation, keyFile(folder)), (certificate, file(folder))] {
        try PrivateFile.write(Array("\(text)\n".utf8), to: file, isSynced: true)
      }
    } catch {
      throw TLSError(
        description: "Longbox can't write to \(folder.path) (\(error)). Check that you may write there."
      )
    }
    return fresh
  }

  /// Loads the authority of a folder; nil if there is none.
  public static func stored(in folder: URL) throws -> HouseholdAuthority? {
    do {
      guard let certificate = try PrivateFile.read(file(folder)) else { return nil }
      return try HouseholdAuthority(
        Certificate(pemEncoded: String(decoding: certificate, as: UTF8.self)),
        P256.Signing.PrivateKey(
          pemRepresentation: String(decoding: PrivateFile.read(keyFile(folder)) ?? [], as: UTF8.self)
        )
      )
    } catch {
      throw TLSError(
        description: "The certificate authority in \(folder.path) can't be read (\(error)). Put back a copy "
          + "of that folder. Without a copy, move the folder away; all devices must then trust the new authority."
      )
    }
  }

  public static func folder(in data: URL) -> URL { data.appending(path: "tls", directoryHint: .isDirectory) }

  private static func file(_ folder: URL) -> URL { folder.appending(path: "authority.pem") }
  private static func keyFile(_ folder: URL) -> URL { folder.appending(path: "authority.key.pem") }

  /// Whether it may vouch for a name.
  func permits(_ name: String) -> Bool {
    HostField.isCertifiable(name) && permitted.contains { Self.isWithin(name, $0) }
  }

  /// Whether it may vouch for an address.
  func permits(_ address: [UInt8]) -> Bool {
    permittedRanges.contains { $0.contains(address) }
  }

  /// Makes a certificate for a server with these names and addresses; those that it may not vouch for are left out.
  func leaf(for machine: MachineNames, at now: Date) throws -> Leaf {
    try sign(
      names: machine.names.filter { permits($0) },
      addresses: machine.addresses.filter { permits($0) },
      at: now
    )
  }

  /// Makes a certificate.
  ///
  /// Doesn't check the name constraints; clients check them.
  func sign(names: [String], addresses: [[UInt8]], at now: Date) throws -> Leaf {
    let key = P256.Signing.PrivateKey()
    let own = Certificate.PrivateKey(key)
    let names = names.map { GeneralName.dnsName($0) }
    let addresses = addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
    let identifier = try certificate.extensions.subjectKeyIdentifier?.keyIdentifier
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Self.serial(),
      publicKey: own.publicKey,
      notValidBefore: now - Self.margin,
      notValidAfter: now + Self.leafLifetime,
      issuer: self.certificate.subject,
      // Old clients would take a name here for a host.
      subject: DistinguishedName(),
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        Critical(SubjectAlternativeNames(names + addresses))
        SubjectKeyIdentifier(hash: own.publicKey)
        AuthorityKeyIdentifier(keyIdentifier: identifier)
      },
      issuerPrivateKey: Certificate.PrivateKey(self.key)
    )
    return Leaf(certificate: certificate, key: key)
  }

  /// A certificate with its key.
  struct Leaf: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// When it need not be replaced: the first two thirds of its life.
    var fresh: Range<Date> {
      let (start, end) = (certificate.notValidBefore, certificate.notValidAfter)
      return start..<start + end.timeIntervalSince(start) * 2 / 3
    }
  }

  /// 16 random bytes with the top bit clear: a positive number of at most 20 bytes (RFC 5280, section 4.1.2.2).
  private static func serial() -> Certificate.SerialNumber {
    var random = SystemRandomNumberGenerator()
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Not zero either, since leading zeros would not be encoded.
    bytes[0] = bytes[0] & 0x7F | 0x40
    return Certificate.SerialNumber(bytes: bytes)
  }

  private static func isWithin(_ name: String, _ domain: String) -> Bool {
    name == domain || name.hasSuffix("." + domain)
  }
}

/// The names, addresses and fingerprint that a person needs to reach this machine from a phone.
public struct HouseholdSetup: Sendable {
  /// The names and addresses under which other devices reach this machine, the best first.
  public private(set) var hosts: [String]
  /// The name that this machine can't publish, because another one in the network has it; nil if there is none.
  public private(set) var takenName: String?
  /// The SHA-256 of the authority's certificate, in pairs of digits.
  public let fingerprint: String

  private let machine: MachineNames
  private let avahi: Avahi

  /// Makes the household's authority, if there is none, and finds this machine's addresses.
  /// - Parameters:
  ///   - data: the data folder.
  ///   - hostNames: the operator's names.
  ///   - now: the time.
  /// - Throws: `TLSError`.
  public init(in data: URL, hostNames: [String], at now: Date) throws {
    try self.init(in: data, hostNames: hostNames, at: now, MachineNames.current(hostNames), Avahi())
  }

  init(in data: URL, hostNames: [String], at now: Date, _ machine: MachineNames, _ avahi: Avahi) throws {
    (self.machine, self.avahi) = (machine, avahi)
    let folder = HouseholdAuthority.folder(in: data)
    let authority = try HouseholdAuthority.loadOrCreate(in: folder, for: machine, names: hostNames, at: now)
    fingerprint = authority.fingerprint
    let published = avahi.canPublish ? NamePublisher.name : nil
    hosts = machine.reachable(hostNames, by: authority, published: published, avahi: avahi)
  }

  /// Asks the network whether another machine has the name `longbox.local`; if so, removes it from ``hosts``.
  ///
  /// - Parameter limit: the maximum wait for an answer.
  public mutating func checkName(within limit: Duration = .seconds(2)) async {
    let (name, avahi) = (NamePublisher.name, avahi)
    guard hosts.contains(name), name != "\(machine.machine).local" else { return }
    let thread = SerialThread(label: "longbox.avahi")
    let own = machine.addresses.map { $0.map { String($0) }.joined(separator: ".") }
    let address = await thread.run { avahi.address(of: name, within: limit) }
    guard let address, !own.contains(address) else { return }
    hosts.removeAll { $0 == name }
    takenName = name
  }

  /// Whether a text is a name that this machine can have, in lower case.
  public static func isHostName(_ text: String) -> Bool { HostField.isCertifiable(text) }
}
