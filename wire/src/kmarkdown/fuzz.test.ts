import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutOverrides } from '../visible.ts'
import { type KmNode, mentionsIn, type Names, parse, parseLegacy, plain } from './kmarkdown.ts'
import { isBlock } from './node.ts'
import { read } from './parse.ts'
import { mentionText } from './text.ts'

const INPUTS = 100_000
const SEED = 20240717
const card = { font: true }
const nobody: Names = { user: () => null, role: () => null, channel: () => null, words: mentionText.en }

const piece = fc.oneof(
  fc.constantFrom(
    '*',
    '**',
    '***',
    '****',
    '~~',
    '~',
    '`',
    '```',
    '```js\n',
    '[',
    ']',
    '](',
    '(',
    ')',
    '> ',
    '>',
    '---',
    '-',
    '(ins)',
    '(spl)',
    '(met)',
    '(rol)',
    '(chn)',
    '(emj)',
    '(font)',
    '[danger]',
    '[10]',
    '\\',
    ':',
    '\n',
    '\n\n',
  ),
  fc.constantFrom(
    'https://a.b',
    'http://',
    '[x](https://a.b)',
    'javascript:x',
    '(met)1(met)',
    '(met)all(met)',
    '(rol)0(rol)',
    '(emj)w(emj)[1/a]',
    '1',
    'all',
    ' ',
    '\r\n',
    '小满',
    'a',
    '\u202E',
    '\ud83d',
    '😀',
    '<b>',
    '&amp;',
    '@a#1234',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const source = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

const childrenOf = (node: KmNode): readonly KmNode[] =>
  node.type === 'tag' && 'children' in node ? node.children : []
const all = (nodes: readonly KmNode[]): KmNode[] => nodes.flatMap((node) => [node, ...all(childrenOf(node))])
const depth = (nodes: readonly KmNode[]): number =>
  nodes.reduce((most, node) => Math.max(most, 1 + depth(childrenOf(node))), 0)

/** The source of a tree as far as it can be restored: its text and its markers. */
function written(nodes: readonly KmNode[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.content
      const inner = written(childrenOf(node))
      switch (node.tagName) {
        case 'strong':
          return `**${inner}**`
        case 'em':
          return `*${inner}*`
        case 'del':
          return `~~${inner}~~`
        case 'ins':
        case 'spl':
          return `(${node.tagName})${inner}(${node.tagName})`
        case 'blockquote':
          return `> ${inner}`
        case 'hr':
          return '---'
        case 'a':
          return inner === node.href ? inner : `[${inner}](${node.href})`
        case 'code':
          return `\`${node.value}\``
        case 'codeblock':
          return `\`\`\`${node.lang}${node.value}\`\`\``
        case 'emj':
          return `(emj)${node.name}(emj)[${node.id}]`
        case 'font':
          return `(font)${inner}(font)[${node.theme}]${node.size && `[${node.size}]`}`
        default:
          return `(${node.tagName})${node.value}(${node.tagName})`
      }
    })
    .join('')
}

/** `whole` without the subsequence `part`; null when `part` is not a subsequence. */
function rest(whole: string, part: string): string | null {
  let left = ''
  let at = 0
  for (const unit of whole.split('')) {
    if (unit === part[at]) at += 1
    else left += unit
  }
  return at === part.length ? left : null
}

/** What the parser may drop: escapes, line breaks beside blocks, quote signs, spaces after a divider. */
const DROPPED = /^[\\\n> \t]*$/

describe('any text', () => {
  it('is parsed into a safe, valid and shallow tree, in a message and in a card', () => {
    const faults = (nodes: KmNode[]): string[] => {
      const found: string[] = []
      if (depth(nodes) > 26) found.push('deep')
      for (const list of [nodes, ...all(nodes).map(childrenOf)])
        for (const [index, node] of list.entries()) {
          if (node.type === 'text') {
            if (node.content === '') found.push('empty words')
            if (list[index + 1]?.type === 'text') found.push('words beside words')
          } else if (node.tagName === 'a') {
            if (!/^https?:\/\/[^\s]+$/i.test(node.href)) found.push('not the web')
            if (all(node.children).some((it) => it.type === 'tag' && it.tagName === 'a')) found.push('nested')
          } else if ('children' in node && node.children.length === 0) found.push('empty tag')
        }
      if (plain(nodes, nobody) !== withoutOverrides(plain(nodes, nobody))) found.push('override')
      mentionsIn(nodes)
      return found
    }
    const judge = (nodes: KmNode[]) => {
      const found = faults(nodes)
      if (found.length > 0) throw new Error(`${found}: ${JSON.stringify(nodes)}`)
    }
    fc.assert(
      fc.property(source, (text) => {
        judge(parse(text))
        judge(parse(text, card))
        judge(parseLegacy(text))
      }),
      { numRuns: INPUTS / 4, seed: SEED },
    )
  })

  it('is contained in its tree except for what is dropped on purpose', () => {
    fc.assert(
      fc.property(source, (text) => {
        const nodes = parse(text)
        // Links whose text is their address, and links to other schemes, lose their brackets and address.
        fc.pre(!/\]\((?:https?:\/\/[^)]*|[a-z]+:[^)]*)\)/.test(text))
        const left = rest(withoutOverrides(text).replace(/\r\n?/g, '\n'), written(nodes))
        if (left === null || !DROPPED.test(left)) throw new Error(JSON.stringify({ text, nodes, left }))
      }),
      { numRuns: INPUTS / 2, seed: SEED + 1 },
    )
  })

  it('without markers is one text node', () => {
    const content = fc
      .string({ unit: 'grapheme', maxLength: 80 })
      .filter((text) => !/[\n\r*~`[(\\>h\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069-]/.test(text))
    fc.assert(
      fc.property(content, (text) => {
        const nodes = parse(text)
        const said = nodes[0]?.type === 'text' ? nodes[0].content : ''
        if (nodes.length > 1 || said !== text) throw new Error(JSON.stringify({ text, nodes }))
      }),
      { numRuns: INPUTS / 10, seed: SEED + 2 },
    )
  })

  it('in the old dialect is contained in its tree', () => {
    const old = fc.array(
      fc.oneof(piece, fc.constantFrom('@全体成员', '@role:1;', '#channel:2;', '[:a:1/b]', '@小#12')),
      { maxLength: 12 },
    )
    const said = (node: KmNode): string => {
      if (node.type === 'text') return node.content
      if (node.tagName === 'a') return node.href
      if (node.tagName === 'emj') return `[:${node.name}:${node.id}]`
      if (node.tagName === 'rol') return `@role:${node.value};`
      if (node.tagName === 'chn') return `#channel:${node.value};`
      if (node.tagName === 'met' && node.name !== undefined) return `@${node.name}#${node.value}`
      return 'value' in node && node.value === 'all' ? '@全体成员' : '@在线成员'
    }
    fc.assert(
      fc.property(old, (pieces) => {
        const text = withoutOverrides(pieces.join(''))
        expect(parseLegacy(text).map(said).join('')).toBe(text)
      }),
      { numRuns: INPUTS / 4, seed: SEED + 3 },
    )
  })

  it('has a tree that survives JSON', () => {
    fc.assert(
      fc.property(source, (text) => {
        const nodes = parse(text, card)
        expect(JSON.parse(JSON.stringify(nodes))).toEqual(nodes)
        expect(nodes.some((node, index) => isBlock(node) && nodes[index + 1] === node)).toBe(false)
      }),
      { numRuns: INPUTS / 20, seed: SEED + 4 },
    )
  })
})

