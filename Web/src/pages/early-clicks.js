// Longbox
// SPDX-License-Identifier: MIT

// While one page fades into the next (motion.css), the browser's picture of both covers the page, and takes every click.

/** The animations of the transition from the page before, if it hasn't ended. */
const transition = () => document.getAnimations().filter(({ effect }) =>
  effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith("::view-transition"))

const controls = "a, button, input, label, select, summary, textarea"

/** Passes clicks on to the control that the reader sees, and ends the transition for that. */
export function passClicksOn() {
  const root = document.documentElement
  let isCovered = false
  addEventListener("pointerdown", ({ target }) => {
    const animations = target === root ? transition() : []
    isCovered = animations.length > 0
    for (const animation of animations) animation.finish()
  }, { capture: true })
  addEventListener("click", (event) => {
    if (!isCovered || event.target !== root) return
    isCovered = false
    whenUncovered(() => {
      const control = document.elementFromPoint(event.clientX, event.clientY)?.closest(controls)
      if (!(control instanceof HTMLElement)) return
      control.focus({ preventScroll: true })
      control.dispatchEvent(new MouseEvent("click", event))
    })
  })
}

/**
 * The browser removes its picture in a frame after the animations have ended.
 * @param {() => void} step
 * @param {number} [frames] how many frames to wait at most
 */
function whenUncovered(step, frames = 10) {
  if (frames > 0 && transition().length > 0) requestAnimationFrame(() => whenUncovered(step, frames - 1))
  else requestAnimationFrame(step)
}
