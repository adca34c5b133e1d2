// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxStore

struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is stored, what is missing, and whether anything is damaged.",
    discussion: """
      Works beside a running server. Exits with 1 if something stored is lost or damaged, otherwise with 0. Comics that \
      aren't fetched yet don't count as damage.
      """
  )

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @Flag(help: "Also read every picture and compare it with its name, which is a hash of its bytes.")
  var deep = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let report = try await StatusReport(of: Store.openReading(settings.store), readingPictures: deep)
      try Console().write(report, asJSON: json, lines: report.sentences)
      if !report.isSound { throw ExitCode(1) }
    }
  }
}
