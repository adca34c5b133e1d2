// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxReaders
import LongboxServer
import LongboxStore

struct Setup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prepare Longbox for your phone: passphrase, certificate, addresses.",
    discussion: """
      Asks for a passphrase, makes the household’s certificate authority, and writes longbox.yaml into the data folder. After \
      that, “longbox serve” listens on the network. Shows the address for the phone as a QR code. --yes asks no questions.
      """
  )

  @Flag(help: "Ask nothing; needs --passphrase-file, unless a passphrase was set before.")
  var yes = false

  @Option(
    help: ArgumentHelp("A file with the passphrase, instead of being asked.", valueName: "file"),
    completion: .file()
  )
  var passphraseFile: String?

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp(
      "A further name of this machine, for its certificate; may be repeated.",
      valueName: "name"
    )
  )
  var hostNames: [String] = []

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    /// The file with the settings.
    var settings: String
    /// Where the set-up of a phone begins; the first one is best.
    var addresses: [String]
    /// The SHA-256 of the authority's certificate.
    var fingerprint: String
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options, needsRoot: true)
      let names = try Settings.hostNames((settings.hostNames + hostNames).joined(separator: ","))
      let access = try await Access.control(in: settings.store)
      if let passphraseFile {
        let passphrase = try Access.passphrase(in: passphraseFile)
        if await !access.isPassphrase(passphrase) { try await access.setPassphrase(passphrase) }
      } else if yes {
        guard access.hasPassphrase else {
          throw AccessProblem(
            description: "There is no passphrase yet. Put one into a file and name it by --passphrase-file."
          )
        }
      } else if !access.hasPassphrase {
        Console().ask(
          "Choose a passphrase for your household. Everybody who knows it can read and change what is in Longbox."
        )
        try await access.setPassphrase(Access.promptForNewPassphrase())
      }
      var setup = try HouseholdSetup(in: settings.data, hostNames: names, at: Date())
      await setup.checkName()
      try settings.writeSetup(names: names)
      try show(setup, "\(settings.port)\(settings.site.basePath.text)", settings.setupFile)
    }
  }

  /// Prints where the settings are, and how to connect a phone.
  /// - Parameter portAndPath: the port and the base path, as in an address.
  private func show(_ setup: HouseholdSetup, _ portAndPath: String, _ file: URL) throws {
    if json {
      let numbers = setup.hosts.filter { $0.first?.isNumber ?? false }
      let names = numbers + setup.hosts.filter { !numbers.contains($0) }
      let report = Report(
        settings: file.path,
        addresses: names.map { "http://\($0):\(portAndPath)/start" },
        fingerprint: setup.fingerprint
      )
      return try Console().writeJSON(report)
    }
    let console = Console()
    try console.writeLines(
      "The settings are in \(file.path). Start (or restart) Longbox with:  longbox serve"
    )
    let numbers = setup.hosts.filter { $0.first?.isNumber ?? false }
    guard let address = numbers.first else {
      try console.writeLines(
        "This machine has no address in a network yet. Connect it, and run “longbox setup” again."
      )
      return
    }
    let start = "http://\(address):\(portAndPath)/start"
    if let lines = TerminalQRCode.lines(for: start, isStyled: console.hasStyles) {
      Console.send("\n" + lines.joined(separator: "\n") + "\n\n", to: STDOUT_FILENO)
    }
    try console.writeLines("Then point the phone’s camera at the square, or open \(start)")
    for name in setup.hosts where name != address {
      try console.writeLines("Also: http://\(name):\(portAndPath)/start")
    }
    if let name = setup.takenName {
      try console.writeLines(
        "Another machine in your network has the name \(name), so this one can't use it."
      )
    }
    try console.writeLines("SHA-256 fingerprint of the authority:", setup.fingerprint)
  }
}

struct Passphrase: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the household’s passphrase.",
    discussion: "Works beside a running server. All devices have to sign in again."
  )

  @Option(
    help: ArgumentHelp("A file with the passphrase, instead of being asked.", valueName: "file"),
    completion: .file()
  )
  var passphraseFile: String?

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    var changed: Bool
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options, needsRoot: true)
      let passphrase =
        try passphraseFile.map { try Access.passphrase(in: $0) } ?? Access.promptForNewPassphrase()
      try await Access.control(in: settings.store).setPassphrase(passphrase)
      try Console().write(
        Report(changed: true),
        asJSON: json,
        lines: ["The passphrase was set. Devices have to sign in again."]
      )
    }
  }
}

struct Devices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the devices that are signed in, or sign one out.",
    discussion: "Works beside a running server, which notices within a few seconds."
  )

  @Option(help: ArgumentHelp("Sign out the devices with this name or number.", valueName: "name"))
  var signOut: String?

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Device: Encodable {
    var number: Int64
    var name: String
    var since: Date
    var lastSeen: Date?

    init(_ device: StoredCredential) {
      number = device.id
      name = device.name
      since = device.createdAt
      lastSeen = device.seenAt
    }
  }

  private struct Removed: Encodable {
    var signedOut: [Device]
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let access = try await Access.control(in: settings.store)
      let devices = access.credentials(.session)
      guard let signOut else {
        return try Console().write(
          devices.map(Device.init),
          asJSON: json,
          lines: devices.isEmpty ? ["No device is signed in."] : devices.map(Self.line)
        )
      }
      let meant = devices.filter { $0.name == signOut || String($0.id) == signOut }
      for device in meant { try await access.remove(device.id) }
      guard !meant.isEmpty else {
        throw ReaderError.missing("No device is called “\(signOut)”. “longbox devices” lists them.")
      }
      try Console().write(
        Removed(signedOut: meant.map(Device.init)),
        asJSON: json,
        lines: [meant.count == 1 ? "One device was signed out." : "\(meant.count) devices were signed out."]
      )
    }
  }

  private static func line(_ device: StoredCredential) -> String {
    let day = Date.ISO8601FormatStyle().year().month().day()
    return "\(device.id)  \(device.name)  since \(device.createdAt.formatted(day))"
      + (device.seenAt.map { ", last seen \($0.formatted(day))" } ?? "")
  }
}
