/** Keys of stored files, as their addresses have them. chat.md §3, protocol.md §4.11. */

/** The path of a stored file within a text; its group is the key. */
export const KEYS =
  /\/((?:assets\/\d{4}-\d{2}|attachments\/\d{4}-\d{2}\/\d{2})\/\w{8,16}(?:\.\w{1,10})?)(?![\w/.])/g

/** The keys of all stored files whose addresses are in a text, each once. */
export const assetKeysIn = (text: string): string[] =>
  text.includes('/assets/') || text.includes('/attachments/')
    ? [...new Set([...text.matchAll(KEYS)].map((found) => found[1] ?? ''))]
    : []

const KEY = /^\/((?:assets\/\d{4}-\d{2}|attachments\/\d{4}-\d{2}\/\d{2})\/\w{8,16}(?:\.\w{1,10})?)$/

/**
 * The key of a stored file (`assets/2026-11/….png`) in its address or path; null when there is none. The host
 * is ignored, as a server may have several.
 */
export function assetKey(address: string): string | null {
  const path = /^https?:\/\/[^/?#]+(\/[^?#]*)/i.exec(address)?.[1] ?? address
  return KEY.exec(path)?.[1] ?? null
}
