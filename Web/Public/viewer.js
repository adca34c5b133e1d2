// Longbox
// SPDX-License-Identifier: MIT
//
// Hands on a comic's picture: swipe to turn the page, pinch, wheel or double tap, hold and drag to zoom, drag to move what
// is zoomed, double tap to favourite. app.js loads it on a comic's page. At rest the picture is a plain part of the page;
// zoomed it stands in a window of its own between the bars, which go on working.

const most = 8
const step = 1.5
const doubleTapTime = 300
const doubleTapReach = 32
/** How far a finger moves before it is more than a tap. */
const slop = 8

const canMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches
const figure = () => document.querySelector(".picture:has(> img)")
const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

/** What turning.js gives: `turn`, `linkTo`, `favorite`. */
let pages = null

// Zoom

/**
 * The picture while it is zoomed, or null: `frame` is where it is seen, in the window; `layers` are the picture and the still
 * of a stopped animation that lies on it; `x`, `y` are its corner in the frame, `scale` is 1 at its size at rest, `width` by `height`.
 */
let zoomed = null

/** The part of the window that the bars leave. */
function room() {
  const stage = document.querySelector(".stage").getBoundingClientRect()
  const bars = [".bar", ".tabs", ".controls .pager"].map((selector) => document.querySelector(selector))
  const [bar, tabs, pager] = bars.map((element) => element.getBoundingClientRect())
  const isBelow = ({ top, width }) => width > innerWidth / 2 && top > innerHeight / 2
  const bottom = Math.min(innerHeight, ...[tabs, pager].filter(isBelow).map(({ top }) => top))
  const isNarrow = stage.width > innerWidth * .8
  const left = isNarrow ? 0 : stage.left
  return { left, top: bar.height, width: (isNarrow ? innerWidth : stage.right) - left, height: bottom - bar.height }
}

function beginZoom() {
  if (zoomed) return
  stopMotion()
  const picture = figure()
  const image = picture?.querySelector("img")
  if (!image || "missing" in image.dataset) return
  const before = image.getBoundingClientRect()
  const stage = document.querySelector(".stage")
  stage.style.minHeight = `${stage.offsetHeight}px`
  document.body.classList.add("zoomed")
  const frame = room()
  zoomed = {
    picture, image, layers: picture.querySelectorAll("img, canvas"), frame, width: before.width, height: before.height, focused: document.activeElement,
    x: before.left - frame.left, y: before.top - frame.top, scale: 1,
    most: Math.max(most, 4 * image.naturalWidth / before.width),
  }
  zoomed.rest = { x: zoomed.x, y: zoomed.y }
  for (const side of ["left", "top", "width", "height"]) picture.style[side] = `${frame[side]}px`
  for (const side of ["width", "height"]) for (const { style } of zoomed.layers) style[side] = `${before[side]}px`
  picture.append(ways())
  sharpen(image)
  draw()
}

/** Back to the page's flow; what was in view stays in view. */
function endZoom() {
  if (!zoomed) return
  stopMotion()
  const { picture, image, layers, focused, frame, x, y } = zoomed
  zoomed = null
  gesture = null
  fingers.clear()
  document.body.classList.remove("zoomed")
  document.querySelector(".stage").style.minHeight = ""
  const ways = picture.querySelector(".ways-to-zoom")
  if (ways.contains(document.activeElement)) focused.focus({ preventScroll: true })
  ways.remove()
  for (const { style } of [picture, ...layers]) {
    for (const side of ["left", "top", "width", "height", "transform"]) style[side] = ""
  }
  const now = image.getBoundingClientRect()
  picture.scrollLeft += now.left - frame.left - x
  // Only of a picture that is taller than its frame another part may have come into view.
  if (now.height > frame.height) scrollBy({ top: now.top - frame.top - y, behavior: "instant" })
}

function draw() {
  const { picture, layers, x, y, scale } = zoomed
  for (const { style } of layers) style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  picture.querySelector(".zoom-level").textContent = `${Math.round(scale * 100)} %`
}

/** Zooms so that what is at a point of the window stays there. */
function zoomTo(scale, point = centre()) {
  beginZoom()
  if (!zoomed) return
  const { frame } = zoomed
  const next = clamp(scale, 1, zoomed.most)
  const share = next / zoomed.scale
  const [px, py] = [point.x - frame.left, point.y - frame.top]
  moveTo(px - (px - zoomed.x) * share, py - (py - zoomed.y) * share, next)
}

