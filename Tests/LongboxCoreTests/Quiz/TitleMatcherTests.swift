// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

struct TitleMatcherTests {
  /// A guess at the only track of an album.
  struct Guess: CustomTestStringConvertible {
    var title: String
    var guess: String
    var why: String

    init(_ title: String, _ guess: String, _ why: String) {
      self.title = title
      self.guess = guess
      self.why = why
    }

    var testDescription: String { "“\(guess)” for “\(title)”: \(why)" }
  }

  private static func match(
    _ guess: String,
    _ titles: [String],
    _ mode: TitleMatcher.Mode = .whole
  ) -> TitleMatch {
    TitleMatcher(titles: titles.map { Text(string: $0) }).match(Text(string: guess), mode)
  }

  static let taken: [Guess] = [
    Guess("Paper Lanterns", "pApEr LANTERNS", "case"),
    Guess("Déjà Vu à Gdańsk", "deja vu a gdansk", "diacritics"),
    Guess("Größer als der Mond", "grosser als der mond", "letters that Unicode does not decompose"),
    Guess("Ｎｅｏｎ", "neon", "width"),
    Guess("Don’t Wake the Cat!?", "dont wake the cat", "apostrophes and punctuation go"),
    Guess("Don't Wake the Cat", "don’t wake the cat", "a curved apostrophe"),
    Guess("Upside-Down", "upside down", "a hyphen may be a space"),
    Guess("Upside-Down", "upsidedown", "or nothing"),
    Guess("P.S. Write Soon", "ps write soon", "points"),
    Guess("M.O.O.N", "m o o n", "spaces for points"),
    Guess("Salt & Honey", "salt and honey", "and for &"),
    Guess("Salt and Honey", "Salt & Honey", "& for and"),
    Guess("Salt & Honey", "salt honey", "no sign at all"),
    Guess("Rock 'n' Stroll", "rock and stroll", "'n'"),
    Guess("Paint + Paper", "paint and paper", "plus"),
    Guess("The Long Box", "long box", "without the article"),
    Guess("Long Box", "the long box", "with an article"),
    Guess("A-Frame", "a frame", "no article at all"),
    Guess("Die Lange Kiste", "lange kiste", "a German article"),
    Guess("La Caja Larga", "caja larga", "a Spanish one"),
    Guess("Les Cartons", "cartons", "a French one"),
    Guess("Harbour (feat. The Gulls)", "harbour", "who features"),
    Guess("Harbour (feat Gulls)", "Harbour feat. Gulls", "who features, typed"),
    Guess("Harbour feat. The Gulls", "harbour", "who features, without brackets"),
    Guess("Harbour", "Harbour (Live)", "an edition that the title lacks"),
    Guess("Harbour [Remastered 2011]", "harbour", "square brackets"),
    Guess("Harbour (Live at the Pier, 1979) [Remastered]", "harbour", "two of them"),
    Guess("Harbour (Live at the Pier) [Mono]", "harbour live at the pier", "one of two"),
    Guess("Harbour - Single Version", "harbour", "a version after a dash"),
    Guess("Harbour - 2009 Remaster", "harbour", "a remaster after a dash"),
    Guess("Harbour (Come Home)", "harbour come home", "a subtitle is in the title"),
    Guess("Harbour (Come Home)", "harbour", "and may be left out"),
    Guess("(I Can Hear) The Harbour", "the harbour", "a subtitle before"),
    Guess("(R)evolving", "revolving", "brackets within a word"),
    Guess("【Harbour】", "harbour", "brackets around all"),
    Guess("Harbour (unclosed", "harbour", "a bracket that is not closed"),
    Guess("Suite, Pt. 2", "suite part two", "Pt. and a number in letters"),
    Guess("Suite, Part II", "suite pt 2", "a Roman numeral"),
    Guess("Suite (Pts. 1-3)", "suite parts one to three", "a typing error's worth of words"),
    Guess("Suite (Pt. 2)", "suite", "the only part"),
    Guess("Suite, Vol. IV", "suite volume 4", "a volume"),
    Guess("Part I", "part one", "an I that is a number"),
    Guess("99 Umbrellas", "ninety-nine umbrellas", "digits in letters"),
    Guess("Seven Umbrellas", "7 umbrellas", "letters in digits"),
    Guess("1979 Again", "nineteen seventy nine again", "a year"),
    Guess("505 Steps", "five hundred and five steps", "hundreds"),
    Guess("10,000 Steps", "10000 steps", "a comma in a number"),
    Guess("2nd Chance", "second chance", "an ordinal"),
    Guess("21st Floor", "twenty-first floor", "a greater one"),
    Guess("Henry VIII", "henry 8", "a Roman numeral of a king"),
    Guess("Track #5", "track number five", "the sign of a number"),
    Guess("No. 5 in Blue", "number 5 in blue", "No. before a number"),
    Guess("Die 4 U", "die 4 you", "u for you"),
    Guess("Ca$h", "cash", "a dollar for an s"),
    Guess("Lanterns", "lantrens", "swapped letters"),
    Guess("Red", "rde", "in a short one"),
    Guess("Paper Lanterns Over Water", "paper lantens ower watter", "three errors in a long one"),
    Guess("45Hz Tone", "45hz one", "an error that makes a number"),
    Guess("Sixty", "sixti", "an error in a number's name"),
    Guess("紙の箱 (A Box of Paper)", "a box of paper", "the Latin spelling in brackets"),
    Guess("紙の箱 (A Box of Paper)", "紙の箱", "the other one"),
    Guess("紙の箱 (A Box of Paper)", "box of papr", "with an article less and an error"),
    Guess("종이 상자 Paper Box", "paper box", "two scripts in a row"),
    Guess("Paper Box (종이 상자)", "종이 상자", "the other way round"),
    Guess("ガラスのバラ", "がらすのばら", "katakana as hiragana"),
    Guess("ガラスのバラ", "カラスのハラ", "without the marks of voice"),
    Guess(
      "종이 상자",
      "\u{110C}\u{1169}\u{11BC}\u{110B}\u{1175} \u{1109}\u{1161}\u{11BC}\u{110C}\u{1161}",
      "decomposed Hangul"
    ),
    Guess("Ёлка", "елка", "a Cyrillic diacritic"),
    Guess("???", "???", "nothing but signs"),
    Guess("♥", "♥", "a symbol"),
    Guess("I ♥ Boxes", "i boxes", "a symbol among words"),
    Guess("Intro: The Box", "the box", "what follows a colon"),
  ]

