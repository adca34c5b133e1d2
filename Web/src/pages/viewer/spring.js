// Longbox
// SPDX-License-Identifier: MIT

// Springs, as functions of time.

/**
 * A damped spring. `frequency` is the natural angular frequency, in radians per second; `damping` is the damping ratio: 1
 * is critical, without any overshoot from rest.
 * @typedef {{ frequency: number, damping: number }} Spring
 */

/** The pages of the pager. @type {Spring} */
export const pageSpring = { frequency: 30, damping: 1 }
/** The maximum duration of a page's motion to rest, in milliseconds. */
export const longest = 350

/**
 * The distance from rest after some milliseconds.
 * @param {Spring} spring
 * @param {number} distance the distance from rest at the start
 * @param {number} velocity at the start, in pixels per millisecond
 * @param {number} time in milliseconds
 */
export function distanceAfter({ frequency, damping }, distance, velocity, time) {
  const seconds = time / 1000
  const speed = velocity * 1000
  const decay = Math.exp(-damping * frequency * seconds)
  if (damping === 1) return (distance + (speed + frequency * distance) * seconds) * decay
  const swing = frequency * Math.sqrt(1 - damping * damping)
  const across = (damping * frequency * distance + speed) / swing
  return decay * (distance * Math.cos(swing * seconds) + across * Math.sin(swing * seconds))
}

/**
 * The motion of a page that settles: its distances from rest at equal intervals, the last one 0, and the duration. It starts at
 * the finger's velocity, limited so that the page doesn't overshoot, which would show a gap.
 * @param {number} distance
 * @param {number} velocity in pixels per millisecond
 * @returns {{ distances: number[], duration: number }}
 */
export function settlingMotion(distance, velocity) {
  const most = Math.abs(distance) * pageSpring.frequency / 1000
  const speed = Math.sign(velocity) === -Math.sign(distance) ? Math.sign(velocity) * Math.min(Math.abs(velocity), most) : velocity
  let duration = 16
  while (duration < longest && Math.abs(distanceAfter(pageSpring, distance, speed, duration)) > .5) duration += 4
  duration = Math.min(duration, longest)
  const steps = Math.max(2, Math.round(duration / 16))
  const distances = Array.from({ length: steps }, (_, step) => distanceAfter(pageSpring, distance, speed, duration * step / steps))
  return { distances: [...distances, 0], duration }
}

/** The frequency of the spring that returns a thrown picture to its edge. */
const flingFrequency = 12
/** The distance of a throw, divided by its velocity, in milliseconds: each millisecond the velocity falls to 0.995 of itself. */
const reach = 199

/**
 * The position of a thrown picture along one axis, as a function of milliseconds.
 * @param {number} from
 * @param {number} velocity in pixels per millisecond
 * @param {number} low
 * @param {number} high
 * @returns {(time: number) => number}
 */
export function thrown(from, velocity, low, high) {
  const aim = from + velocity * reach
  const to = Math.min(Math.max(aim, low), high)
  const spring = { frequency: flingFrequency, damping: to === aim ? 1 : .82 }
  return (time) => to + distanceAfter(spring, from - to, velocity, time)
}
/** The time after which a thrown picture is at rest, in milliseconds. */
export const flingTime = 900

/** The return of a zoom from beyond its limits. @type {Spring} */
export const limitSpring = { frequency: 40, damping: 1 }

/**
 * The easing of a zoom, cubic-bezier(.4, 0, .22, 1): maps a share of the time to a share of the change.
 * @param {number} time
 */
export function zoomEasing(time) {
  let [low, high] = [0, 1]
  for (let round = 0; round < 20; round += 1) {
    const middle = (low + high) / 2
    const at = 3 * (1 - middle) ** 2 * middle * .4 + 3 * (1 - middle) * middle ** 2 * .22 + middle ** 3
    if (at < time) low = middle
    else high = middle
  }
  return 3 * (1 - high) * high ** 2 + high ** 3
}
