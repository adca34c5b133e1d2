// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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
