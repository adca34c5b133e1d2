// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore
@testable import LongboxPages

/// Addresses and forms.
enum FormTarget {
  private static let now: UInt64 = 1_800_000_000_000

  /// The first line is a path with a query, the rest a form.
  static func run(_ input: [UInt8]) throws(Finding) {
    let line = input.prefix { $0 != UInt8(ascii: "\n") }
    let path = line.prefix { $0 != UInt8(ascii: "?") }
    let body = Text(input.dropFirst(line.count + 1))
    let fields = FormFields(body)
    for field in fields.all {
      let encoded = FormEncoding.encode(field.value)
      try Finding.check(FormEncoding.decode(encoded.bytes) == field.value, "encoding changes a field")
    }
    guard let archive = SampleComics.archive else { return }
    var replica = Replica(device: 1)
    LibraryTarget.edit(&replica)
    for address in EditAddress.allCases {
      guard let edit = Edit(address, fields: fields) else { continue }
      try? edit.apply(to: &replica, at: now)
    }
    try Finding.check(
      (try? Replica(decoding: replica.encoded())) == replica,
      "a form makes a library unreadable"
    )
    for method in [Request.Method.get, .post] {
      var request = Request(
        method: method,
        path: Text(path),
        query: Text(line.dropFirst(path.count + 1)),
        body: body
      )
      request.isRemembered = true
      let route = Route(request)
      let response = render(
        route,
        in: request,
        archive: archive,
        library: &replica,
        loaded: Loaded(),
        context: PageContext(assetVersion: "1", version: "1", isOffline: false)
      )
      try Finding.check((200..<600).contains(response.status), "the status is \(response.status)")
      let location = response.location
      try Finding.check(
        location.isEmpty
          || location.bytes.first == UInt8(ascii: "/")
            && location.bytes.dropFirst().first != UInt8(ascii: "/"),
        "a redirect leads to \(location)"
      )
    }
    try Finding.check(
      (try? Replica(decoding: replica.encoded())) == replica,
      "a page makes a library unreadable"
    )
  }
}
