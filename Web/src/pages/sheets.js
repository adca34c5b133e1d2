// Longbox
// SPDX-License-Identifier: MIT

// Sheets from below. A sheet is closed by Escape, Back, a drag, or a press beside it.

/**
 * Opens a modal sheet.
 * @param {string} name
 * @param {Node[]} content
 * @param {() => void} [onClose] called once it is closed, before it is removed
 */
function openSheet(name, content, onClose = () => {}) {
  const dialog = document.createElement("dialog")
  dialog.className = "sheet"
  dialog.ariaLabel = name
  dialog.append(...content)
  document.body.append(dialog)
  let isPopped = false
  const leave = () => {
    if (dialog.classList.contains("leaving")) return
    dialog.classList.add("leaving")
    const end = () => {
      dialog.close()
      tidy()
    }
    dialog.addEventListener("transitionend", end, { once: true })
    setTimeout(end, 300)
  }
  // Cancels a turn, which would change the page behind the sheet.
  document.dispatchEvent(new Event("sheetopen"))
  // An entry for Back, which closes the sheet and doesn't leave the page.
  history.pushState({ ...history.state, isSheet: true }, "")
  const pop = () => {
    isPopped = true
    leave()
  }
  addEventListener("popstate", pop, { once: true })
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener("click", (event) => { if (event.target === dialog) leave() })
  // Not only on `close`, which is dispatched later: a key pressed before it would change the history first.
  const tidy = () => {
    if (!dialog.isConnected) return
    removeEventListener("popstate", pop)
    if (!isPopped && history.state?.isSheet) leaveSheetEntry()
    onClose()
    dialog.remove()
  }
  dialog.addEventListener("close", tidy)
  dialog.showModal()
  return { dialog, leave }
}

/**
 * Goes back from the history entry of a sheet that was not closed by Back. The browser does that later. If a script changed
 * the history before, the browser would leave the wrong entry, so scripts wait for the promise in the event.
 */
function leaveSheetEntry() {
  const left = new Promise((resolve) => {
    addEventListener("popstate", resolve, { once: true })
    setTimeout(resolve, 5000)
  })
  document.dispatchEvent(new CustomEvent("sheetleave", { detail: left }))
  history.back()
}

/** @param {() => void} leave */
export function closeButton(leave) {
  const close = document.createElement("button")
  close.className = "button close"
  close.type = "button"
  close.textContent = "Close"
  close.addEventListener("click", leave)
  return close
}

/**
 * Opens a sheet as high as its content.
 * @param {string} name
 * @param {string} kind the class of the sheet
 * @param {Node} content
 * @returns {() => void} closes it
 */
export function openMenu(name, kind, content) {
  const grabber = document.createElement("span")
  grabber.className = "grabber"
  const { dialog, leave } = openSheet(name, [grabber, content, closeButton(() => leave())])
  dialog.classList.add(kind)
  makeDraggable(dialog, grabber, { leave })
  return leave
}

/**
 * Shows a comic's details in a sheet of half or full height.
 * @param {() => HTMLElement | undefined} show shows the part, and returns its segment
 * @param {(step: number) => void} move shows the next part, or the previous one by -1
 */
export function showDetails(show, move) {
  const aside = document.querySelector(".details")
  if (!aside || document.querySelector("dialog[open]")) return
  const top = document.createElement("div")
  top.className = "sheet-top"
  const grabber = document.createElement("button")
  grabber.className = "grabber"
  grabber.type = "button"
  grabber.ariaLabel = "Resize"
  const segment = show()
  const [segments, ...parts] = [...aside.children]
  if (!segments) return
  top.append(grabber, segments)
  segment?.setAttribute("autofocus", "")
  const close = closeButton(() => leave())
  const { dialog, leave } = openSheet("Details", [top, ...parts, close], () => aside.append(segments, ...parts))
  segment?.removeAttribute("autofocus")
  grabber.addEventListener("click", () => dialog.classList.toggle("full"))
  // A form changes the comic behind the sheet and shows a message there.
  dialog.addEventListener("submit", leave)
  dialog.addEventListener("click", ({ target }) => { if (target instanceof Element && target.closest(".row:is([download], .larger)")) leave() })
  makeDraggable(dialog, top, { leave, move })
}

