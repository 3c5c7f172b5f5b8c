/** Keys of stored files, as their addresses have them. chat.md §3, protocol.md §4.11. */

const KEYS = /\/((?:assets\/\d{4}-\d{2}|attachments\/\d{4}-\d{2}\/\d{2})\/\w{8,16}(?:\.\w{1,10})?)(?![\w/.])/g

/** The keys of all stored files whose addresses are in a text, each once. */
export const assetKeysIn = (text: string): string[] =>
  text.includes('/assets/') || text.includes('/attachments/')
    ? [...new Set([...text.matchAll(KEYS)].map((found) => found[1] ?? ''))]
    : []

/** The signature that the server adds to an address: its end, itself, and the channel it is for. Decision 109. */
const SIGNATURE = /\?e=\d{1,7}&s=[\w-]{1,40}(?:&c=\d{1,20})?/
const ADDRESSES = new RegExp(
  `(https?://[^\\s/"?#]+)${KEYS.source}(?:${SIGNATURE.source})?([?&](?=\\w))?`,
  'gi',
)

/**
 * A text in which `change` has made something else of the addresses of stored files: it gets each without its
 * signature, its origin, and what stands before and after it.
 */
export const withAddresses = (
  text: string,
  change: (address: string, origin: string, around: string) => string,
): string =>
  text.includes('/assets/') || text.includes('/attachments/')
    ? text.replace(ADDRESSES, (found, origin: string, key: string, more: string | undefined, at: number) => {
        const around = `${text[at - 1] ?? ''}${text[at + found.length] ?? ''}`
        const changed = change(`${origin}/${key}`, origin, around)
        return more === undefined ? changed : `${changed}${changed.includes('?') ? '&' : '?'}`
      })
    : text

const KEY = /^\/((?:assets\/\d{4}-\d{2}|attachments\/\d{4}-\d{2}\/\d{2})\/\w{8,16}(?:\.\w{1,10})?)$/

/**
 * The key of a stored file (`assets/2026-11/….png`) in its address or path; null when there is none. The host
 * is ignored, as a server may have several.
 */
export function assetKey(address: string): string | null {
  const path = /^https?:\/\/[^/?#]+(\/[^?#]*)/i.exec(address)?.[1] ?? address
  return KEY.exec(path)?.[1] ?? null
}
