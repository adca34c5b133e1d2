// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxReaders
import LongboxServer

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
  /// - Parameter place: the port and the base path, as in an address.
  private func show(_ setup: HouseholdSetup, _ place: String, _ file: URL) throws {
    if json {
      let numbers = setup.hosts.filter { $0.first?.isNumber ?? false }
      let names = numbers + setup.hosts.filter { !numbers.contains($0) }
      let report = Report(
        settings: file.path,
        addresses: names.map { "http://\($0):\(place)/start" },
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
    let start = "http://\(address):\(place)/start"
    if let lines = TerminalQRCode.lines(for: start, isStyled: console.hasStyles) {
      Console.send("\n" + lines.joined(separator: "\n") + "\n\n", to: STDOUT_FILENO)
    }
    try console.writeLines("Then point the phone’s camera at the square, or open \(start)")
    for name in setup.hosts where name != address {
      try console.writeLines("Also: http://\(name):\(place)/start")
    }
    if let name = setup.takenName {
      try console.writeLines(
        "Another machine in your network has the name \(name), so this one can't use it."
      )
    }
    try console.writeLines("SHA-256 fingerprint of the authority:", setup.fingerprint)
  }
}