/** Moves the picture as far as its edges allow; gives whether it moved freely. */
function moveTo(x, y, scale = zoomed.scale) {
  const { frame, width, height, rest } = zoomed
  // At the size at rest it stays where it was, so that nothing jumps; the bigger, the more the frame's edges count.
  const slack = clamp(2 - scale, 0, 1)
  const along = (value, size, length, at) => {
    const [low, high] = [Math.min(0, length - size), Math.max(0, length - size)]
    const towardsRest = (edge) => edge + (at - edge) * slack
    return clamp(value, Math.min(low, towardsRest(low)), Math.max(high, towardsRest(high)))
  }
  const next = { x: along(x, width * scale, frame.width, rest.x), y: along(y, height * scale, frame.height, rest.y), scale }
  const isFree = next.x === x && next.y === y
  Object.assign(zoomed, next)
  draw()
  return isFree
}

const centre = () => {
  const { left, top, width, height } = zoomed?.frame ?? room()
  return { x: left + width / 2, y: top + height / 2 }
}

const zoomIn = () => zoomTo((zoomed?.scale ?? 1) * step)
function zoomOut() {
  if (!zoomed) return
  if (zoomed.scale / step <= 1.01) endZoom()
  else zoomTo(zoomed.scale / step)
}

/** Moves what is zoomed by a share of the frame. */
function pan(across, down) {
  if (zoomed) moveTo(zoomed.x - across * zoomed.frame.width / 4, zoomed.y - down * zoomed.frame.height / 4)
}

/** The picture of twice the resolution, where there is one and this screen did not need it at rest. */
function sharpen(image) {
  const double = /(\S+) 2x/.exec(image.srcset)?.[1]
  if (!double || image.currentSrc.endsWith(double)) return
  const sharp = new Image()
  sharp.src = double
  sharp.decode().then(() => { if (sharp.naturalWidth > 1) image.srcset = `${double} 1x` }, () => {})
}

/** Buttons for who can't pinch, and the way back. */
function ways() {
  const group = document.createElement("div")
  group.className = "ways-to-zoom"
  group.role = "group"
  group.ariaLabel = "Zoom"
  const steps = [["Zoom out", "−", zoomOut], ["Reset zoom", "", endZoom], ["Zoom in", "+", zoomIn]]
  group.append(...steps.map(([name, text, act]) => {
    const button = document.createElement("button")
    button.className = "button"
    button.type = "button"
    button.ariaLabel = name
    button.textContent = text
    if (!text) button.className = "button zoom-level"
    button.addEventListener("click", act)
    return button
  }))
  return group
}

addEventListener("resize", endZoom)
document.addEventListener("longbox:page", () => {
  // The picture that was zoomed has gone with its page.
  zoomed = null
  gesture = null
  fingers.clear()
  document.body.classList.remove("zoomed")
})

// Motion after the finger has gone

let motion = 0
const stopMotion = () => cancelAnimationFrame(motion)

/** Goes on with a velocity in pixels a millisecond, ever slower; `move` says whether it may go on. */
function glide(velocity, move) {
  stopMotion()
  if (!canMove()) return
  let last = performance.now()
  let { x, y } = velocity
  const frame = (now) => {
    const time = Math.min(now - last, 32)
    last = now
    const slower = Math.exp(-time / 300)
    x *= slower
    y *= slower
    if (Math.hypot(x, y) > .02 && move(x * time, y * time)) motion = requestAnimationFrame(frame)
  }
  motion = requestAnimationFrame(frame)
}

// Fingers

/** The fingers on the picture, by pointer: where each is. */
const fingers = new Map()
/** What the fingers are doing: null, or { kind, … }; kinds are tap, hold, swipe, scroll, pan, pinch, ignore. */
let gesture = null
let lastTap = null

const isOnPicture = (event) => event.target.closest?.(".stage") && !event.target.closest("a, button, .ways-to-zoom")

function middle() {
  const [a, b] = [...fingers.values()]
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) }
}

function down(event) {
  if (!figure() || !isOnPicture(event)) return
  if (event.pointerType === "mouse" && (event.button !== 0 || !zoomed)) return
  stopMotion()
  const at = { x: event.clientX, y: event.clientY, time: event.timeStamp }
  fingers.set(event.pointerId, at)
  if (fingers.size === 1) {
    // A mouse's second click is the browser's to tell: see dblclick below.
    const isSecondTap = event.pointerType !== "mouse" && lastTap && event.timeStamp - lastTap.time < doubleTapTime
      && Math.hypot(at.x - lastTap.x, at.y - lastTap.y) < doubleTapReach
    gesture = { kind: isSecondTap ? "hold" : "tap", start: at, last: at, trail: [at], scale: zoomed?.scale ?? 1 }
  } else if (fingers.size === 2) {
    settle(0)
    beginZoom()
    gesture = zoomed ? { kind: "pinch", from: middle(), x: zoomed.x, y: zoomed.y, scale: zoomed.scale } : { kind: "ignore" }
  }
  if (zoomed) figure().setPointerCapture?.(event.pointerId)
}

