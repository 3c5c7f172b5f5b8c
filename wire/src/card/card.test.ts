import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeIn, ownCodesIn } from '../invite/inviteLink.ts'
import { type Broken, readCards, writeCards } from './card.ts'
import * as limit from './limit.ts'
import type { Card, Module } from './node.ts'
import { buttonsIn, nodesOf, withFiles } from './textOfCards.ts'

const NOW = 1_790_000_000_000
const card = (...modules: unknown[]) => [{ type: 'card', modules }]
const plain = (content: string) => ({ type: 'plain-text', content, emoji: true })
const image = { type: 'image', src: 'https://h.example/assets/2026-11/a.png' }
const button = (more: object = {}) => ({ type: 'button', text: '去', ...more })
const section = (more: object) => ({ type: 'section', text: 'x', ...more })
const times = <T>(n: number, it: T): T[] => Array.from({ length: n }, () => it)

function cardsOf(source: unknown, sentAt?: number): readonly Card[] {
  const read = readCards(source, sentAt === undefined ? {} : { sentAt })
  if ('broken' in read) throw new Error(`${read.broken.at}: ${read.broken.why}`)
  return read.cards
}
function brokenOf(source: unknown, sentAt: number | undefined = NOW): Broken {
  const read = readCards(source, sentAt === undefined ? {} : { sentAt })
  if ('cards' in read) throw new Error('it was read')
  return read.broken
}
const moduleOf = (module: unknown, sentAt?: number): Module => cardsOf(card(module), sentAt)[0]!.modules[0]!

