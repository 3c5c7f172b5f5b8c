import { createContext, useContext } from 'react'

/** Where mentions lead. The functions are stable, or every message is rendered again. */
export interface MentionTargets {
  /** Shows the card of a person. */
  readonly openPerson: (userId: string) => void
  /** The path of a text channel; null when it cannot be opened here. */
  readonly channelPath: (channelId: string) => string | null
}

/** Null: mentions lead nowhere, as inside a link or a button. */
export const MentionTargetsContext = createContext<MentionTargets | null>(null)

export const useMentionTargets = (): MentionTargets | null => useContext(MentionTargetsContext)
