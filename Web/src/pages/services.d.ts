import type { ToWorker } from "../shared/messages.js"
import type { TabState } from "./tab-state.js"

/**
 * What app.js passes to modules that it loads later. They don't import it, because shared imports would become a separate
 * chunk, which takes one more round trip. For the same reason, each reads the base path from the page's `data-base`.
 */
export interface Services {
  /** Shows a message for some time, in place of any other. */
  say(text: string, options?: Message): void
  /** What the pages of this tab share. */
  readonly tab: TabState
  /** Shows the messages of a fetched page. */
  showMessages(page: Document): void
  /** Sets up a page that was put in place of another. */
  prepare(): void
  /** Shows the settings that another page has, given as attributes of its document. */
  showLook(look: DOMStringMap): void
  /** Whether something has changed that this page may not show. */
  isOld(): boolean
  /** Makes keys wait until a step has succeeded or failed. */
  keepKeys(step: Promise<unknown>): void
  /** Sends a form, also if the reader leaves the page at once. */
  post(address: string, body: URLSearchParams, options?: RequestInit): Promise<Response>
  /** Sends what a reader changes, also if the reader leaves the page at once. Says whether it was accepted. */
  sendChange(address: string, body: URLSearchParams): Promise<boolean>
  /** Sends what a reader has changed as they leave the page, which hears no answer. */
  sendAtLast(address: string, body: URLSearchParams): void
  /** Sends a message to the service worker, if there is one. */
  postToWorker(message: ToWorker): void
  /** Whether no other page can be loaded, since nothing answers; then says so. */
  isCutOff(): Promise<boolean>
  /** Fulfilled if the browser refuses the service worker. */
  readonly refused: Promise<void>
}

/** How this browser installs Longbox. */
export interface Installation {
  /** By its own prompt, by its share menu, or not at all. */
  readonly method: "prompt" | "share" | null
  /** Shows the browser's prompt; returns whether the reader has accepted. */
  install(): Promise<boolean>
  /** Records that the reader doesn't want it now. */
  dismiss(): void
}

/** How a message is shown. */
export interface Message {
  /** A control for the message, such as Undo. */
  action?: Element | null
  isError?: boolean
  milliseconds?: number
}

/** The viewer's interface for keys. */
export interface ZoomControls {
  isZoomed(): boolean
  /** Handles a key. */
  press(key: string): void
}