describe('invalid cards are refused with the path of the error', () => {
  const M = '[0].modules[0]'
  it.each<[string, unknown, string, string]>([
    ['text that is no JSON', '[{', '', 'json'],
    ['a text too long to be looked at', ' '.repeat(limit.CARD_CONTENT_MAX + 1), '', 'long'],
    ['nothing', null, '', 'missing'],
    ['a single card without its list', { type: 'card', modules: [] }, '', 'shape'],
    ['no card at all', [], '', 'few'],
    ['six cards', times(6, { type: 'card', modules: [] }), '', 'many'],
    ['a list of words', ['x'], '[0]', 'shape'],
    ['something else than a card', [{ type: 'paper', modules: [] }], '[0].type', 'unknown'],
    ['a card without modules', [{ type: 'card' }], '[0].modules', 'missing'],
    ['a theme nobody knows', [{ type: 'card', theme: 'pink', modules: [] }], '[0].theme', 'unknown'],
    ['a colour that is none', [{ type: 'card', color: 'red', modules: [] }], '[0].color', 'value'],
    ['a size of the other list', [{ type: 'card', size: 'md', modules: [] }], '[0].size', 'unknown'],
    ['a module nobody knows', card({ type: 'table' }), `${M}.type`, 'unknown'],
    ['a module without a type', card({}), `${M}.type`, 'missing'],
    [
      '51 modules over two cards',
      [...card(...times(26, 'x')), ...card(...times(25, 'x'))],
      '[1].modules',
      'many',
    ],
    [
      'a header of KMarkdown',
      card({ type: 'header', text: { type: 'kmarkdown', content: 'x' } }),
      `${M}.text.type`,
      'place',
    ],
    ['a header of 101', card({ type: 'header', text: 'a'.repeat(101) }), `${M}.text`, 'long'],
    ['a header without words', card({ type: 'header' }), `${M}.text`, 'missing'],
    ['a plain text of 2001', card(section({ text: 'a'.repeat(2001) })), `${M}.text`, 'long'],
    [
      'a KMarkdown of 5001',
      card(section({ text: { type: 'kmarkdown', content: 'a'.repeat(5001) } })),
      `${M}.text.content`,
      'long',
    ],
    [
      'a text of another kind',
      card(section({ text: { type: 'image', src: image.src } })),
      `${M}.text.type`,
      'unknown',
    ],
    [
      'a paragraph of four columns',
      card(section({ text: { type: 'paragraph', cols: 4, fields: [] } })),
      `${M}.text.cols`,
      'value',
    ],
    [
      '51 fields',
      card(section({ text: { type: 'paragraph', cols: 1, fields: times(51, 'x') } })),
      `${M}.text.fields`,
      'many',
    ],
    [
      'a field that is a picture',
      card(section({ text: { type: 'paragraph', fields: ['a', image] } })),
      `${M}.text.fields[1].type`,
      'unknown',
    ],
    [
      'a paragraph in a field',
      card(section({ text: { type: 'paragraph', fields: [{ type: 'paragraph', fields: [] }] } })),
      `${M}.text.fields[0].type`,
      'unknown',
    ],
    ['a button on the left', card(section({ mode: 'left', accessory: button() })), `${M}.mode`, 'place'],
    [
      'a divider beside words',
      card(section({ accessory: { type: 'divider' } })),
      `${M}.accessory.type`,
      'unknown',
    ],
    [
      'a picture from nowhere',
      card(section({ accessory: { type: 'image', src: 'javascript:alert(1)' } })),
      `${M}.accessory.src`,
      'value',
    ],
    [
      'a picture with a long name',
      card({ type: 'container', elements: [{ ...image, alt: 'a'.repeat(21) }] }),
      `${M}.elements[0].alt`,
      'long',
    ],
    ['a group without pictures', card({ type: 'image-group', elements: [] }), `${M}.elements`, 'few'],
    ['ten pictures', card({ type: 'image-group', elements: times(10, image) }), `${M}.elements`, 'many'],
    [
      'a button among pictures',
      card({ type: 'container', elements: [image, button()] }),
      `${M}.elements[1].type`,
      'unknown',
    ],
    ['five buttons', card({ type: 'action-group', elements: times(5, button()) }), `${M}.elements`, 'many'],
    [
      'a button of 41',
      card({ type: 'action-group', elements: [button({ text: 'a'.repeat(41) })] }),
      `${M}.elements[0].text`,
      'long',
    ],
    [
      'a button without words',
      card({ type: 'action-group', elements: [{ type: 'button' }] }),
      `${M}.elements[0].text`,
      'missing',
    ],
    [
      'a button that leads to a script',
      card({ type: 'action-group', elements: [button({ click: 'link', value: 'javascript:alert(1)' })] }),
      `${M}.elements[0].value`,
      'value',
    ],
    [
      'a button that leads nowhere',
      card({ type: 'action-group', elements: [button({ click: 'link' })] }),
      `${M}.elements[0].value`,
      'value',
    ],
    [
      'a button that does something else',
      card({ type: 'action-group', elements: [button({ click: 'eval' })] }),
      `${M}.elements[0].click`,
      'unknown',
    ],
    [
      'eleven things in a context',
      card({ type: 'context', elements: times(11, 'x') }),
      `${M}.elements`,
      'many',
    ],
    ['a file from nowhere', card({ type: 'file', title: 'x' }), `${M}.src`, 'missing'],
    ['a countdown without an end', card({ type: 'countdown', mode: 'day' }), `${M}.endTime`, 'missing'],
    ['a countdown without a mode', card({ type: 'countdown', endTime: NOW }), `${M}.mode`, 'missing'],
    [
      'a countdown by the week',
      card({ type: 'countdown', mode: 'week', endTime: NOW }),
      `${M}.mode`,
      'unknown',
    ],
    [
      'a countdown that is over',
      card({ type: 'countdown', mode: 'day', endTime: NOW - 1 }),
      `${M}.endTime`,
      'past',
    ],
    [
      'a countdown that begins after its end',
      card({ type: 'countdown', mode: 'second', startTime: NOW + 9, endTime: NOW + 9 }),
      `${M}.startTime`,
      'value',
    ],
    ['an invite without a code', card({ type: 'invite' }), `${M}.code`, 'missing'],
    ['an invite that is none', card({ type: 'invite', code: 'a b' }), `${M}.code`, 'value'],
    [
      'a section with a picture where there is no frame',
      [{ type: 'card', theme: 'invisible', modules: [section({ accessory: image })] }],
      M,
      'place',
    ],
    [
      'a countdown where there is no frame',
      [{ type: 'card', theme: 'invisible', modules: [{ type: 'countdown', mode: 'day', endTime: NOW }] }],
      M,
      'place',
    ],
    [
      'shorthands that grow too long when written out',
      times(5, {
        type: 'card',
        modules: times(10, section({ text: { type: 'paragraph', fields: times(50, '') } })),
      }),
      '',
      'long',
    ],
  ])('%s', (_, source, at, why) => {
    expect(brokenOf(source)).toEqual({ at, why })
    expect(brokenOf(typeof source === 'string' ? source : JSON.stringify(source))).toEqual({ at, why })
  })
})

