import type { Self } from '@guildhall/wire/user/user.ts'
import type { ReactNode } from 'react'
import type { InitialEntry } from 'react-router'
import type { On } from '../../answers.ts'

/** A screen of the product in one state: its address, and what a server answers it. */
export interface Shown {
  /** Where it is: `/dev/gallery/NAME`. */
  readonly name: string
  readonly at: InitialEntry
  readonly me?: Partial<Self>
  /** What the server wrote into the document. */
  readonly boot?: object
  readonly answer?: (on: On) => void
  /** A sheet that is open above it. */
  readonly above?: () => ReactNode
}
