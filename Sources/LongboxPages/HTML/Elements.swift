// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

// The HTML elements that pages use, each a function of its attributes and content.

func a(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "a", attributes, content())
}

func article(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "article", attributes, content())
}

func aside(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "aside", attributes, content())
}

func bdi(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "bdi", attributes, content())
}

func body(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "body", attributes, content())
}

func button(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "button", attributes, content())
}

func dd(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dd", attributes, content())
}

func details(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "details", attributes, content())
}

func div(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "div", attributes, content())
}

func dl(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dl", attributes, content())
}

func dt(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dt", attributes, content())
}

func em(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "em", attributes, content())
}

func fieldset(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "fieldset", attributes, content())
}

func figure(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "figure", attributes, content())
}

func footer(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "footer", attributes, content())
}

func form(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "form", attributes, content())
}

func h1(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "h1", attributes, content())
}

func h2(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "h2", attributes, content())
}

func head(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "head", attributes, content())
}

func header(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "header", attributes, content())
}

func html(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "html", attributes, content())
}

func label(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "label", attributes, content())
}

func legend(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "legend", attributes, content())
}

func li(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "li", attributes, content())
}

func main(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "main", attributes, content())
}

func nav(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "nav", attributes, content())
}

func ol(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "ol", attributes, content())
}

func p(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "p", attributes, content())
}

func script(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "script", attributes, content())
}

func section(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "section", attributes, content())
}

func span(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "span", attributes, content())
}

func strong(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "strong", attributes, content())
}

func summary(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "summary", attributes, content())
}

func sup(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "sup", attributes, content())
}

func time(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "time", attributes, content())
}

func title(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "title", attributes, content())
}

func ul(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "ul", attributes, content())
}

func img(_ attributes: Attribute...) -> HTML {
  HTML(void: "img", attributes)
}

func input(_ attributes: Attribute...) -> HTML {
  HTML(void: "input", attributes)
}

/// A hidden form field.
@inline(never)
func hidden(_ name: Text, _ value: Text) -> HTML {
  input(Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
}

func link(_ attributes: Attribute...) -> HTML {
  HTML(void: "link", attributes)
}

func mark(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "mark", attributes, content())
}

func meta(_ attributes: Attribute...) -> HTML {
  HTML(void: "meta", attributes)
}

func textarea(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "textarea", attributes, content())
}
