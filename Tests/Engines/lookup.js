// Longbox
// SPDX-License-Identifier: MIT
//
// The shown elements that a list of steps leads to, each inside those before it: by role and accessible name, by text, by
// selector, or by place. It has what the pages of Longbox use of ARIA's rules; a name is what a screen reader says.
(steps) => {
  const roles = {
    alert: "[role=alert]",
    button: "button:not([role]), input[type=submit], input[type=button], [role=button]",
    checkbox: "input[type=checkbox]:not([role])",
    complementary: "aside, [role=complementary]",
    dialog: "dialog[open], [role=dialog]",
    group: "fieldset:not([role]), details, [role=group]",
    heading: "h1, h2, h3, h4, [role=heading]",
    img: "img:not([alt='']), [role=img]",
    link: "a[href]:not([role]), [role=link]",
    list: "ul:not([role]), ol:not([role]), [role=list]",
    listitem: "li:not([role])",
    main: "main",
    navigation: "nav, [role=navigation]",
    progressbar: "progress, [role=progressbar]",
    radio: "input[type=radio], [role=radio]",
    radiogroup: "[role=radiogroup]",
    region: "section[aria-label], section[aria-labelledby], [role=region]",
    searchbox: "input[type=search]",
    slider: "[role=slider], input[type=range]",
    status: "[role=status], output",
    switch: "[role=switch]",
    tab: "[role=tab]",
    tabpanel: "[role=tabpanel]",
    textbox: "input:not([type]), input[type=text], textarea, [role=textbox]",
    timer: "[role=timer]",
  }
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[inert]")
  const isShown = (element) => isSeen(element) && !element.closest("[aria-hidden=true]")
  const tidy = (text) => text.replace(/[\s\u00a0]+/g, " ").trim()

  const spoken = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("[aria-hidden=true], script, style, template")) return ""
    if (!node.checkVisibility({ visibilityProperty: true })) return ""
    const own = node.getAttribute("aria-label") ?? (node.matches("img") ? node.alt : null)
    const text = own ?? [...node.childNodes].map(spoken).join("")
    return getComputedStyle(node).display.startsWith("inline") ? text : ` ${text} `
  }
  const nameOf = (element) => {
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? []
    const by = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ")
    const label = by || element.getAttribute("aria-label")
    if (label) return label
    if (element.labels?.length) return [...element.labels].map((one) => one.textContent).join(" ")
    if (element.matches("input[type=submit], input[type=button]")) return element.value
    if (element.matches("img")) return element.alt
    if (element.matches("fieldset")) return element.querySelector("legend")?.textContent ?? ""
    const isNamedByContent = element.matches("a, button, h1, h2, h3, h4, summary, [role=button], [role=link], [role=tab]")
    return (isNamedByContent && tidy(spoken(element))) || element.title || element.placeholder || ""
  }
  const fits = (text, wanted) =>
    wanted.source === undefined ? tidy(text) === wanted : new RegExp(wanted.source, wanted.flags).test(tidy(text))

  const inside = (roots, selector) => [...new Set(roots.flatMap((root) => [...root.querySelectorAll(selector)]))]
  /** The innermost elements with a text. */
  const withText = (roots, wanted) => {
    const all = inside(roots, "*").filter((element) => fits(element.textContent, wanted) && isShown(element))
    return all.filter((element) => ![...element.children].some((child) => all.includes(child)))
  }
  let found = [document]
  for (const { role, name, selector, text, nth } of steps) {
    if (role !== undefined) {
      if (!roles[role]) throw new Error(`lookup.js knows no role ${role}.`)
      found = inside(found, roles[role]).filter(isShown)
      if (name !== undefined) found = found.filter((element) => fits(nameOf(element), name))
    }
    if (selector !== undefined) found = inside(found, selector).filter(isSeen)
    if (text !== undefined) found = withText(found, text)
    if (nth !== undefined) found = found.slice(nth, nth === -1 ? undefined : nth + 1)
  }
  return found
}
