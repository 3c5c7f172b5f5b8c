/**
 * Where a client's user comes from: chat.md §3 "Referrer/source options". A client marks it by this header, whose value is one of
 * the numbers; the server keeps it with the registration. chat.md §7 does not name the header: it is ours.
 */
export const CLIENT_SOURCE_HEADER = 'x-client-source'

export const clientSource = {
  other: 0,
  microblog: 1,
  videoSite: 2,
  messagingApp: 3,
  /** The product itself. */
  product: 4,
  voiceChatApp: 5,
  /** The in-app browser of a chat app. */
  inAppBrowser: 6,
} as const

/** The number of a header's value; null for anything else. */
export const readClientSource = (value: unknown): number | null =>
  typeof value === 'string' && /^[0-6]$/.test(value) ? Number(value) : null
