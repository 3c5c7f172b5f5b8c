import { expect, it } from 'vitest'
import { pickLocale, texts } from './locale.ts'

it.each([
  [undefined, 'zh-CN'],
  ['', 'zh-CN'],
  ['fr', 'zh-CN'],
  ['en', 'en'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
  ['zh;q=0.5,en;q=0.9', 'en'],
  ['en;q=0', 'zh-CN'],
])('Accept-Language %s is answered in %s', (header, locale) => {
  expect(pickLocale(header)).toBe(locale)
})

it('a first visit is in Chinese, except to a browser that asks for English', () => {
  expect(pickLocale(undefined)).toBe('zh-CN')
  expect(pickLocale('zh-TW')).toBe('zh-CN')
  expect(pickLocale('fr-FR')).toBe('zh-CN')
  expect(pickLocale('en-GB')).toBe('en')
})

it('a table that lacks a locale or a text, or has one too many, does not compile', () => {
  const zh = { name: '名字', count: (n: number) => `${n} 个` }
  const en = { name: 'Name', count: (n: number) => `${n} of them` }
  expect(texts({ 'zh-CN': zh, en }).en.count(2)).toBe('2 of them')
  // @ts-expect-error: no English
  texts({ 'zh-CN': zh })
  // @ts-expect-error: no English name
  texts({ 'zh-CN': zh, en: { count: en.count } })
  // @ts-expect-error: a text that Chinese does not have
  texts({ 'zh-CN': { name: '名字' }, en: { name: 'Name', extra: 'Extra' } })
  // @ts-expect-error: other parameters
  texts({ 'zh-CN': zh, en: { name: 'Name', count: (name: string) => name } })
})

it('a name that is written from the right does not turn the sentence around it', () => {
  const { join } = texts({
    'zh-CN': { join: (name: string, n: number) => `${name} 邀请你，${n} 人` },
    en: { join: (name: string, n: number) => `${name} invites you, ${n} people` },
  }).en
  expect(join('小满', 3)).toBe('小满 invites you, 3 people')
  expect(join('שלום', 3)).toBe('\u2068שלום\u2069 invites you, 3 people')
  expect(join('سلام', 3)).toBe('\u2068سلام\u2069 invites you, 3 people')
  // A name from before overrides were refused ends neither its isolation nor the sentence.
  expect(join('a\u202eb\u2069', 3)).toBe('\u2068ab\u2069 invites you, 3 people')
})