describe('the parsing time', () => {
  const hostile = [
    '*',
    '**',
    '***',
    '* ',
    '**a',
    '*a**b',
    '~~',
    '~~x',
    '`',
    '``',
    '```',
    '`a',
    '```a',
    '```\n',
    '`a``',
    '[',
    ']',
    '](',
    '[]',
    '[](',
    '[a](',
    '[](x',
    '[[',
    '[*',
    '[a](https://a',
    '[a](x:y)',
    '[[[a](x:y)',
    '(',
    '()',
    '(ins)',
    '(spl)',
    '(ins)a(spl)',
    '(met)',
    '(met)1',
    '(emj)a',
    '(emj)',
    '(rol)1(rol)',
    '(font)',
    '(font)a(font)',
    '> ',
    '> a\n',
    '> a\n\n',
    '\n',
    '\n\n',
    '---\n',
    '---  ',
    '> ---\n',
    '\n> **',
    '>\n',
    '\\',
    '\\*',
    'h',
    'http',
    'https://',
    'https://a.',
    'https://a~',
    'https://a.b ',
    'https://a/(',
    'https://a/()',
    'https://a/)',
    'https://a/[1',
    ':',
    ':a',
    ':a:',
    '@',
    '@a',
    '@a#',
    '@a#1',
    '#channel:',
    '[:a',
    '[:a:',
    '@role:1',
    '\u202E',
    '\r',
    '小',
    '\ud83d',
  ]
  const shortcode = () => null
  const stepsOf = (text: string) => read(text, { ...card, shortcode }).steps
  const SMALL = 2_000
  const TIMES = 16

  it.each(hostile)('grows linearly when %j is repeated', (unit) => {
    const repeats = Math.ceil(SMALL / unit.length)
    const few = stepsOf(unit.repeat(repeats))
    const many = stepsOf(unit.repeat(repeats * TIMES))
    expect(many).toBeLessThanOrEqual(few * TIMES * 1.1 + 1_000)
    expect(many).toBeLessThanOrEqual(unit.length * repeats * TIMES * 60)
  })

  it('grows linearly when any text is repeated', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
        (unit) => {
          fc.pre(unit !== '')
          const few = stepsOf(unit.repeat(400))
          const many = stepsOf(unit.repeat(400 * TIMES))
          if (many > few * TIMES * 1.25) throw new Error(`${few} steps, then ${many}`)
        },
      ),
      { numRuns: 400, seed: SEED + 5 },
    )
  })

  it.each(['*', '[', '(', '`', '~~', '> ', '](', '(ins)', '[*', '\\', 'https://'])(
    'a hundred thousand of %j are still read',
    (unit) => {
      const nodes = parse(unit.repeat(100_000))
      expect(rest(unit.repeat(100_000), written(nodes))).toMatch(DROPPED)
    },
  )
})
