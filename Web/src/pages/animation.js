// Longbox
// SPDX-License-Identifier: MIT

/**
 * Adds a button that pauses an animation, which starts paused if the reader prefers reduced motion.
 * @param {HTMLImageElement} image
 */
export function watch(image) {
  const button = document.createElement("button")
  button.className = "button animation"
  button.type = "button"
  /** @type {HTMLCanvasElement | null} */
  let still = null
  /** @param {boolean} isStopped */
  const show = (isStopped) => {
    button.textContent = isStopped ? "Play animation" : "Pause animation"
    still?.remove()
    still = null
    if (!isStopped) return
    still = document.createElement("canvas")
    still.width = image.naturalWidth
    still.height = image.naturalHeight
    still.getContext("2d")?.drawImage(image, 0, 0)
    image.after(still)
  }
  button.addEventListener("click", () => show(!still))
  // Without the picture there is nothing to pause.
  const offer = () => {
    if (image.naturalWidth <= 1) return
    image.closest(".picture")?.after(button)
    // What else is below the picture makes room.
    document.dispatchEvent(new Event("longbox:content"))
  }
  if (image.complete) offer()
  image.addEventListener("load", offer)
  show(false)
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) image.decode().then(() => show(true), () => {})
}
