import { HOSTILE_LINKS, LOOKALIKE_LINKS } from '@guildhall/wire/fixtures/hostileLinks.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { expect, test } from 'vitest'
import { type OutsideSite, outsideTarget } from './outsideTarget.ts'

const siteOf = (address: string): OutsideSite => {
  const target = outsideTarget([address])
  if ('refused' in target) throw new Error(`${address} is refused: ${target.refused}`)
  return target
}

test.each(HOSTILE_LINKS)('%j is no address to go on to', (value) => {
  expect(outsideTarget([value])).toHaveProperty('refused')
})

test('no address and two addresses are refused', () => {
  expect(outsideTarget([])).toEqual({ refused: 'missing' })
  expect(outsideTarget(['  '])).toEqual({ refused: 'missing' })
  expect(outsideTarget(['https://site.example', 'https://evil.example'])).toEqual({ refused: 'bad' })
})

test('an address with a user name is refused by the host that it leads to', () => {
  expect(outsideTarget(['https://site.example@evil.example:8443/'])).toEqual({
    refused: 'login',
    host: 'evil.example:8443',
  })
})

test.each(LOOKALIKE_LINKS)('%s is shown with the host that a browser opens', (value) => {
  const { href, host, shown } = siteOf(value)
  expect(host).toBe(new URL(href).host)
  expect(host).toMatch(/^[a-z\d.:[\]-]+$/)
  expect(['https://site.example', 'http://site.example', 'https://hall.example']).not.toContain(
    new URL(href).origin,
  )
  expect(new URL(shown).href).toBe(href)
})

test.each([
  ['https://ѕite.example/', 'xn--ite-ehd.example', 'ѕite.example'],
  ['https://xn--ite-ehd.example/', 'xn--ite-ehd.example', 'ѕite.example'],
  ['https://аррӏе.com:8443/', 'xn--80ak6aa92e.com:8443', 'аррӏе.com'],
  ['https://例子.中国/', 'xn--fsqu00a.xn--fiqs8s', '例子.中国'],
])('%s has the host %s and looks like %s', (address, host, seems) => {
  expect(siteOf(address)).toMatchObject({ host, looksLike: seems })
})

test.each([
  ['https://evil.example/', null],
  ['http://2130706433/', null],
])('%s looks like itself', (address, seems) => {
  expect(siteOf(address).looksLike).toBe(seems)
})

test.each([
  ['https://site.example/公会?q=a b#介绍', 'https://site.example/公会?q=a%20b#介绍'],
  ['https://site.example/%2F%40%00', 'https://site.example/%2F%40%00'],
  ['https://site.example/\u202efdp.exe', 'https://site.example/fdp.exe'],
  ['https://site.example/%E2%80%AEfdp.exe', 'https://site.example/%E2%80%AEfdp.exe'],
  ['https://site.example/\u200bx', 'https://site.example/%E2%80%8Bx'],
  ['https://site.example/שלום', 'https://site.example/%D7%A9%D7%9C%D7%95%D7%9D'],
  ['https://site.example/%zz%ff', 'https://site.example/%zz%ff'],
])('%j is read as %s', (address, shown) => {
  expect(siteOf(address).shown).toBe(shown)
})

test.each(['\u3164', '\u115f', '\u1160', '\uffa0', '\u302e', '\u1100\u1161'])(
  'a letter that is invisible or joins its neighbours stays encoded: %j',
  (letter) => {
    expect(siteOf(`https://site.example/a${letter}b`).shown).toBe(
      `https://site.example/a${encodeURIComponent(letter)}b`,
    )
  },
)

test.each(['公会', 'ひらがな', 'カタカナ', '한글'])('%s is read as it is written', (word) => {
  expect(siteOf(`https://site.example/${word}`).shown).toBe(`https://site.example/${word}`)
})

test('an address that fits into no path is refused whole, not cut', () => {
  const path = goWildPath(`https://site.example/${'公'.repeat(900)}`)
  expect(outsideTarget(new URLSearchParams(path.split('?')[1]).getAll('url'))).toEqual({ refused: 'bad' })
})
