// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import LongboxCore

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

/// The options of the commands that run the server or use its data.
///
/// None has a default here: missing ones come from the environment, then from the file.
struct Options: ParsableArguments {
  @OptionGroup var dataOptions: DataOptions

  @Option(
    help: ArgumentHelp(
      "Who runs this server, an e-mail address or a URL, sent to the sources. [LONGBOX_CONTACT]",
      valueName: "contact"
    )
  )
  var contact: String?

  @Option(
    help: ArgumentHelp("Where xkcd is, if not at https://xkcd.com. [LONGBOX_XKCD_URL]", valueName: "url")
  )
  var xkcdUrl: String?

  @Option(
    help: ArgumentHelp(
      "Where xkcd's pictures are, if not at https://imgs.xkcd.com. [LONGBOX_XKCD_IMAGES_URL]",
      valueName: "url"
    )
  )
  var xkcdImagesUrl: String?

  @Option(
    help: ArgumentHelp(
      "Where explain xkcd's api.php is, if not at https://www.explainxkcd.com/wiki/api.php. [LONGBOX_EXPLAIN_URL]",
      valueName: "url"
    )
  )
  var explainUrl: String?

  @Option(
    help: ArgumentHelp(
      "Where the iTunes Store is, if not at https://itunes.apple.com. [LONGBOX_ITUNES_URL]",
      valueName: "url"
    )
  )
  var itunesUrl: String?

  @Option(
    help: ArgumentHelp(
      "Takes the place of scheme and host in the addresses of albums' covers. [LONGBOX_ARTWORK_URL]",
      valueName: "url"
    )
  )
  var artworkUrl: String?

  @Option(
    help: ArgumentHelp(
      "Where Wikipedia's api.php is; {language} stands for the code. [LONGBOX_WIKIPEDIA_URL]",
      valueName: "url"
    )
  )
  var wikipediaUrl: String?

  @Option(
    help: ArgumentHelp(
      "The language of articles unless a reader chooses: en, de, fr. [LONGBOX_WIKIPEDIA_LANGUAGE]",
      valueName: "code"
    )
  )
  var wikipediaLanguage: String?

  @Option(
    help: ArgumentHelp(
      "The country whose store is asked for albums, by its two letters. [LONGBOX_COUNTRY]",
      valueName: "code"
    )
  )
  var country: String?

  @Option(
    help: ArgumentHelp(
      "Whether albums' covers are fetched and shown: true or false. [LONGBOX_COVERS]",
      valueName: "flag"
    ),
    completion: .list(["true", "false"])
  )
  var covers: String?

  @Option(
    help: ArgumentHelp(
      "The log level: debug, info, notice, warning or error. Modules may have others: notice,sources=debug. [LONGBOX_LOG]",
      valueName: "level"
    ),
    completion: .list(["debug", "info", "notice", "warning", "error"])
  )
  var log: String?

  var values: [AbsoluteConfigKey: ConfigValue] {
    var values = dataOptions.values
    func put(_ key: [String], _ value: String?) {
      values[AbsoluteConfigKey(key)] = value.map { ConfigValue(.string($0), isSecret: false) }
    }
    put(["contact"], contact)
    put(["xkcd", "url"], xkcdUrl)
    put(["xkcd", "images", "url"], xkcdImagesUrl)
    put(["explain", "url"], explainUrl)
    put(["itunes", "url"], itunesUrl)
    put(["artwork", "url"], artworkUrl)
    put(["wikipedia", "url"], wikipediaUrl)
    put(["wikipedia", "language"], wikipediaLanguage)
    put(["country"], country)
    put(["covers"], covers)
    put(["log"], log)
    return values
  }
}

/// The options of the commands for reading.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read from another Longbox, in place of this machine's own. [LONGBOX_SERVER]",
      valueName: "url"
    )
  )
  var server: String?

  @Flag(help: "Print JSON, as docs/cli.md describes it.")
  var json = false

  @OptionGroup var dataOptions: DataOptions
}

/// How a comic is shown.
struct ShowingOptions: ParsableArguments {
  @Flag(help: "Print title, transcript and alt text instead of the picture.")
  var text = false

  @Option(help: "How to draw pictures: auto, kitty, iterm2, sixel, symbols or none.")
  var pictures = PictureMode.auto
}

/// How a terminal shows pictures.
enum PictureMode: String, CaseIterable, ExpressibleByArgument {
  case auto, kitty, iterm2, sixel, symbols, none
}

/// The number of a comic on the command line.
struct ComicNumber: ExpressibleByArgument {
  let number: Comic.Number

  init?(argument: String) {
    guard let number = Int(argument).flatMap({ Comic.Number($0) }) else { return nil }
    self.number = number
  }
}

/// The number of an album on the command line.
struct AlbumNumber: ExpressibleByArgument {
  let id: StoreID

  init?(argument: String) {
    guard let id = StoreID(Text(string: argument)) else { return nil }
    self.id = id
  }
}

/// The option for the country of the album store.
struct CountryOption: ParsableArguments {
  @Option(
    name: .customLong("country"),
    help: ArgumentHelp(
      "The country whose store is asked, by its two letters. [LONGBOX_COUNTRY]",
      valueName: "code"
    )
  )
  var code: String?

  var country: StoreCountry? { code.flatMap { StoreCountry(Text(string: $0)) } }

  func validate() throws {
    if let code, country == nil {
      throw ValidationError("“\(SafeText.line(code))” is not a country. Give two letters, such as gb.")
    }
  }
}
