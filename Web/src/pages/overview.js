// Longbox
// SPDX-License-Identifier: MIT

// The overview's script: a handle at the right edge scrolls through all comics, and the row of years shows the chosen
// one. The page works without it.

import { Positions, labels } from "./overview-positions.js"

const overview = /** @type {HTMLElement} */ (document.querySelector(".overview"))

// Scrolls a row to what is chosen: on a phone all choices are one row, in which a year is more than a filter.
const isOther = "[aria-current]:not(:first-child)"
for (const row of document.querySelectorAll(".choices, .chips")) {
  const chosen = row.matches(".choices") ? row.querySelector(`.years ${isOther}`) ?? row.querySelector(`.filters ${isOther}`)
    : row.querySelector("[aria-current]")
  if (!chosen) continue
  const [box, item] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  row.scrollLeft += item.left - box.left - (box.width - item.width) / 2
}

const tiles = /** @type {HTMLElement[]} */ ([...overview.querySelectorAll(".year li")])
const years = /** @type {HTMLElement[]} */ ([...overview.querySelectorAll(".year")])
const positions = new Positions(years.map((year) => ({ year: year.id.slice(1), count: year.querySelectorAll("li").length })))

const scrubber = document.createElement("div")
scrubber.className = "scrubber"
scrubber.role = "slider"
scrubber.tabIndex = 0
scrubber.ariaLabel = "Scroll to comic"
scrubber.ariaOrientation = "vertical"
scrubber.innerHTML = '<div class="scrubber-years" aria-hidden="true"></div><div class="scrubber-handle"></div><div class="scrubber-bubble" aria-hidden="true"></div>'
/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (scrubber.querySelector(`.scrubber-${name}`))

/** @param {number} index */
const numberOf = (index) => Number(tiles[index]?.id.slice(1))

/**
 * Moves the handle of the scrubber. The slider's value is the comic's number, which increases upwards.
 * @param {number} index of the first comic in view
 */
function show(index) {
  const share = `${100 * positions.shareOf(index)}%`
  part("handle").style.top = share
  part("bubble").style.top = share
  part("bubble").textContent = `#${numberOf(index)} · ${positions.yearOf(index)}`
  scrubber.ariaValueNow = String(numberOf(index))
  scrubber.ariaValueText = `#${numberOf(index)}, ${positions.yearOf(index)}`
}

/** The index of the first comic in view, found by binary search, since measuring all tiles is slow. */
function firstInView() {
  const place = Math.max(0, years.findIndex((year) => year.getBoundingClientRect().bottom > 0))
  const list = years[place]?.querySelector("ul")
  const items = list?.children ?? []
  let [low, high] = [0, items.length - 1]
  if (!list || list.getBoundingClientRect().top >= 0) return positions.firstOf(place)
  while (low < high) {
    const middle = (low + high) >> 1
    if (/** @type {Element} */ (items[middle]).getBoundingClientRect().bottom > 0) high = middle
    else low = middle + 1
  }
  return positions.firstOf(place) + low
}

let current = 0
/** The top of the chosen comic after the last jump. The comic stays current until the reader scrolls. */
let jumpedTo = NaN
const topOfCurrent = () => tiles[current]?.getBoundingClientRect().top ?? NaN

/** @param {number} index */
function goTo(index) {
  current = Math.min(Math.max(index, 0), tiles.length - 1)
  // Above the first comic of a year, show the year's heading.
  const target = positions.isFirst(current) ? tiles[current].closest(".year") : tiles[current]
  target?.scrollIntoView({ block: "start", behavior: "instant" })
  jumpedTo = topOfCurrent()
  show(current)
}

/** @param {PointerEvent} event */
function follow(event) {
  const box = scrubber.getBoundingClientRect()
  goTo(positions.indexAt((event.clientY - box.top) / box.height))
}

function columns() {
  const list = years[0]?.querySelector(".covers")
  return list ? getComputedStyle(list).gridTemplateColumns.split(" ").length : 1
}

/** @param {string} key */
function targetOf(key) {
  switch (key) {
    case "ArrowUp": case "ArrowRight": return current - columns()
    case "ArrowDown": case "ArrowLeft": return current + columns()
    case "PageUp": return positions.yearBefore(current)
    case "PageDown": return positions.yearAfter(current)
    // Home goes to the top, as in a list. In a slider it would go to the least value, the oldest comic.
    case "Home": return 0
    case "End": return tiles.length - 1
    default: return null
  }
}

let frame = 0
function showPlace() {
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(() => {
    if (scrubber.classList.contains("in-use") || Math.abs(topOfCurrent() - jumpedTo) < 2) return
    jumpedTo = NaN
    current = firstInView()
    show(current)
  })
}

function start() {
  scrubber.ariaValueMin = String(Math.min(numberOf(0), numberOf(tiles.length - 1)))
  scrubber.ariaValueMax = String(Math.max(numberOf(0), numberOf(tiles.length - 1)))
  for (const { text, share } of labels(positions)) {
    const label = document.createElement("i")
    label.textContent = text
    label.style.top = `${100 * share}%`
    part("years").append(label)
  }
  scrubber.addEventListener("pointerdown", (event) => {
    scrubber.setPointerCapture(event.pointerId)
    scrubber.classList.add("in-use")
    follow(event)
  })
  scrubber.addEventListener("pointermove", (event) => { if (scrubber.classList.contains("in-use")) follow(event) })
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    scrubber.addEventListener(end, () => scrubber.classList.remove("in-use"))
  }
  scrubber.addEventListener("keydown", (event) => {
    const target = event.ctrlKey || event.metaKey || event.altKey ? null : targetOf(event.key)
    if (target === null) return
    event.preventDefault()
    event.stopPropagation()
    goTo(target)
  })
  addEventListener("scroll", showPlace, { passive: true })
  addEventListener("resize", showPlace, { passive: true })
  document.querySelector("main")?.append(scrubber)
  showPlace()
}

// A short list needs no scrubber.
if (overview.matches(".scrubs")) start()

// Where CSS can't read how many comics a year has, so that a year has its height before it is near the window.
const counts = new CSSStyleSheet()
counts.replaceSync(years.map((year) => `#${year.id} { --count: ${year.querySelectorAll("li").length} }`).join(""))
document.adoptedStyleSheets.push(counts)