/**
 * A drag of the sheet. `part` is the content that it began on, null at the top of the sheet; `scrolled` is how far that was
 * scrolled then.
 * @typedef {object} Drag
 * @property {number} id
 * @property {number} x
 * @property {number} y
 * @property {number} height
 * @property {{ y: number, time: number }[]} trail
 * @property {Element | null} part
 * @property {number} scrolled
 * @property {boolean} scrollsSideways
 * @property {"waits" | ReturnType<typeof dragOf>} kind
 */

/** How far a finger moves before it drags, in pixels. */
const slop = 8

/**
 * Whether something between an element and the content around it scrolls sideways.
 * @param {Element} target
 * @param {Element | null} part
 */
function isInSidewaysScroller(target, part) {
  for (let element = /** @type {Element | null} */ (target); element && element !== part; element = element.parentElement) {
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX)) return true
  }
  return false
}

/**
 * @param {HTMLElement} dialog
 * @param {HTMLElement} top the part that any pointer drags; fingers drag the content, too
 * @param {{ leave: () => void, move?: (step: number) => void }} acts `move` changes the segment of a sheet that has half and full height
 */
function makeDraggable(dialog, top, { leave, move: moveSegment }) {
  /** @type {Drag | null} */
  let drag = null
  const stops = () => {
    if (!moveSegment) return { half: dialog.offsetHeight, full: dialog.offsetHeight }
    // Below the clock of a phone, as in sheets.css.
    const top = Number.parseFloat(getComputedStyle(dialog).getPropertyValue("--top")) || 0
    return { half: innerHeight / 2, full: innerHeight - top - 34 }
  }
  /**
   * @param {Drag} drag
   * @param {{ clientX: number, clientY: number }} event
   */
  const kindOf = ({ x, y, part, scrolled, scrollsSideways }, { clientX, clientY }) => part
    ? dragOf({ across: clientX - x, down: clientY - y, isFull: dialog.classList.contains("full"), isAtTop: scrolled <= 0, scrollsSideways })
    : "resize"
  dialog.addEventListener("pointerdown", (event) => {
    if (event.button || !event.isPrimary || !(event.target instanceof Element)) return
    const part = top.contains(event.target) ? null : event.target.closest(".part")
    // A mouse selects text.
    if (!top.contains(event.target) && (!part || event.pointerType === "mouse")) return
    drag = {
      id: event.pointerId, x: event.clientX, y: event.clientY, height: dialog.offsetHeight, trail: [{ y: event.clientY, time: event.timeStamp }],
      part, scrolled: part?.scrollTop ?? 0, scrollsSideways: isInSidewaysScroller(event.target, part), kind: "waits",
    }
  })
  // Otherwise the browser scrolls with a finger that drags the sheet. It decides that by the finger's first move.
  dialog.addEventListener("touchmove", (event) => {
    const [finger] = event.touches
    if (!drag || !finger || event.touches.length > 1) return
    const kind = drag.kind === "waits" ? kindOf(drag, finger) : drag.kind
    if (kind !== "scroll" && event.cancelable) event.preventDefault()
  }, { passive: false })
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!drag || event.pointerId !== drag.id) return
    const down = event.clientY - drag.y
    if (drag.kind === "waits") {
      const moved = drag.part ? Math.hypot(event.clientX - drag.x, down) : Math.abs(down)
      if (moved < slop) return
      drag.kind = kindOf(drag, event)
    }
    if (drag.kind !== "resize") return
    dialog.classList.add("dragged")
    drag.trail = [...drag.trail, { y: event.clientY, time: event.timeStamp }].slice(-6)
    const { half, full } = stops()
    // A finger that has opened the sheet fully goes on to scroll.
    if (drag.part) drag.part.scrollTop = drag.scrolled + Math.max(0, drag.height - down - full)
    const height = Math.min(drag.height - down, full)
    dialog.style.setProperty("--height", `${Math.max(height, Math.min(half, drag.height))}px`)
    dialog.style.translate = height < half ? `0 ${Math.min(half, drag.height) - height}px` : ""
  }
  /** @param {PointerEvent} event */
  const end = (event) => {
    const done = drag
    if (!done || event.pointerId !== done.id) return
    drag = null
    if (done.kind === "waits" || done.kind === "scroll") return
    // A drag that ends on a button, or beside the sheet, presses nothing.
    dialog.addEventListener("click", swallow, { capture: true })
    setTimeout(() => dialog.removeEventListener("click", swallow, { capture: true }))
    if (done.kind === "swipe") {
      const step = event.type === "pointercancel" ? 0 : stepOf(event.clientX - done.x)
      if (step) moveSegment?.(step)
      return
    }
    const { half, full } = stops()
    const from = dialog.classList.contains("full") ? "full" : "half"
    const height = done.height - (event.clientY - done.y)
    const stop = event.type === "pointercancel" ? from : settle({ height, speed: velocityOf(done.trail, event.timeStamp), from, half, full })
    dialog.classList.remove("dragged")
    dialog.style.removeProperty("--height")
    dialog.style.translate = ""
    if (stop === "closed") leave()
    else dialog.classList.toggle("full", stop === "full" && full > half)
  }
  // On the dialog, since a mouse may leave the dragged part.
  dialog.addEventListener("pointermove", move)
  dialog.addEventListener("pointerup", end)
  dialog.addEventListener("pointercancel", end)
}

