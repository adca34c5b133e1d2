// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxStore
import SystemPackage

extension Settings {
  /// The file with the machine's settings, which the Debian package installs.
  static let machineFile = "/etc/longbox/longbox.yaml"

  /// Reads the settings from the command line, the environment and the files, in this order of precedence.
  ///
  /// A file that the command line or the environment names is the only one. Otherwise it is the one in the data folder, then
  /// that of the machine; each may be missing.
  /// - Parameters:
  ///   - options: the options that all commands have.
  ///   - further: the command's own options.
  ///   - machineFile: the file of the machine.
  /// - Throws: `SettingsError` or `SettingError`, which says what is wrong and what to do.
  static func read(
    _ options: Options,
    further: [AbsoluteConfigKey: ConfigValue] = [:],
    machineFile: String = Self.machineFile
  ) async throws -> Settings {
    try await read(
      config: options.place.config,
      options.values.merging(further) { $1 },
      machineFile: machineFile
    )
  }

  /// The same for a command that only reads.
  static func read(_ place: DataOptions) async throws -> Settings {
    try await read(config: place.config, place.values, machineFile: machineFile)
  }

  private static func read(
    config: String?,
    _ given: [AbsoluteConfigKey: ConfigValue],
    machineFile: String
  ) async throws -> Settings {
    let environment = ProcessInfo.processInfo.environment
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "options", values: given),
      EnvironmentVariablesProvider().prefixKeys(with: "longbox"),
    ]
    if let file = config ?? environment["LONGBOX_CONFIG"] {
      providers.append(try await yaml(file))
      return try Settings(ConfigReader(providers: providers), environment: environment)
    }
    let machine = try await existingYAML(machineFile)
    // The data folder's own settings file can't say where the data folder is.
    let data = try dataFolder(
      ConfigReader(providers: providers + machine).string(forKey: "data"),
      environment: environment
    )
    providers += try await existingYAML(data.appending(path: fileName).path)
    providers += machine
    return try Settings(ConfigReader(providers: providers), environment: environment)
  }

  /// The settings in a file; none if it is missing.
  private static func existingYAML(_ file: String) async throws -> [any ConfigProvider] {
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    // Refuses a pipe, for whose other end the provider would wait.
    do { _ = try PrivateFile.read(URL(filePath: file)) } catch { throw unreadable(file, error) }
    return [try await yaml(file)]
  }

  private static func yaml(_ file: String) async throws -> any ConfigProvider {
    do {
      return try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
    } catch {
      throw unreadable(file, error)
    }
  }

  private static func unreadable(_ file: String, _ error: any Error) -> SettingsError {
    SettingsError(key: "config", value: file, expected: "a YAML file that can be read (\(error))")
  }
}
