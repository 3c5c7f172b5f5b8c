import { type ComponentType, createContext } from 'react'

/** What screens use of the columns around them at a desk. */
export interface Desk {
  /** Opens the sheet that creates or joins a guild. */
  readonly addGuild: () => void
  readonly hasMembers: boolean
  readonly toggleMembers: () => void
  /** What can be set for keys and mouse. */
  readonly SettingRows: ComponentType
}

/** Null: the screen has the window to itself, as on a phone. */
export const DeskContext = createContext<Desk | null>(null)