function move(event) {
  if (!fingers.has(event.pointerId)) return
  const at = { x: event.clientX, y: event.clientY, time: event.timeStamp }
  fingers.set(event.pointerId, at)
  if (gesture?.kind === "pinch") return fingers.size === 2 && pinch(middle())
  if (!gesture || fingers.size > 1) return
  const [dx, dy] = [at.x - gesture.start.x, at.y - gesture.start.y]
  if (gesture.kind === "hold") {
    gesture.hasZoomed ||= Math.abs(dy) > Math.max(slop, Math.abs(dx))
    if (gesture.hasZoomed) return zoomTo(gesture.scale * Math.exp(dy / 150), gesture.start)
    if (Math.abs(dx) <= slop) return
    // Drawn across: a swipe that began soon after a tap.
    begin(dx, dy)
  }
  if (gesture.kind === "tap" && Math.hypot(dx, dy) > slop) begin(dx, dy)
  gesture.trail.push(at)
  if (gesture.trail.length > 6) gesture.trail.shift()
  const [across, along] = [at.x - gesture.last.x, at.y - gesture.last.y]
  gesture.last = at
  if (gesture.kind === "pan" && zoomed) moveTo(zoomed.x + across, zoomed.y + along)
  if (gesture.kind === "scroll") figure().scrollLeft -= across
  if (gesture.kind === "swipe") settle(dx)
}

/** A finger has moved far enough to tell what it is about. */
function begin(dx, dy) {
  if (zoomed) gesture.kind = "pan"
  else if (Math.abs(dx) <= Math.abs(dy)) gesture.kind = "ignore"
  else {
    // A wide picture is moved to its edge first; only a new swipe from there turns the page.
    const { scrollLeft, scrollWidth, clientWidth } = figure()
    const isAtEdge = dx > 0 ? scrollLeft <= 1 : scrollLeft + clientWidth >= scrollWidth - 1
    gesture.kind = isAtEdge ? "swipe" : "scroll"
  }
}

function pinch({ x, y, distance }) {
  const { from, scale } = gesture
  const { frame } = zoomed
  const next = clamp(scale * distance / from.distance, 1, zoomed.most)
  const share = next / scale
  moveTo(x - frame.left - (from.x - frame.left - gesture.x) * share, y - frame.top - (from.y - frame.top - gesture.y) * share, next)
}

function velocity({ trail }, now) {
  const first = trail.find(({ time }) => now - time < 100)
  const last = trail.at(-1)
  const time = Math.max(now - (first?.time ?? now), 8)
  return first ? { x: (last.x - first.x) / time, y: (last.y - first.y) / time } : { x: 0, y: 0 }
}

function up(event) {
  if (!fingers.delete(event.pointerId) || !gesture) return
  const done = gesture
  if (done.kind === "pinch") {
    // The finger that stays may go on moving it.
    const [rest] = fingers.values()
    gesture = rest ? { kind: "pan", start: rest, last: rest, trail: [rest] } : null
    if (!rest || zoomed.scale <= 1.02) settleZoom()
    return
  }
  if (fingers.size > 0) return
  gesture = null
  const isCancelled = event.type === "pointercancel"
  if (done.kind === "tap" && !isCancelled) return tap(event)
  if (done.kind === "hold" && !isCancelled) return done.hasZoomed ? settleZoom() : doubleTap(event)
  if (done.kind === "pan" && zoomed) glide(velocity(done, event.timeStamp), (x, y) => zoomed && moveTo(zoomed.x + x, zoomed.y + y))
  if (done.kind === "scroll") {
    const picture = figure()
    glide(velocity(done, event.timeStamp), (x) => {
      const before = picture.scrollLeft
      picture.scrollLeft -= x
      return picture.scrollLeft !== before
    })
  }
  if (done.kind === "swipe") endSwipe(isCancelled ? 0 : done.last.x - done.start.x, velocity(done, event.timeStamp).x)
}

function settleZoom() {
  lastTap = null
  if (zoomed && zoomed.scale <= 1.02) endZoom()
}

