// Longbox
// SPDX-License-Identifier: MIT

import LongboxPages

/// The browser and device in a `User-Agent`, in words that people know.
struct BrowserName: Equatable, Sendable {
  /// Such as "Firefox on Android".
  let text: String
  /// The platform whose steps the start page shows first.
  let platform: StartOffer.Platform?

  init(_ agent: String?) {
    let agent = agent ?? ""
    func has(_ word: String) -> Bool { agent.contains(word) }
    let browser: String? =
      if has("Edg") { "Edge" } else if has("Firefox/") || has("FxiOS") { "Firefox" } else if has("OPR/") {
        "Opera"
      } else if has("SamsungBrowser") { "Samsung Internet" } else if has("Chrome/") || has("CriOS") {
        "Chrome"
      } else if has("Safari/") { "Safari" } else { nil }
    let system: (name: String, platform: StartOffer.Platform)? =
      if has("iPhone") { ("iPhone", .apple) } else if has("iPad") { ("iPad", .apple) } else if has("Android")
      {
        ("Android", browser == "Firefox" ? .androidFirefox : .android)
      } else if has("Windows") { ("Windows", .windows) } else if has("Macintosh") {
        ("Mac", .mac)
      } else if has("Linux") || has("CrOS") { ("Linux", .linux) } else { nil }
    platform = system?.platform
    text =
      switch (browser, system?.name) {
      case (let browser?, let system?): "\(browser) on \(system)"
      case (let browser?, nil): browser
      case (nil, let system?): "A browser on \(system)"
      case (nil, nil): "A browser"
      }
  }
}