  @Test(arguments: taken)
  func `accepts`(_ row: Guess) {
    #expect(Self.match(row.guess, [row.title]) == .tracks([0]))
  }

  static let rejected: [Guess] = [
    Guess("Paper Lanterns", "", "nothing"),
    Guess("Paper Lanterns", " ", "a space"),
    Guess("Paper Lanterns", "paper", "half of it"),
    Guess("Paper Lanterns", "lanterns", "the other half"),
    Guess("The Box", "the", "the article alone"),
    Guess("Go", "no", "an error in two letters"),
    Guess("Red", "bed", "another first letter of a short one"),
    Guess("Suite, Pt. 2", "suite part three", "another part"),
    Guess("Suite, Pt. 2", "suite pt 1", "another part in digits"),
    Guess("Bourrée II", "bourrée iii", "another numeral"),
    Guess("53Hz Tone", "54Hz tone", "another number"),
    Guess("53Hz Tone", "5hz tone", "a digit less"),
    Guess("Sixty Sixes", "sixty", "a number alone"),
    Guess("Plan B", "plan a", "another letter"),
    Guess("愛の箱", "恋の箱", "an ideograph is a word"),
    Guess("봄날", "봄비", "a syllable of two"),
    Guess("Kupu - Kupu Malam", "kupu", "a dash within the title"),
    Guess("Harbour (Come Home)", "come home", "the subtitle alone"),
    Guess("Harbour (Live)", "live", "the edition alone"),
    Guess("紙の箱 (Instrumental)", "instrumental", "an edition is no translation"),
  ]

  @Test(arguments: rejected)
  func `rejects`(_ row: Guess) {
    #expect(Self.match(row.guess, [row.title]) == .none)
  }

  /// A guess at an album.
  struct Case: CustomTestStringConvertible {
    var titles: [String]
    var guess: String
    var match: TitleMatch
    var why: String
    var testDescription: String { "“\(guess)”: \(why)" }