function tap(event) {
  lastTap = { x: event.clientX, y: event.clientY, time: event.timeStamp }
}

// Swipe

const target = (dx) => pages.linkTo(dx < 0 ? "next" : "previous")

/** The picture follows the finger; where there is no other comic it hardly does. */
function settle(dx) {
  const picture = figure()
  if (!picture || zoomed) return
  picture.classList.remove("arrives", "settles")
  picture.style.transform = dx ? `translateX(${target(dx) ? dx : dx / 5}px)` : ""
}

function endSwipe(dx, speed) {
  const link = dx && target(dx)
  const isMeant = Math.abs(dx) > innerWidth / 4 || (Math.abs(speed) > .3 && Math.sign(speed) === Math.sign(dx) && Math.abs(dx) > 24)
  if (link && isMeant) {
    const direction = dx < 0 ? "next" : "previous"
    const offset = Math.sign(-dx) * Math.max(48, innerWidth - Math.abs(dx)) / 2
    return pages.turn(link.pathname, { direction, offset })
  }
  figure()?.classList.add("settles")
  if (figure()) figure().style.transform = ""
}

// Double tap

const zoomsOnDoubleTap = () => document.documentElement.dataset.doubleTap === "zoom"

function doubleTap({ clientX: x, clientY: y }) {
  lastTap = null
  if (zoomsOnDoubleTap()) return zoomed ? endZoom() : zoomTo(2.5, { x, y })
  const heart = document.querySelector(".actions .heart .icon")?.cloneNode(true)
  if (heart) {
    heart.classList.add("burst")
    heart.style.left = `${x}px`
    heart.style.top = `${y}px`
    document.body.append(heart)
    setTimeout(() => heart.remove(), 800)
  }
  pages.favorite()
}

// Mouse wheel

let lastWheel = 0

function wheel(event) {
  if (!figure() || !isOnPicture(event)) return
  const isNew = event.timeStamp - lastWheel > 250
  lastWheel = event.timeStamp
  const point = { x: event.clientX, y: event.clientY }
  const isPinch = event.ctrlKey
  // A wheel's notch at the top of the page has nothing else to do; a touchpad's small steps are for scrolling.
  const isNotch = isNew && event.deltaY <= -40 && event.deltaX === 0 && scrollY === 0 && event.target.closest(".picture")
  if (!isPinch && !zoomed && !isNotch) return
  event.preventDefault()
  const isTouchpad = !isPinch && (event.deltaX !== 0 || Math.abs(event.deltaY) < 40)
  if (isTouchpad) return moveTo(zoomed.x - event.deltaX, zoomed.y - event.deltaY)
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1)
  zoomTo((zoomed?.scale ?? 1) * Math.exp(-pixels * (isPinch ? .01 : .002)), point)
  settleZoom()
}

// Keys

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const keys = { "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": endZoom }

function key(event) {
  if (document.documentElement.dataset.shortcuts === "off" || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest?.("input, textarea, select, dialog")) return
  const arrow = zoomed && (event.shiftKey || !/Left|Right/.test(event.key)) && arrows[event.key]
  if (arrow) pan(...arrow)
  else if (zoomed && event.key === "Escape") endZoom()
  else if (keys[event.key]) keys[event.key]()
  else return
  event.preventDefault()
}

// Beginning

export function start(turning) {
  pages = turning
  document.documentElement.classList.add("hands")
  document.addEventListener("pointerdown", down)
  document.addEventListener("pointermove", move)
  document.addEventListener("pointerup", up)
  document.addEventListener("pointercancel", up)
  document.addEventListener("keydown", key)
  document.addEventListener("wheel", wheel, { passive: false })
  document.addEventListener("dblclick", (event) => {
    if (isOnPicture(event) && event.target.closest(".picture") && !lastWasTouch) doubleTap(event)
  })
  document.addEventListener("dragstart", (event) => { if (zoomed) event.preventDefault() })
  // What the browser would do with the fingers itself: zoom the page, or scroll it while something else is under way.
  document.addEventListener("touchmove", (event) => {
    const isOurs = event.touches.length > 1 || zoomed || ["hold", "swipe", "scroll"].includes(gesture?.kind)
    if (isOurs && isOnPicture(event) && event.cancelable) event.preventDefault()
  }, { passive: false })
}

let lastWasTouch = false
addEventListener("pointerdown", ({ pointerType }) => { lastWasTouch = pointerType !== "mouse" }, { capture: true })
