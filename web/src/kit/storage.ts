import type { Locale } from '@guildhall/wire/locale.ts'
/** What this browser remembers, by key. chat.md §3 "Local storage". Values are JSON unless the key says text. */
export interface Stored {
  /** The session token, sent verbatim in `Authorization`. */
  authorization: string
  /** Who was logged in last, to draw the shell before the network answers. */
  auth: { id: string; username: string; identify_num: string; avatar: string; mobile_verified: boolean }
  theme: 'dark' | 'light'
  locale: Locale
  /** The country chosen for phone numbers: `abbr` is ISO 3166, `code` the dialling code without plus. */
  country: { abbr: string; code: string }
  /** An invite accepted before logging in: `id` is the guild, `code` the invite. */
  pending_join: { id: string; code: string }
  /** Category ids that are closed. Absent means open. */
  collapsed: string[]
  /** Unsent text by channel id. */
  drafts: Record<string, string>
  /** Emoji picked last, the newest first. */
  recent_emoji: { id: string; name: string }[]
  /** The drafts in which something was picked, whole: `start` and `end` of a pick are UTF-16 units. */
  picks: Record<
    string,
    { words: string; picks: readonly { start: number; end: number; token: string; name?: string }[] }
  >
  /** What unsent text answers, by channel id, as `quote` of wire/message has it. */
  replies: Record<string, unknown>
  /** The guild opened last, by its id. */
  last_guild: string
}

/** Keys kept as bare text, because something other than this file reads or writes them. */
const TEXT: ReadonlySet<keyof Stored> = new Set(['authorization', 'theme', 'locale', 'last_guild'])

/** When the browser refuses storage (private windows, full disk) the page lives on from memory. */
const memory = new Map<string, string>()

function raw(key: string): string | null {
  const held = memory.get(key)
  if (held !== undefined) return held
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The remembered value, or null when there is none or it cannot be read back. */
export function recall<K extends keyof Stored>(key: K): Stored[K] | null {
  const text = raw(key)
  if (text === null || text === '') return null
  if (TEXT.has(key)) return text as Stored[K]
  try {
    return JSON.parse(text) as Stored[K]
  } catch {
    return null
  }
}

/** Remembers a value; null forgets it. Never throws: a refused write is kept in memory until the page closes. */
export function remember<K extends keyof Stored>(key: K, value: Stored[K] | null): void {
  memory.delete(key)
  const text = value === null ? null : TEXT.has(key) ? String(value) : JSON.stringify(value)
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    memory.set(key, text ?? '')
  }
}

/** What a logout removes: the session and everything that belongs to a person. chat.md §4 "Logout". */
export function forgetPerson(): void {
  for (const key of [
    ...(['authorization', 'auth', 'drafts', 'picks', 'replies', 'last_guild', 'recent_emoji'] as const),
  ])
    remember(key, null)
  try {
    // What the rooms have not sent yet. It goes as soon as no tab has it open any more.
    indexedDB.deleteDatabase('guildhall')
  } catch {
    // There is no database here, so there is nothing in it.
  }
}
