/**
 * KMarkdown, the inline part: source text to nodes, nodes to plain words and to the ids they mention. Used by the
 * server on send and by the page to draw. protocol.md §6.
 */
import type { EmojiNode, KmNode, LeafName, SpanName } from './node.ts'

export type { KmNode } from './node.ts'

/** Deeper nesting than this is drawn as the characters it is made of: it bounds the work for hostile input. */
const DEPTH_MAX = 24
const URL_MAX = 2048
const RIGHT_TO_LEFT = /[\u202E\u200F]/g
const ESCAPABLE = /[!-/:-@[-`{-~]/
const BARE_LINK = /https?:\/\/[^\s<>()[\]`*~"'，。！？；：、（）【】《》“”‘’]+/y
/** Ends a sentence rather than an address. */
const TRAILING = /[.,!?;:]{1,16}$/
const LEAF = /\((met|rol|chn)\)(\w{1,20})\(\1\)/y
const EMOJI = /\(emj\)([^()\n]{1,36})\(emj\)\[([\w/]{1,40})\]/y
const PAIR = /\((ins|spl)\)/y
const WEB_LINK = /^https?:\/\/[^\s]+$/i
/** Characters at which anything but plain text may begin. */
const SPECIAL = /[\\`*~()[\]]|https?:\/\//g

interface Open {
  /** What must come to close it: a marker, or `](` for a link. */
  readonly marker: string
  readonly tag: SpanName | 'a'
  readonly children: KmNode[]
}

const spanOf: Readonly<Record<string, SpanName>> = {
  '*': 'em',
  '**': 'strong',
  '~~': 'del',
  '(ins)': 'ins',
  '(spl)': 'spl',
}

/** Right-to-left overrides can make a text read as what it is not: they go. chat.md §5. */
export const withoutOverrides = (source: string): string => source.replace(RIGHT_TO_LEFT, '')

function push(nodes: KmNode[], node: KmNode): void {
  const last = nodes.at(-1)
  if (node.type === 'text') {
    if (node.content === '') return
    if (last?.type === 'text') {
      nodes[nodes.length - 1] = { type: 'text', content: last.content + node.content }
      return
    }
  }
  nodes.push(node)
}

/**
 * Source text to nodes. Never throws; whatever is not a construct stands as text; an opener without a closer is
 * literal. Time grows linearly with the text: each character is consumed once, nesting is bounded, and the look
 * ahead for a closing character is remembered.
 */
export function parse(source: string): KmNode[] {
  const text = withoutOverrides(source)
  const root: KmNode[] = []
  const stack: Open[] = []
  const nextAt = new Map<string, number>()
  let at = 0

  const top = () => stack.at(-1)?.children ?? root
  const say = (content: string) => push(top(), { type: 'text', content })

  /** Where `needle` next stands at or after `from`, or -1; asks the text again only when the answer is stale. */
  const next = (needle: string, from: number): number => {
    const known = nextAt.get(needle)
    if (known === -1 || (known !== undefined && known >= from)) return known
    const found = text.indexOf(needle, from)
    nextAt.set(needle, found)
    return found
  }

  /** The innermost open construct turns out to be plain characters. */
  const abandon = () => {
    const open = stack.pop()!
    const nodes = top()
    push(nodes, { type: 'text', content: open.marker })
    for (const child of open.children) push(nodes, child)
  }

  const openAt = (marker: string) => stack.findLastIndex((open) => open.marker === marker)

  /** Opens what `marker` begins, or closes it when it is open; empty content is literal. */
  const toggle = (marker: string) => {
    const depth = openAt(marker)
    if (depth === -1) {
      if (stack.length >= DEPTH_MAX) return say(marker)
      stack.push({ marker, tag: spanOf[marker]!, children: [] })
      return
    }
    while (stack.length > depth + 1) abandon()
    const { tag, children } = stack.pop()!
    if (children.length === 0) return say(marker + marker)
    push(top(), { type: 'tag', tagName: tag as SpanName, children })
  }

  /** At `](`: closes the innermost `[` when a link's address follows. Returns where to go on, or -1. */
  const closeLink = (): number => {
    const depth = openAt('[')
    if (depth === -1) return -1
    const start = at + 2
    const end = next(')', start)
    if (end === -1 || end === start || end - start > URL_MAX) return -1
    const href = text.slice(start, end).trim()
    if (/\s/.test(href) || stack.length === 0) return -1
    while (stack.length > depth + 1) abandon()
    const { children } = stack.pop()!
    if (children.length === 0) {
      say(text.slice(at - 1, end + 1))
      return end + 1
    }
    if (WEB_LINK.test(href)) push(top(), { type: 'tag', tagName: 'a', href, children })
    else for (const child of children) push(top(), child)
    return end + 1
  }

  const sticky = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }

  while (at < text.length) {
    SPECIAL.lastIndex = at
    const found = SPECIAL.exec(text)
    const start = found ? found.index : text.length
    if (start > at) say(text.slice(at, start))
    if (!found) break
    at = start
    const character = text[at]!

    if (character === '\\') {
      const escaped = text[at + 1]
      const isEscape = escaped !== undefined && ESCAPABLE.test(escaped)
      say(isEscape ? escaped : '\\')
      at += isEscape ? 2 : 1
      continue
    }

    if (character === '`') {
      const end = next('`', at + 1)
      if (end > at + 1) {
        push(top(), { type: 'tag', tagName: 'code', value: text.slice(at + 1, end) })
        at = end + 1
      } else {
        say(end === at + 1 ? '``' : '`')
        at += end === at + 1 ? 2 : 1
      }
      continue
    }

    if (character === '(') {
      const leaf = sticky(LEAF)
      if (leaf && isLeafValue(leaf[1] as LeafName, leaf[2]!)) {
        push(top(), { type: 'tag', tagName: leaf[1] as LeafName, value: leaf[2]! })
        at += leaf[0].length
        continue
      }
      const emoji = sticky(EMOJI)
      if (emoji) {
        push(top(), { type: 'tag', tagName: 'emj', name: emoji[1]!, id: emoji[2]! } satisfies EmojiNode)
        at += emoji[0].length
        continue
      }
      const pair = sticky(PAIR)
      if (pair) {
        toggle(pair[0])
        at += pair[0].length
        continue
      }
      say('(')
      at += 1
      continue
    }

    if (character === '*' || character === '~') {
      let run = 1
      while (text[at + run] === character) run += 1
      at += run
      if (character === '~') {
        if (run === 2) toggle('~~')
        else say('~'.repeat(run))
      } else if (run === 1) toggle('*')
      else if (run === 2) toggle('**')
      else if (run === 3) {
        // The inner of the two closes first, whichever was opened last.
        const [first, second] = openAt('*') > openAt('**') ? ['*', '**'] : ['**', '*']
        toggle(first!)
        toggle(second!)
      } else say('*'.repeat(run))
      continue
    }

    if (character === '[') {
      if (stack.length < DEPTH_MAX) stack.push({ marker: '[', tag: 'a', children: [] })
      else say('[')
      at += 1
      continue
    }

    if (character === ']' && text[at + 1] === '(') {
      const after = closeLink()
      if (after !== -1) {
        at = after
        continue
      }
    }

    if (character === 'h') {
      // Inside `[…](…)` the address is the link's own. A too long one is stepped over whole, not looked at again.
      const link = openAt('[') === -1 ? sticky(BARE_LINK) : null
      const href = link?.[0].replace(TRAILING, '') ?? ''
      if (href && href.length <= URL_MAX) {
        push(top(), { type: 'tag', tagName: 'a', href, children: [{ type: 'text', content: href }] })
        at += href.length
      } else {
        const whole = link?.[0] ?? found[0]
        say(whole)
        at += whole.length
      }
      continue
    }

    say(character)
    at += 1
  }

  while (stack.length > 0) abandon()
  return root
}

const isLeafValue = (tag: LeafName, value: string): boolean =>
  /^\d+$/.test(value) || (tag === 'met' && (value === 'all' || value === 'here'))

export interface MentionedIds {
  /** User ids, each once, in the order they come. */
  readonly users: string[]
  readonly roles: number[]
  readonly channels: string[]
  readonly all: boolean
  readonly here: boolean
}

/** Whom and what a text mentions. Nothing inside code counts. protocol.md §6.4. */
export function mentionsIn(nodes: readonly KmNode[]): MentionedIds {
  const users = new Set<string>()
  const roles = new Set<number>()
  const channels = new Set<string>()
  let all = false
  let here = false
  const walk = (node: KmNode): void => {
    if (node.type === 'text') return
    if ('children' in node) {
      for (const child of node.children) walk(child)
    } else if (node.tagName === 'met') {
      if (node.value === 'all') all = true
      else if (node.value === 'here') here = true
      else users.add(node.value)
    } else if (node.tagName === 'rol') {
      // Role 0 is everyone: mentioning it is mentioning all. protocol.md §6.1.
      if (Number(node.value) === 0) all = true
      else if (Number(node.value) <= 0xffffffff) roles.add(Number(node.value))
    } else if (node.tagName === 'chn') channels.add(node.value)
  }
  for (const node of nodes) walk(node)
  return { users: [...users], roles: [...roles], channels: [...channels], all, here }
}

/** How ids read: each gives the bare name, or null when what it names is gone. */
export interface Names {
  readonly user: (id: string) => string | null
  readonly role: (id: number) => string | null
  readonly channel: (id: string) => string | null
  /** The words for what is gone, and for everyone and those online. */
  readonly words: {
    readonly all: string
    readonly here: string
    readonly noUser: string
    readonly noRole: string
    readonly noChannel: string
  }
}

/** How one mention reads, with its sign: `@小满`, `@管理员`, `#闲聊`. */
export function mentionText(tag: 'met' | 'rol' | 'chn', value: string, names: Names): string {
  const { words } = names
  if (tag === 'chn') return prefixed('#', names.channel(value), words.noChannel)
  if (tag === 'rol') {
    return Number(value) === 0 ? words.all : prefixed('@', names.role(Number(value)), words.noRole)
  }
  if (value === 'all') return words.all
  if (value === 'here') return words.here
  return prefixed('@', names.user(value), words.noUser)
}

const prefixed = (sign: string, name: string | null, gone: string): string =>
  name === null ? gone : sign + name

/** The words alone, styles stripped and ids resolved: notifications, previews, `raw_content`. protocol.md §3.2. */
export function plain(nodes: readonly KmNode[], names: Names): string {
  const say = (node: KmNode): string => {
    if (node.type === 'text') return node.content
    if ('children' in node) return node.children.map(say).join('')
    if (node.tagName === 'emj') return node.name
    if (node.tagName === 'code') return node.value
    return mentionText(node.tagName, node.value, names)
  }
  return nodes.map(say).join('')
}
