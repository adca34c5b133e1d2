// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxReaders
import LongboxStore

struct Devices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the devices that are signed in, or sign one out.",
    discussion: "Works beside a running server, which notices within a few seconds."
  )

  @Option(help: ArgumentHelp("Sign out the devices with this name or number.", valueName: "name"))
  var signOut: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let settings = try await Settings.read(options)
      let access = try await Access.control(in: settings.data)
      let devices = access.credentials(.session)
      guard let signOut else {
        print(devices.isEmpty ? "No device is signed in." : devices.map(Self.line).joined(separator: "\n"))
        return
      }
      let meant = devices.filter { $0.name == signOut || String($0.id) == signOut }
      for device in meant { try await access.remove(device.id) }
      guard !meant.isEmpty else {
        print("No device is called “\(signOut)”. “longbox devices” lists them.")
        throw ExitCode(66)
      }
      print(meant.count == 1 ? "One device was signed out." : "\(meant.count) devices were signed out.")
    }
  }

  private static func line(_ device: StoredCredential) -> String {
    let day = Date.ISO8601FormatStyle().year().month().day()
    return "\(device.id)  \(device.name)  since \(device.createdAt.formatted(day))"
      + (device.seenAt.map { ", last seen \($0.formatted(day))" } ?? "")
  }
}
