/**
 * Where a client's user comes from, chat.md §3 "Referrer/source options": 0 other, 1 microblog, 2 video site,
 * 3 messaging app, 4 the product itself, 5 voice chat app, 6 in-app browser of a chat app. A client marks it
 * by this header, whose value is the number; the server keeps it with the registration. chat.md §7 does not
 * name the header: it is ours.
 */
export const CLIENT_SOURCE_HEADER = 'x-client-source'

/** The number of a header's value; null for anything else. */
export const readClientSource = (value: unknown): number | null =>
  typeof value === 'string' && /^[0-6]$/.test(value) ? Number(value) : null
