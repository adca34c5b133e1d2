// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The parts of the settings page: groups of rows, each row a control or a link.
///
/// A row's label, link or button covers the whole row. Hints are beside the control, so that they are not part of its accessible name.
enum SettingsRows {
  /// The content of a page of groups.
  static func page(@HTMLBuilder content: () -> HTML) -> HTML {
    link(Attribute("rel", "stylesheet"), .href(.local("/assets/settings.css")))
      + div(.class("settings"), content: content)
  }

  static func group(
    _ name: StaticString,
    id: StaticString,
    _ attributes: Attribute...,
    @HTMLBuilder content: () -> HTML
  ) -> HTML {
    HTML(
      element: "section",
      [.class("group"), Attribute("aria-labelledby", id)] + attributes,
      h2(.id(id)) { name } + content()
    )
  }

  /// A form of settings.
  ///
  /// Scripts send each change at once; without them there is a button.
  /// - Parameters:
  ///   - address: the form's address; nil for that of the reader's settings.
  ///   - content: the rows.
  static func form(to address: Text? = nil, @HTMLBuilder content: () -> HTML) -> HTML {
    LongboxPages.form(
      .class("rows"),
      .action(.local(address ?? EditAddress.settings.path)),
      Attribute("method", "post"),
      Attribute("autocomplete", "off")
    ) {
      content()
      if address == nil { hidden("back", Link.settings.address) }
      HTML(
        element: "noscript",
        [],
        div(.class("row")) { button(.class("button action"), Attribute("type", "submit")) { "Save" } }
      )
    }
  }

  /// A row with a link or a button, and what it leads to or does.
  /// - Parameters:
  ///   - control: the link or button.
  ///   - icon: stands before it.
  ///   - hint: stands below it.
  ///   - value: what is set or counted.
  ///   - action: what a press does, drawn as a button; empty for the sign of a link.
  static func row(
    _ control: HTML,
    icon: Icon? = nil,
    hint: Text = .empty,
    value: Text = .empty,
    action: StaticString = ""
  ) -> HTML {
    div(.class(icon == nil ? "row" : "row with-icon")) {
      if let icon { icon.html }
      div(.class("t")) {
        control
        if !hint.isEmpty { small { hint } }
      }
      if action.utf8CodeUnitCount > 0 { span(.class("pill"), Attribute("aria-hidden", "true")) { action } }
      if !value.isEmpty { span(.class("value")) { value } }
    }
  }

  /// A row with a switch; its ID is the field's name.
  static func toggle(_ name: StaticString, _ field: Text, isOn: Bool, hint: StaticString = "") -> HTML {
    let hasHint = hint.utf8CodeUnitCount > 0
    return div(.class("row")) {
      div(.class("t")) {
        label(Attribute("for", field)) { name }
        if hasHint { small(.id(field + "-hint")) { hint } }
      }
      input(
        Attribute("type", "checkbox"),
        Attribute("switch"),
        .role("switch"),
        .id(field),
        Attribute("name", field),
        Attribute("value", "on"),
        hasHint ? Attribute("aria-describedby", field + "-hint") : .none,
        isOn ? Attribute("checked") : .none
      )
      // A browser doesn't send an unchecked box. The first field of a name counts.
      hidden(field, "off")
    }
  }

  /// A row with a list to choose from, whose ID is the field's name.
  static func list(_ name: StaticString, _ field: Text, _ list: HTML, hint: StaticString) -> HTML {
    div(.class("row")) {
      div(.class("t")) {
        label(Attribute("for", field)) { name }
        small { hint }
      }
      list
    }
  }

  /// A row with a choice.
  /// - Parameters:
  ///   - title: the name of the choice.
  ///   - field: the name of the field.
  ///   - chosen: the value's word.
  ///   - hasPictures: whether a little picture shows each choice.
  ///   - choices: the name and the word of each value.
  static func choice(
    _ title: StaticString,
    _ field: Text,
    chosen: Text,
    hasPictures: Bool = false,
    _ choices: [(name: StaticString, word: Text)]
  ) -> HTML {
    fieldset(.class("row choice"), .role("radiogroup")) {
      legend { title }
      div(.class(hasPictures ? "looks" : "segments")) {
        for choice in choices {
          label {
            input(
              Attribute("type", "radio"),
              Attribute("name", field),
              Attribute("value", choice.word),
              choice.word == chosen ? Attribute("checked") : .none
            )
            span {
              if hasPictures { samplePicture }
              choice.name
            }
          }
        }
      }
    }
  }

  /// A little comic, which the style sheet shows as each choice would.
  private static var samplePicture: HTML {
    HTML(
      trusted: """
        <svg class="sample" viewBox="0 0 80 60" aria-hidden="true" focusable="false">\
        <path class="paper" d="M0 0h80v60H0z"/><path class="ink" d="M8 44h64v8H8z"/>\
        <path class="line" d="M8 8h64v44H8zM40 24a5 5 0 1 0 .01 0zM40 34v8M34 37l12-2M40 42l-4 2M40 42l4 2M14 15h20M14 20h14"/></svg>
        """
    )
  }

  private static func small(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    HTML(element: "small", attributes, content())
  }
}

/// A list of many values, of which one is chosen.
enum SelectList {
  /// - Parameters:
  ///   - field: the name of the field, and its ID.
  ///   - chosen: the value that is chosen.
  ///   - choices: the values with their names.
  static func html(_ field: Text, chosen: Text, _ choices: [(code: Text, name: Text)]) -> HTML {
    HTML(
      element: "select",
      [.id(field), Attribute("name", field)],
      choices.reduce(into: HTML()) { all, choice in
        let isChosen = choice.code == chosen ? Attribute("selected") : .none
        all.append(HTML(element: "option", [Attribute("value", choice.code), isChosen], HTML(choice.name)))
      }
    )
  }
}

/// A page below the settings, which has groups, too.
protocol SettingsSubpage: Page {
  @HTMLBuilder var groups: HTML { get }
}

extension SettingsSubpage {
  var kind: Text { "settings-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }
  var showsComics: Bool { false }
  var content: HTML { SettingsRows.page { groups } }
}
