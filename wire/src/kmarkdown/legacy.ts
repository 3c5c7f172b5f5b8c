/**
 * Parser of the text dialect of old clients: no styles, and another syntax for mentions. chat.md §5,
 * protocol.md §6.2.
 */

import { withoutOverrides } from '../visible.ts'
import { bareAddress } from './link.ts'
import type { KmNode } from './node.ts'
import { mentionText } from './text.ts'

const ROLE = /@role:(\d{1,10});/y
const CHANNEL = /#channel:(\d{1,20});/y
/** Names contain no space, so a sentence between an `@` and a `#` is not a name. */
const USER = /@([^\s@#]{2,62})#(\d{4,10})(?!\d)/y
const EMOJI = /\[:([\p{L}\p{N}-]{2,36}):([\w/]{1,40})\]/uy
const BEGINS = /[@#[]|https?:\/\//g

const everybody: readonly (readonly [string, string])[] = Object.values(mentionText).flatMap(
  ({ all, here }) => [[all, 'all'] as const, [here, 'here'] as const],
)

/**
 * Source of a plain text to the nodes of KMarkdown: mentions of users (`@name#digits`; the 4 to 10 digits are
 * an id, or those behind a name), roles, channels, all and those online, custom emoji, addresses. Never
 * throws.
 */
export function parseLegacy(source: string): KmNode[] {
  const text = withoutOverrides(source)
  const nodes: KmNode[] = []
  let from = 0
  let at = 0
  const addNode = (length: number, node: KmNode): void => {
    if (at > from) nodes.push({ type: 'text', content: text.slice(from, at) })
    nodes.push(node)
    at += length
    from = at
  }
  const sticky = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }

  const readAt = (): void => {
    const fixed = everybody.find(([content]) => text.startsWith(content, at))
    if (fixed) return addNode(fixed[0].length, { type: 'tag', tagName: 'met', value: fixed[1] })
    const role = sticky(ROLE)
    if (role) return addNode(role[0].length, { type: 'tag', tagName: 'rol', value: role[1]! })
    const user = sticky(USER)
    if (user) return addNode(user[0].length, { type: 'tag', tagName: 'met', value: user[2]!, name: user[1]! })
    at += 1
  }
  const readHash = (): void => {
    const channel = sticky(CHANNEL)
    if (channel) return addNode(channel[0].length, { type: 'tag', tagName: 'chn', value: channel[1]! })
    at += 1
  }
  const readBracket = (): void => {
    const emoji = sticky(EMOJI)
    if (emoji)
      return addNode(emoji[0].length, { type: 'tag', tagName: 'emj', name: emoji[1]!, id: emoji[2]! })
    at += 1
  }
  const readAddress = (): void => {
    const { end, next } = bareAddress(text, at)
    if (end === at) {
      at = next
      return
    }
    const href = text.slice(at, end)
    addNode(href.length, { type: 'tag', tagName: 'a', href, children: [{ type: 'text', content: href }] })
  }

  for (;;) {
    BEGINS.lastIndex = at
    const found = BEGINS.exec(text)
    if (!found) break
    at = found.index
    if (found[0] === '@') readAt()
    else if (found[0] === '#') readHash()
    else if (found[0] === '[') readBracket()
    else readAddress()
  }
  if (from < text.length) nodes.push({ type: 'text', content: text.slice(from) })
  return nodes
}
