// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration

/// Where everything is kept: the options of every command.
///
/// None has a default here: missing ones come from the environment, then from the file.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder where everything is kept. [LONGBOX_DATA]", valueName: "folder"),
    completion: .directory
  )
  var data: String?

  @Option(
    help: ArgumentHelp("A YAML file with settings. [LONGBOX_CONFIG]", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"])
  )
  var config: String?

  var values: [AbsoluteConfigKey: ConfigValue] {
    data.map { [AbsoluteConfigKey(["data"]): ConfigValue(.string($0), isSecret: false)] } ?? [:]
  }
}
