/**
 * Cards as they are stored and delivered: every shorthand written out, every default filled in. protocol.md
 * §7.6.
 */
import type { Bytes, Millis } from '../unit.ts'

export const themes = ['primary', 'success', 'danger', 'warning', 'info', 'secondary'] as const
/** Themes of buttons. */
export type Theme = (typeof themes)[number]
/** `none`: no bar at the side. `invisible`: no frame at all. */
export const cardThemes = [...themes, 'none', 'invisible'] as const
export type CardTheme = (typeof cardThemes)[number]

export interface PlainText {
  readonly type: 'plain-text'
  readonly content: string
  /** Shortcodes become emoji. */
  readonly emoji: boolean
}
export interface KMarkdownText {
  readonly type: 'kmarkdown'
  readonly content: string
}
export type Words = PlainText | KMarkdownText

export interface Paragraph {
  readonly type: 'paragraph'
  /** 1 to 3; a narrow screen shows fewer. */
  readonly cols: number
  readonly fields: readonly Words[]
}

export interface Image {
  readonly type: 'image'
  readonly src: string
  readonly alt: string
  /** As an accessory or in a context only. */
  readonly size: 'sm' | 'lg'
  readonly circle: boolean
  /** Shown when `src` cannot be loaded. */
  readonly fallbackUrl?: string
}

export interface Button {
  readonly type: 'button'
  readonly theme: Theme
  readonly text: Words
  readonly value: string
  /** `''` does nothing, `link` opens `value`, `return-val` sends it to the card's author. */
  readonly click: '' | 'link' | 'return-val'
  /** `#RRGGBB`; overrides the theme. */
  readonly color?: string
}

/** Written by the server: metadata of the file at `src`. `duration` is in seconds. protocol.md §7.3. */
export interface Known {
  readonly size?: Bytes
  readonly duration?: number
  readonly width?: number
  readonly height?: number
  readonly external?: boolean
  readonly canDownload?: boolean
}

export interface Header {
  readonly type: 'header'
  readonly text: PlainText
}
export interface Section {
  readonly type: 'section'
  readonly mode: 'left' | 'right'
  readonly text: Words | Paragraph
  readonly accessory?: Image | Button
}
export interface Images {
  /** `image-group`: square tiles. `container`: one under the other, uncropped. */
  readonly type: 'image-group' | 'container'
  readonly elements: readonly Image[]
}
export interface Actions {
  readonly type: 'action-group'
  readonly elements: readonly Button[]
}
export interface Context {
  readonly type: 'context'
  readonly elements: readonly (Words | Image)[]
}
export interface Divider {
  readonly type: 'divider'
}
export interface FileModule extends Known {
  readonly type: 'file' | 'video' | 'audio'
  readonly src: string
  readonly title: string
  /** A picture's address. */
  readonly cover?: string
}
export interface Countdown {
  readonly type: 'countdown'
  readonly mode: 'day' | 'hour' | 'second'
  readonly endTime: Millis
  /** Of `second` only: what the bar begins with. */
  readonly startTime?: Millis
}
export interface InviteModule {
  readonly type: 'invite'
  readonly code: string
}

export type Module =
  | Header
  | Section
  | Images
  | Actions
  | Context
  | Divider
  | FileModule
  | Countdown
  | InviteModule

export interface Card {
  readonly type: 'card'
  readonly theme: CardTheme
  /** `#RRGGBB`; overrides the theme. */
  readonly color?: string
  readonly size: 'sm' | 'lg'
  readonly expand?: boolean
  readonly modules: readonly Module[]
}
