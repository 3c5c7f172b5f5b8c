/** Invite links: which addresses in a text, a card or a link are invites. chat.md §5 "Invite short links". */
import { type InviteCode, isInviteCode } from '../id.ts'
import { foldCode } from '../typed.ts'
import { foldLine } from '../words.ts'

const ADDRESS = /^https?:\/\/[^\s/?#]+\/(invite\/)?([0-9A-Za-z]{6,32})\/?(?:[?#]\S*)?$/i
const PATH = /^\/(?:invite\/)?([A-Za-z\d]{6,32})\/?$/
/** Paths of the page that look like invite codes. */
const PAGES = new Set([
  'account',
  'authenticate',
  'bindmobile',
  'channels',
  'chats',
  'discover',
  'forgot',
  'friends',
  'download',
  'invite',
  'privacy',
  'register',
])

/**
 * The code of an invite, from itself or from its whole address, short or long; null when it is neither.
 * protocol.md §7.3.
 */
export function codeIn(text: string): InviteCode | null {
  const given = foldLine(text)
  const address = ADDRESS.exec(given)
  const code = address?.[2] ?? foldCode(given)
  if (address && address[1] === undefined && PAGES.has(code.toLowerCase())) return null
  return isInviteCode(code) ? code : null
}

/**
 * The codes of this server's invites that a text links to, by `HOST/CODE` or `HOST/invite/CODE` with or
 * without
 * `http(s)://`; each once, in their order, at most `most`. chat.md §5 "Invite short links".
 */
export function ownCodesIn(text: string, host: string, most: number): InviteCode[] {
  if (!text.toLowerCase().includes(`${host.toLowerCase()}/`)) return []
  const its = host.replace(/[^\w]/g, '\\$&')
  const link = new RegExp(
    `(?:^|[^\\w./@-])(?:https?://)?(${its}/(?:invite/)?[0-9A-Za-z]{6,32})(?![\\w/-])`,
    'gi',
  )
  const codes = new Set<InviteCode>()
  for (const found of text.matchAll(link)) {
    const code = codeIn(`https://${found[1]}`)
    if (code !== null) codes.add(code)
    if (codes.size >= most) break
  }
  return [...codes]
}

/**
 * The code of an invite link of this server, `{host}/{code}` or `{host}/invite/{code}`, or null. `origin` is
 * where people open the page, such as `https://guild.example`. chat.md §5.
 */
export function inviteCodeOf(href: string, origin: string): string | null {
  if (origin === '' || !href.toLowerCase().startsWith(`${origin.toLowerCase()}/`)) return null
  const [, code] = PATH.exec(href.slice(origin.length).replace(/[?#].*$/s, '')) ?? []
  return code === undefined || PAGES.has(code.toLowerCase()) ? null : code
}
