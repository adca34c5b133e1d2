// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxReaders

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