describe('cards', () => {
  it('are expanded: shorthands are written out and defaults filled in', () => {
    const sent = [
      {
        type: 'card',
        theme: null,
        color: '#FF00aa',
        surprise: 1,
        modules: [
          { type: 'header', text: '集合' },
          section({
            text: { type: 'kmarkdown', content: '**来**' },
            accessory: button({ click: 'return-val', value: 7 }),
          }),
          section({
            accessory: {},
            text: { type: 'paragraph', cols: '3', fields: ['a', { type: 'kmarkdown', content: 'b' }] },
          }),
          { type: 'context', elements: ['x', image] },
          { type: 'countdown', mode: 'default', endTime: `${NOW + 60_000}` },
          { type: 'invite', code: 'https://h.example/invite/AbCd12?x=1' },
          'bare words',
        ],
      },
    ]
    expect(cardsOf(JSON.stringify(sent), NOW)).toEqual([
      {
        type: 'card',
        theme: 'primary',
        color: '#ff00aa',
        size: 'lg',
        modules: [
          { type: 'header', text: plain('集合') },
          {
            type: 'section',
            mode: 'right',
            text: { type: 'kmarkdown', content: '**来**' },
            accessory: {
              type: 'button',
              theme: 'primary',
              text: plain('去'),
              value: '7',
              click: 'return-val',
            },
          },
          {
            type: 'section',
            mode: 'right',
            text: { type: 'paragraph', cols: 3, fields: [plain('a'), { type: 'kmarkdown', content: 'b' }] },
          },
          { type: 'context', elements: [plain('x'), { ...image, alt: '', size: 'lg', circle: false }] },
          { type: 'countdown', mode: 'second', startTime: NOW, endTime: NOW + 60_000 },
          { type: 'invite', code: 'AbCd12' },
          { type: 'section', mode: 'right', text: plain('bare words') },
        ],
      },
    ])
  })

  it('may have no modules, and no frame around modules that allow it', () => {
    expect(cardsOf([{ type: 'card', modules: [] }])[0]?.modules).toEqual([])
    expect(cardsOf([{ type: 'card', theme: 'invisible', modules: ['x', { type: 'divider' }] }])).toHaveLength(
      1,
    )
  })

  it('are read from storage with end times that are over, and with the file metadata of the server', () => {
    expect(moduleOf({ type: 'countdown', mode: 'hour', endTime: 5 })).toEqual({
      type: 'countdown',
      mode: 'hour',
      endTime: 5,
    })
    const file = {
      type: 'video',
      src: image.src,
      title: 'x',
      size: '61',
      duration: 3.5,
      external: 0,
      cover: image.src,
    }
    expect(moduleOf(file)).toEqual({ ...file, size: 61, external: false })
    expect(moduleOf(file, NOW)).toEqual({ type: 'video', src: image.src, title: 'x' })
    expect(moduleOf({ ...file, type: 'audio' }, NOW)).toEqual({
      type: 'audio',
      src: image.src,
      title: 'x',
      cover: image.src,
    })
  })

  it('contain no direction overrides and no lone surrogates', () => {
    expect(moduleOf(section({ text: 'a\u202eb\u0000c\ud800d😀' }))).toMatchObject({
      text: { content: 'abc\ufffdd😀' },
    })
  })

  it('are read when they are exactly at their limits', () => {
    const full = card(
      { type: 'header', text: 'a'.repeat(100) },
      section({ text: 'a'.repeat(2000) }),
      section({ text: { type: 'kmarkdown', content: 'a'.repeat(5000) } }),
      section({ text: { type: 'paragraph', cols: 3, fields: times(50, 'x') } }),
      { type: 'image-group', elements: times(9, image) },
      { type: 'action-group', elements: times(4, button({ text: 'a'.repeat(40) })) },
      { type: 'context', elements: times(10, 'x') },
      ...times(43, { type: 'divider' }),
    )
    expect(cardsOf(full)[0]?.modules).toHaveLength(50)
  })
})

