import type { Emoji } from '@guildhall/wire/message/message.ts'
import type { PointerEvent } from 'react'

/** Minimum width and exact height of a cell, px: large enough for a finger. */
export const CELL = 44

/** An emoji in the picker. */
export interface Cell extends Emoji {
  /** Accessible name. */
  readonly label: string
  readonly hasTones: boolean
}

/** A titled group of emoji. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly cells: readonly Cell[]
}

/** Keeps the focus where it is: on a phone the keyboard would open or close with it. */
export const keepFocus = (event: PointerEvent) => event.preventDefault()