/** @param {Event} event */
const swallow = (event) => event.stopPropagation()

// What a drag on a sheet does, and where a dragged sheet comes to rest.

/** @typedef {"half" | "full" | "closed"} Stop */

/**
 * What a finger does that drags the sheet's content: a half sheet grows and shrinks with it. A full one scrolls, and shrinks if
 * its content is at the top. Sideways, the finger changes the segment, unless something there scrolls sideways.
 * @param {object} drag
 * @param {number} drag.across how far the finger has moved to the right
 * @param {number} drag.down how far it has moved down
 * @param {boolean} drag.isFull whether the sheet has its full height
 * @param {boolean} drag.isAtTop whether its content is not scrolled
 * @param {boolean} drag.scrollsSideways
 * @returns {"resize" | "swipe" | "scroll"}
 */
export function dragOf({ across, down, isFull, isAtTop, scrollsSideways }) {
  if (Math.abs(across) > Math.abs(down)) return scrollsSideways ? "scroll" : "swipe"
  return isFull && (down < 0 || !isAtTop) ? "scroll" : "resize"
}

/** How far a finger has to move sideways to change the segment, in pixels. */
const swipeLength = 45

/**
 * The step from segment to segment of a swipe: 1, -1, or 0 if it was too short.
 * @param {number} across how far the finger has moved to the right
 */
export const stepOf = (across) => Math.abs(across) < swipeLength ? 0 : -Math.sign(across)

/**
 * The speed of a flick, in pixels per millisecond: upwards it opens the sheet fully, downwards it moves the sheet one stop.
 * From `closing` on, downwards, it closes the sheet.
 */
const flick = 0.4
const closing = 2

/**
 * @param {{ height: number, speed: number, from: "half" | "full", half: number, full: number }} drag the height that is
 *   visible when the finger leaves, and its downward speed
 * @returns {Stop}
 */
export function settle({ height, speed, from, half, full }) {
  if (speed >= closing) return "closed"
  if (speed >= flick) return from === "full" && height > half * 0.75 ? "half" : "closed"
  if (speed <= -flick) return "full"
  if (height < half * 0.75) return "closed"
  // 35 % of the way to the other stop is enough.
  const risen = (height - half) / (full - half)
  return from === "half" ? (risen >= 0.35 ? "full" : "half") : (risen <= 0.65 ? "half" : "full")
}

/**
 * The vertical speed at the end of a drag; 0 if the finger rested before it left.
 * @param {{ y: number, time: number }[]} trail
 * @param {number} now
 */
export function velocityOf(trail, now) {
  const recent = trail.filter(({ time }) => now - time <= 100)
  const [first, last] = [recent[0], recent.at(-1)]
  return first && last && last.time > first.time ? (last.y - first.y) / (last.time - first.time) : 0
}
