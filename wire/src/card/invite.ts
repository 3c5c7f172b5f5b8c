import { type InviteCode, isInviteCode } from '../id.ts'

const ADDRESS = /^https?:\/\/[^\s/?#]+\/(?:invite\/)?([0-9A-Za-z]{6,32})\/?(?:[?#]\S*)?$/i

/** The code of an invite, from itself or from its whole address, short or long; null when it is neither. protocol.md §7.3. */
export function codeIn(text: string): InviteCode | null {
  const given = text.trim()
  const code = ADDRESS.exec(given)?.[1] ?? given
  return isInviteCode(code) ? code : null
}

/**
 * The code behind a link of this very house: `HOST/CODE` or `HOST/invite/CODE`, with or without `http(s)://`; null for
 * every other text. chat.md §5 "Invite short links".
 */
export function ownCodeIn(link: string, host: string): InviteCode | null {
  const address = /^https?:\/\//i.test(link) ? link : `https://${link}`
  const its = /^https?:\/\/([^\s/?#]+)/i.exec(address)?.[1]
  return its?.toLowerCase() === host.toLowerCase() ? codeIn(address) : null
}
