import type { Way } from '@guildhall/wire/auth/ways.ts'
import type { Locale } from '@guildhall/wire/locale.ts'

/** A room as somebody saw it last on this device, as markup. Decision 135. */
export interface Snapshot {
  readonly path: string
  /** The id of the user who saw it. */
  readonly me: string
  /** The build of the page: another has other styles. */
  readonly build: string
  readonly locale: string
  /** The width of the window, CSS px. */
  readonly width: number
  /** The styles that were loaded since the page was served. */
  readonly css: string
  readonly html: string
}

/**
 * Local storage of the browser, by key. chat.md §3 "Local storage". Values are JSON unless the key says text.
 */
export interface Stored {
  /** The session token, sent verbatim in `Authorization`. */
  authorization: string
  /** The user who was logged in last: the shell shows it before the network answers. */
  auth: { id: string; username: string; identify_num: string; avatar: string; mobile_verified: boolean }
  theme: 'dark' | 'light'
  locale: Locale
  /** The country chosen for phone numbers: `abbr` is ISO 3166, `code` the dialling code without plus. */
  country: { abbr: string; code: string }
  /** An invite accepted before logging in: `id` is the guild, `code` the invite. */
  pending_join: { id: string; code: string }
  /** The code of a personal invite, encrypted. */
  invite_code: string
  /** The way to register and log in that was chosen last. */
  way: Way
  /** Where a login by a third party leads, as long as it is at the provider. */
  login_redir: string
  /** An account at a third party that is to be bound to a number; sealed by the server. */
  bind_info: { bind_info: string; token_type: 'qq' | 'weixin'; nickname: string }
  /** Category ids that are closed. Absent means open. */
  collapsed: string[]
  /** Unsent text by channel id. */
  drafts: Record<string, string>
  /** Emoji picked last, the newest first. */
  recent_emoji: { id: string; name: string }[]
  /**
   * The drafts that contain a picked mention or emoji, whole: `start` and `end` of a pick are UTF-16 units.
   */
  picks: Record<
    string,
    { words: string; picks: readonly { start: number; end: number; token: string; name?: string }[] }
  >
  /** The message that a draft replies to, by channel id, in the shape of `quote` of wire/message. */
  replies: Record<string, unknown>
  /** Guilds whose note about roles to choose was closed, by their ids. */
  roles_note_closed: string[]
  /** The guild opened last, by its id. */
  last_guild: string
  /** The channel opened last at a desk, by the id of its guild. */
  last_channels: Record<string, string>
  /** The keys of a desk; absent: they are on. */
  keys: 'off'
  /** What a double click on a message does; absent: it replies. */
  double_click: 'reply' | 'edit' | 'none'
  /** Whether composers show the bar of formats and its preview; absent: no bar, and with it the preview. */
  formats: { open?: boolean; preview?: boolean }
  /** Paths of rooms and conversations opened last at a desk, or forwarded to, the last one first. */
  recent: string[]
  /** What was searched for last, the last one first. */
  searches: string[]
  /** The room that was open last, as it looked: shown before scripts have run. */
  snapshot: Snapshot
  /** The columns of a desk: widths in px, and whether that of members is open. */
  desk: { channels?: number; members?: number; has_members?: boolean }
  /** Notifications of the browser on this device; absent: they are off. */
  notifications: {
    on?: boolean
    /** Neither who wrote nor where nor what is shown. */
    is_bare?: boolean
    has_sound?: boolean
    /** Local times, `22:00`, between which nothing calls; over midnight where the first is the later one. */
    quiet?: { from: string; to: string } | null
  }
}

/** Keys whose values are bare text, because code outside of this file reads or writes them. */
const TEXT: ReadonlySet<keyof Stored> = new Set([
  'authorization',
  'theme',
  'locale',
  'last_guild',
  'invite_code',
])

/** Whether a stored token can be sent: browsers refuse a header with other characters before they send it. */
export const isToken = (text: string): boolean => /^[!-~]+$/.test(text)

/** Fallback when the browser refuses storage (private windows, full disk). */
const memory = new Map<string, string>()

function raw(key: string): string | null {
  const inMemory = memory.get(key)
  if (inMemory !== undefined) return inMemory
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The stored value; null when there is none or it cannot be used, such as a token that cannot be sent. */
export function readStored<K extends keyof Stored>(key: K): Stored[K] | null {
  const text = raw(key)
  if (text === null || text === '') return null
  if (key === 'authorization' && !isToken(text)) return null
  if (TEXT.has(key)) return text as Stored[K]
  try {
    return JSON.parse(text) as Stored[K]
  } catch {
    return null
  }
}

/**
 * Stores a value; null deletes it. Never throws: a refused write is kept in memory until the page closes, and
 * is false.
 */
export function writeStored<K extends keyof Stored>(key: K, value: Stored[K] | null): boolean {
  memory.delete(key)
  const text = value === null ? null : TEXT.has(key) ? String(value) : JSON.stringify(value)
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    memory.set(key, text ?? '')
    return false
  }
}

/** Deletes the session and all data of the user. chat.md §4 "Logout". */
export function clearUserStorage(): void {
  for (const key of [
    ...(['authorization', 'auth', 'drafts', 'picks', 'replies', 'last_guild', 'recent_emoji'] as const),
    ...(['last_channels', 'recent', 'searches', 'login_redir', 'bind_info', 'snapshot'] as const),
  ])
    writeStored(key, null)
  try {
    // The numbers that codes were sent to (ui/smsCodeCountdown.ts).
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('code_sent_')) sessionStorage.removeItem(key)
  } catch {
    // Where storage is refused nothing was kept.
  }
  try {
    // The unsent messages. The database is deleted once no tab has it open any more.
    indexedDB.deleteDatabase('guildhall')
  } catch {
    // This browser has no database, so there is nothing to delete.
  }
}
