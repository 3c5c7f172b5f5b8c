import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KmNode, parse, parseLegacy } from './kmarkdown.ts'

const addressesIn = (nodes: readonly KmNode[]): string[] =>
  nodes.flatMap((node) => {
    if (node.type === 'text') return []
    if (node.tagName === 'a') return [node.href]
    return 'children' in node ? addressesIn(node.children) : []
  })
/** The addresses that both dialects find. */
const found = (text: string): string[] => {
  const [now, old] = [addressesIn(parse(text)), addressesIn(parseLegacy(text))]
  expect(now).toEqual(old)
  return now
}

describe('an address in a sentence', () => {
  it.each([
    ['看「https://example.com/x」好不好', 'https://example.com/x'],
    ['《https://example.com/x》', 'https://example.com/x'],
    ['〈https://example.com/x〉', 'https://example.com/x'],
    ['『https://example.com/x』', 'https://example.com/x'],
    ['【https://example.com】', 'https://example.com'],
    ['（https://example.com/x）', 'https://example.com/x'],
    ['(https://example.com/x)', 'https://example.com/x'],
    ['(see https://example.com/x).', 'https://example.com/x'],
    ['https://zh.wikipedia.org/wiki/Foo_(bar)', 'https://zh.wikipedia.org/wiki/Foo_(bar)'],
    ['(https://zh.wikipedia.org/wiki/Foo_(bar))', 'https://zh.wikipedia.org/wiki/Foo_(bar)'],
    ['https://zh.wikipedia.org/wiki/Foo_(bar_(baz))。', 'https://zh.wikipedia.org/wiki/Foo_(bar_(baz))'],
    ['https://a.cn/x(y', 'https://a.cn/x'],
    ['https://a.cn/x?ids[]=1&b[k]=2', 'https://a.cn/x?ids[]=1&b[k]=2'],
    ['[https://a.cn/x]', 'https://a.cn/x'],
    ['https://a.cn/x这个', 'https://a.cn/x'],
    ['https://a.cn/xです', 'https://a.cn/x'],
    ['https://a.cn/?q=1这个', 'https://a.cn/?q=1'],
    ['https://a.cn/x😀', 'https://a.cn/x'],
    ['https://a.cn/x…', 'https://a.cn/x'],
    ['https://a.cn/x～', 'https://a.cn/x'],
    ['https://a.cn/x\u200b好', 'https://a.cn/x'],
    ['https://a.cn/x\u3000好', 'https://a.cn/x'],
    ['https://例子.中国/x这个', 'https://例子.中国/x'],
    ['https://例子.中国，好', 'https://例子.中国'],
    ['https://a.cn/café?q=é', 'https://a.cn/café?q=é'],
    ['https://a.cn:8443/x-y_z~1;v=2,3!', 'https://a.cn:8443/x-y_z~1;v=2,3'],
    ['“https://a.cn/x”，', 'https://a.cn/x'],
    ["'https://a.cn/x'", 'https://a.cn/x'],
    ['https://a.cn/x?!.', 'https://a.cn/x'],
  ])('%s', (text, address) => expect(found(text)).toEqual([address]))

  it.each(['https://', 'https://。', 'http://「」', 'https://()', 'https://[::1]/'])(
    'there is none in %s',
    (text) => expect(found(text)).toEqual([]),
  )

  it('ends where a marker begins', () => {
    expect(addressesIn(parse('https://a.cn/x(met)1(met)'))).toEqual(['https://a.cn/x'])
    expect(addressesIn(parse('(ins)https://a.cn/x(ins)'))).toEqual(['https://a.cn/x'])
    expect(addressesIn(parse('https://a.cn/x[y](https://b.cn)'))).toEqual(['https://a.cn/x', 'https://b.cn'])
    expect(addressesIn(parseLegacy('https://a.cn/x[:ab:1/a]'))).toEqual(['https://a.cn/x'])
  })
})

/** Letters that are no Chinese, digits, and what addresses have between them. */
const inside = fc.stringMatching(/^[A-Za-z0-9é_%=&+-]{1,12}$/)
const path = fc
  .array(
    fc.oneof(
      inside,
      inside.map((it) => `(${it})`),
      inside.map((it) => `/${it}`),
      inside.map((it) => `?${it}`),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))
const address = fc
  .tuple(fc.constantFrom('http', 'https'), fc.constantFrom('a.cn', 'example.com:81', '例子.中国'), path)
  .map(([scheme, host, rest]) => `${scheme}://${host}/${rest}`)
const ENDS = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{P}\p{S}\p{Z}\p{C}]/u
const end = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 1 })
  .filter((it) => it > '\u007f' && ENDS.test(it))

describe('any address', () => {
  it('is found whole between words, brackets and stops of any script', () => {
    fc.assert(
      fc.property(fc.string({ unit: end, maxLength: 3 }), address, end, (before, it, after) => {
        expect(found(`${before}${it}${after}好`)).toEqual([it])
        expect(found(`(${it})`)).toEqual([it])
        expect(found(`${before}${it}, ${it}.`)).toEqual([it, it])
      }),
      { numRuns: 20_000, seed: 20261125 },
    )
  })

  it('has its brackets in pairs and nothing of a sentence behind its host, whatever surrounds it', () => {
    const piece = fc.oneof(
      address,
      end,
      fc.constantFrom('(', ')', '[', ']', '.', '…', ' ', 'https://', '这', "'", '~', '/'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const it of found(pieces.join(''))) {
          const behind = it.replace(/^https?:\/\/[^/?#]*/, '')
          expect(behind).not.toMatch(/[\p{scx=Han}\p{Z}\p{C}]|(?![\x20-\x7f])[\p{P}\p{S}]/u)
          expect(it.split('(')).toHaveLength(it.split(')').length)
          expect(it).not.toMatch(/[.,!?;:]$/)
        }
      }),
      { numRuns: 20_000, seed: 20261126 },
    )
  })
})
