// Longbox
// SPDX-License-Identifier: MIT

/**
 * Makes the tracks of a quiz draggable.
 * @param {Element} list
 * @param {(from: number, to: number) => void} onMoved
 */
export function makeDraggable(list, onMoved) {
  for (const item of list.children) {
    const grip = document.createElement("span")
    grip.className = "grip"
    grip.ariaHidden = "true"
    grip.textContent = "⠿"
    item.querySelector(".quiz-row")?.append(grip)
    grip.addEventListener("pointerdown", (event) => drag(event, list, item, onMoved))
  }
}

/**
 * @param {PointerEvent} event
 * @param {Element} list
 * @param {Element} item
 * @param {(from: number, to: number) => void} onMoved
 */
function drag(event, list, item, onMoved) {
  if (event.button !== 0) return
  event.preventDefault()
  const from = [...list.children].indexOf(item)
  item.classList.add("dragged")
  /** @param {PointerEvent} event */
  const move = ({ clientY }) => {
    const other = [...list.children].find((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return one !== item && clientY > top && clientY < bottom
    })
    if (!other) return
    if (item.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) other.after(item)
    else other.before(item)
  }
  /** @param {PointerEvent} event */
  const end = ({ type }) => {
    document.removeEventListener("pointermove", move)
    document.removeEventListener("pointerup", end)
    document.removeEventListener("pointercancel", end)
    item.classList.remove("dragged")
    const to = [...list.children].indexOf(item)
    if (type === "pointerup" && to !== from) onMoved(from, to)
  }
  // Not on the grip: an element that moves within the page loses pointer capture.
  document.addEventListener("pointermove", move)
  document.addEventListener("pointerup", end)
  document.addEventListener("pointercancel", end)
}