describe('the content of cards', () => {
  const cards = cardsOf(
    card(
      { type: 'header', text: '(met)1(met)' },
      section({ text: { type: 'kmarkdown', content: '(met)2(met)' }, accessory: button({ value: 'v' }) }),
      section({ accessory: image, text: { type: 'paragraph', fields: ['a', ' '] } }),
      { type: 'action-group', elements: [button({ value: 'w' })] },
      { type: 'context', elements: [image, 'b'] },
      { type: 'audio', src: image.src },
    ),
  )
  it('is read in order, and only KMarkdown mentions', () => {
    const nodes = nodesOf(cards)
    expect(nodes.filter((it) => it.type === 'tag')).toEqual([{ type: 'tag', tagName: 'met', value: '2' }])
    expect(nodes.map((it) => (it.type === 'text' ? it.content : '@')).join('')).toBe(
      '(met)1(met)\n@\n去\na\n去\nb',
    )
    expect(buttonsIn(cards).map(({ value }) => value)).toEqual(['v', 'w'])
  })
  it('has files, each with its path', () => {
    const seen: string[] = []
    const note = <T>(it: T, at: string): T => {
      seen.push(at)
      return it
    }
    const same = withFiles(cards, { image: note, file: note })
    expect(same).toEqual(cards)
    expect(seen).toEqual(['[0].modules[2].accessory', '[0].modules[4].elements[0]', '[0].modules[5]'])
  })
})

describe('an invite’s code', () => {
  it.each([
    ['AbCd12', 'AbCd12'],
    [' https://h.example/AbCd12 ', 'AbCd12'],
    ['http://h.example:80/invite/AbCd12/?a#b', 'AbCd12'],
    ['https://h.example/terms/AbCd12', null],
    ['https://h.example/privacy', null],
    ['https://h.example/invite/privacy', 'privacy'],
    ['ab', null],
    ['https://h.example/', null],
  ])('%s', (text, code) => expect(codeIn(text)).toBe(code))

  it.each<[string, string[]]>([
    ['来 h.example/AbCd12 吧', ['AbCd12']],
    ['https://H.example/invite/AbCd12。http://h.example/EfGh34 h.example/AbCd12', ['AbCd12', 'EfGh34']],
    ['[去](https://h.example/AbCd12)', ['AbCd12']],
    ['https://evil.example/AbCd12 https://evil.example/h.example/AbCd12', []],
    ['nooh.example/AbCd12 me@h.example/AbCd12 h.example/AbCd12/more h.example/ab', []],
    ['https://h.example/privacy h.example/channels/1/2', []],
    ['h.example/AAAAAA h.example/BBBBBB h.example/CCCCCC', ['AAAAAA', 'BBBBBB']],
  ])('is found in a text only for this host: %s', (message, codes) =>
    expect(ownCodesIn(message, 'h.example', 2)).toEqual(codes),
  )
})

/** A pseudo-random generator that is fast enough for 100 000 inputs. */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, pick: <T>(all: readonly T[]): T => all[below(all.length)]! }
}

