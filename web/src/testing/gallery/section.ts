import type { ReactNode } from 'react'

/** One state of a component. */
export interface State {
  readonly name: string
  readonly draw: () => ReactNode
}

/** A component in all of its states. Its `id` is where the page can be opened: `/dev/gallery#words`. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly states: readonly State[]
}
