import type { Emoji } from '@guildhall/wire/message/message.ts'
import type { PointerEvent } from 'react'

/** A cell is at least as wide, px, and exactly as high: a finger's target. */
export const CELL = 44

/** An emoji as it is offered. */
export interface Cell extends Emoji {
  /** How it is read aloud. */
  readonly label: string
  readonly hasTones: boolean
}

/** Emoji of one kind, under their title. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly cells: readonly Cell[]
}

/** The focus stays where it is: on a phone the keyboard would come or go with it. */
export const keepFocus = (event: PointerEvent) => event.preventDefault()