const KEYS = [
  'type',
  'theme',
  'color',
  'size',
  'modules',
  'expand',
  'text',
  'accessory',
  'mode',
  'elements',
  'content',
  'emoji',
  'src',
  'alt',
  'circle',
  'fallbackUrl',
  'value',
  'click',
  'cols',
  'fields',
  'endTime',
  'startTime',
  'code',
  'title',
  'cover',
  'duration',
  '__proto__',
  'constructor',
  'toString',
  '',
]
const TYPES = [
  'card',
  'header',
  'section',
  'image-group',
  'container',
  'action-group',
  'context',
  'divider',
  'file',
  'audio',
  'video',
  'countdown',
  'invite',
  'plain-text',
  'kmarkdown',
  'image',
  'button',
  'paragraph',
]
const LEAVES = [
  null,
  true,
  false,
  0,
  -1,
  1,
  3,
  1e308,
  1_790_000_099_000,
  '',
  '1',
  'x',
  'second',
  'left',
  'link',
  'sm',
  'https://h.example/a.png',
  'https://h.example/AbCd12',
  'javascript:x',
  '#ff0000',
  '\ud800',
  '\u202e\u0000',
  'invisible',
  'return-val',
]

/** Random JSON that resembles cards: mostly valid, with a few errors. */
function someJson(random: ReturnType<typeof randomOf>, depth: number, key = ''): unknown {
  const { below, pick } = random
  if (key === 'type' && below(20) > 0) return pick(TYPES)
  if (depth === 0 || below(4) === 0) return pick(LEAVES)
  const isList = ['modules', 'elements', 'fields'].includes(key) ? below(20) > 0 : below(12) === 0
  if (isList) return Array.from({ length: below(4) }, () => someJson(random, depth - 1))
  const made: Record<string, unknown> = { type: someJson(random, depth - 1, 'type') }
  for (let n = below(6); n > 0; n--) {
    const name = pick(KEYS)
    if (name !== 'type')
      Object.defineProperty(made, name, {
        value: someJson(random, depth - 1, name),
        enumerable: true,
        configurable: true,
      })
  }
  return made
}

describe('random JSON', () => {
  const check = (source: unknown, sentAt: number | undefined) => {
    const reading = sentAt === undefined ? {} : { sentAt }
    const read = readCards(source, reading)
    if ('broken' in read) {
      if (read.broken.at.length > 100) throw new Error(read.broken.at)
      return false
    }
    const written = writeCards(read.cards)
    if (written.length > limit.CARD_CONTENT_MAX) throw new Error('too long')
    const again = readCards(written, reading)
    if (!('cards' in again) || writeCards(again.cards) !== written)
      throw new Error(`not the same again: ${written}`)
    // Accepted cards can also be read from storage.
    if (!('cards' in readCards(written))) throw new Error(`sent but not to be read: ${written}`)
    return true
  }

  it('is read as cards that read the same again, or refused with a path: 100 000 inputs', () => {
    const random = randomOf(20261121)
    let read = 0
    for (let n = 0; n < 100_000; n++) {
      const module = someJson(random, 4)
      const source = random.below(10) === 0 ? module : [{ type: 'card', modules: [module] }]
      const sentAt = random.below(2) === 0 ? NOW : undefined
      if (check(random.below(2) === 0 ? source : JSON.stringify(source), sentAt)) read += 1
    }
    // The test is only meaningful while the generator makes enough of both.
    expect(read).toBeGreaterThan(2_000)
    expect(read).toBeLessThan(90_000)
  })

  it('is read or refused also when it does not resemble a card', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.json(), fc.string({ unit: 'binary' })), (source) => {
        check(source, NOW)
      }),
      { seed: 7, numRuns: 5_000 },
    )
  })

  it('is refused without recursion when it is deeply nested', () => {
    const deep = `${'['.repeat(14_000)}${']'.repeat(14_000)}`
    expect(brokenOf(deep)).toEqual({ at: '[0]', why: 'shape' })
    const nested = `${'[{"type":"card","modules":'.repeat(1_000)}[]${'}]'.repeat(1_000)}`
    expect(brokenOf(nested).at).toBe('[0].modules[0].type')
  })
})
