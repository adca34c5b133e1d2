// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration

/// The options of the commands that run the server or use its data.
///
/// None has a default here: missing ones come from the environment, then from the file.
struct Options: ParsableArguments {
  @OptionGroup var place: DataOptions

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
      "Where Wikipedia's api.php is, if not the language's own. [LONGBOX_WIKIPEDIA_URL]",
      valueName: "url"
    )
  )
  var wikipediaUrl: String?

  @Option(
    help: ArgumentHelp(
      "The language of articles about albums, by its code: en, de, fr. [LONGBOX_WIKIPEDIA_LANGUAGE]",
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
    var values = place.values
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