    init(_ titles: [String], _ guess: String, _ match: TitleMatch, _ why: String) {
      self.titles = titles
      self.guess = guess
      self.match = match
      self.why = why
    }
  }

  static let albums: [Case] = [
    Case(["Box", "Box", "Lid"], "box", .tracks([0, 1]), "two of one name"),
    Case(["Box", "Box (Live)"], "box", .tracks([0, 1]), "named alike"),
    Case(["Box", "Box (Live)"], "box live", .tracks([1]), "but for what is said"),
    Case(["The Box", "Box"], "box", .tracks([0, 1]), "but for the article"),
    Case(["Suite, Pt. 1", "Suite, Pt. 2"], "suite pt. 2", .tracks([1]), "a part"),
    Case(["Suite, Pt. 1", "Suite, Pt. 2"], "suite", .ambiguous, "no part"),
    Case(["Suite (Part I)", "Suite (Part II)"], "suite", .ambiguous, "no part, in brackets"),
    Case(["Suite", "Suite, Pt. 2"], "suite", .tracks([0]), "the one without a part"),
    Case(["Love", "Live"], "lave", .ambiguous, "as near to either"),
    Case(["Love", "Live"], "live", .tracks([1]), "exactly one"),
    Case(["Love", "Live"], "lovve", .tracks([0]), "nearer to one"),
    Case(["Menunggu", "Menunggumu"], "menunggum", .ambiguous, "between two"),
    Case(["Lantern Song One", "Lantern Song Two"], "lantern song tow", .tracks([1]), "an error in a number"),
    Case(["Salt (Sugar)", "Sugar"], "sugar", .tracks([1]), "not the other's subtitle"),
    Case(["箱 (Box)", "Box"], "box", .tracks([1]), "not the other's translation"),
    Case(["箱 (Box)", "紙 (Box)"], "box", .ambiguous, "two translations"),
    Case(["Die Young", "Young"], "young", .tracks([1]), "die may be no article"),
    Case(["Plan A", "Plan B"], "plan c", .none, "none of them"),
    Case([], "box", .none, "no tracks"),
  ]

  @Test(arguments: albums)
  func `distinguishes tracks`(_ row: Case) {
    #expect(Self.match(row.guess, row.titles) == row.match)
  }

  static let typing: [Case] = [
    Case(["Bohemian Lanterns"], "Bohemian Lantern", .none, "the last letter is to come"),
    Case(["Bohemian Lanterns"], "Bohemain Lantern", .none, "even with an error before"),
    Case(["Bohemian Lanterns"], "Bohemain Lanterns", .tracks([0]), "the last letter has come"),
    Case(["Bohemian Lanterns"], "bohmian lanterns", .tracks([0]), "with a letter less"),
    Case(["Box", "Box of Paper"], "box", .tracks([0]), "what is right is taken at once"),
    Case(["Harbour", "Harbours Far Away"], "harbuor", .none, "with an error, it may be the longer one"),
    Case(["Suite, Pt. 2"], "suite", .none, "the part is to come"),
    Case(["紙の箱 (A Box of Paper)"], "a box of paper", .tracks([0]), "a translation"),
  ]

  @Test(arguments: typing)
  func `waits while a reader types`(_ row: Case) {
    #expect(Self.match(row.guess, row.titles, .typing) == row.match)
  }

  @Test func `accepts any bytes as a guess or a title`() {
    let odd: [[UInt8]] = [
      [0xFF, 0xFE, 0x28], Array(repeating: 0x28, count: 5000), Array(repeating: 0x61, count: 5000), [0],
      [0xF0, 0x9F], Array("((((".utf8), Array("a)b(c".utf8), Array("#".utf8), Array(" - ".utf8),
      Array("feat.".utf8),
    ]
    let matcher = TitleMatcher(titles: odd.map { Text($0) })
    for (index, bytes) in odd.enumerated() {
      let match = matcher.match(Text(bytes))
      guard case .tracks(let tracks) = match else { continue }
      #expect(tracks.contains(index))
    }
    #expect(TitleMatcher(titles: Array(repeating: "Box", count: 600)).match("box") == .tracks(Array(0..<500)))
  }
}
