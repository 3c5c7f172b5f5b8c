/**
 * KMarkdown: nodes to plain text and to the ids they mention; source to nodes is `parse.ts`. Used by the
 * server on send and by the page to draw. protocol.md §6.
 */
import { isVisible } from '../words.ts'
import { isBlock, type KmNode } from './node.ts'
import { parse } from './parse.ts'

export { parseLegacy } from './legacy.ts'
export type { KmNode } from './node.ts'
export { normalized, type ParseOptions, parse } from './parse.ts'
export { withShortcodes } from './shortcode.ts'

export interface MentionedIds {
  /** User ids, each once, in the order of the text. */
  readonly users: string[]
  /** Users mentioned by name and 4 to 10 digits, each once; in plain text only. */
  readonly named: readonly { readonly username: string; readonly identify_num: string }[]
  readonly roles: number[]
  readonly channels: string[]
  /** Ids of custom emoji, each once. */
  readonly emoji: string[]
  readonly all: boolean
  readonly here: boolean
}

/** The mentions in a text. Code is skipped. protocol.md §6.4. */
export function mentionsIn(nodes: readonly KmNode[]): MentionedIds {
  const users = new Set<string>()
  const named = new Map<string, { username: string; identify_num: string }>()
  const roles = new Set<number>()
  const channels = new Set<string>()
  const emoji = new Set<string>()
  let all = false
  let here = false
  const walk = (node: KmNode): void => {
    if (node.type === 'text') return
    if ('children' in node) {
      for (const child of node.children) walk(child)
    } else if (node.tagName === 'met') {
      if (node.value === 'all') all = true
      else if (node.value === 'here') here = true
      else {
        users.add(node.value)
        if (node.name !== undefined && /^\d{4,10}$/.test(node.value))
          named.set(`${node.name}#${node.value}`, { username: node.name, identify_num: node.value })
      }
    } else if (node.tagName === 'rol') {
      // Role 0 is everyone: mentioning it is mentioning all. protocol.md §6.1.
      if (Number(node.value) === 0) all = true
      else if (Number(node.value) <= 0xffffffff) roles.add(Number(node.value))
    } else if (node.tagName === 'chn') channels.add(node.value)
    else if (node.tagName === 'emj') emoji.add(node.id)
  }
  for (const node of nodes) walk(node)
  return {
    users: [...users],
    named: [...named.values()],
    roles: [...roles],
    channels: [...channels],
    emoji: [...emoji],
    all,
    here,
  }
}

/**
 * Whether a message shows anything: what is seen, a mention, a divider. Markers around nothing show nothing.
 */
export const showsAnything = (source: string): boolean => isVisible(source) && parse(source).some(isSeen)

function isSeen(node: KmNode): boolean {
  if (node.type === 'text') return isVisible(node.content)
  if ('children' in node) return node.children.some(isSeen)
  return node.tagName === 'code' || node.tagName === 'codeblock' ? isVisible(node.value) : true
}

/** Names by id, without a sign; null when the target is deleted. */
export interface Names {
  /**
   * `name`: what the author of a plain text called the person; `id` may then be the digits behind that name.
   */
  readonly user: (id: string, name?: string) => string | null
  /** The id of the person whom the author of a plain text called by name and digits; null when it is `id`. */
  readonly userId?: (id: string, name?: string) => string | null
  readonly role: (id: number) => string | null
  readonly channel: (id: string) => string | null
  /** The address of the picture of a custom emoji; null while it has none. */
  readonly emoji?: (id: string) => string | null
  /** The name of a custom emoji; null when unknown: then the name in the source is used. */
  readonly emojiName?: (id: string) => string | null
  /** The texts for deleted targets, for everyone and for those online. */
  readonly words: {
    readonly all: string
    readonly here: string
    readonly noUser: string
    readonly noRole: string
    readonly noChannel: string
  }
}

/** The text of a mention with its sign: `@小满`, `@管理员`, `#闲聊`. `name`: the name that the author typed. */
export function mentionText(tag: 'met' | 'rol' | 'chn', value: string, names: Names, name?: string): string {
  const { words: text } = names
  if (tag === 'chn') return prefixed('#', names.channel(value), text.noChannel)
  if (tag === 'rol') {
    return Number(value) === 0 ? text.all : prefixed('@', names.role(Number(value)), text.noRole)
  }
  if (value === 'all') return text.all
  if (value === 'here') return text.here
  return prefixed('@', names.user(value, name), text.noUser)
}

const prefixed = (sign: string, name: string | null, gone: string): string =>
  name === null ? gone : sign + name

/**
 * The text alone, styles stripped and ids resolved: notifications, previews, `raw_content`. Quotes and code
 * blocks are on separate lines; a divider is a line break. protocol.md §3.2 and §6.4.
 */
export function plain(nodes: readonly KmNode[], names: Names): string {
  let output = ''
  /** The last node was a block, so the next text begins a line. */
  let isAfterBlock = false
  const breakLine = () => {
    if (output !== '' && !output.endsWith('\n')) output += '\n'
  }
  const append = (content: string) => {
    if (isAfterBlock && content !== '') breakLine()
    if (content !== '') isAfterBlock = false
    output += content
  }
  const walk = (node: KmNode): void => {
    if (node.type === 'text') return append(node.content)
    if (isBlock(node)) breakLine()
    if ('children' in node) node.children.forEach(walk)
    else if (node.tagName === 'emj') append(names.emojiName?.(node.id) ?? node.name)
    else if (node.tagName === 'code' || node.tagName === 'codeblock') append(node.value)
    else if (node.tagName !== 'hr') append(mentionText(node.tagName, node.value, names, node.name))
    if (isBlock(node)) isAfterBlock = true
  }
  nodes.forEach(walk)
  return output
}
