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

  @Option(
    help: ArgumentHelp(
      "A PostgreSQL database that keeps everything, in place of SQLite in the folder. [LONGBOX_DATABASE]",
      valueName: "url"
    )
  )
  var database: String?

  var values: [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    values[AbsoluteConfigKey(["data"])] = data.map { ConfigValue(.string($0), isSecret: false) }
    values[AbsoluteConfigKey(["database"])] = database.map { ConfigValue(.string($0), isSecret: true) }
    return values
  }
}
