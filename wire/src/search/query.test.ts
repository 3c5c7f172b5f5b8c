import { expect, test } from 'vitest'
import { dateRangeOf } from './date.ts'
import { readQuery } from './query.ts'

const NOW = Date.parse('2026-03-04T12:00:00+08:00')
const NEVER = Number.MAX_SAFE_INTEGER
const read = (typed: string) => readQuery(typed, NOW)
const words = (...all: string[]) => all.map((text) => ({ text, isPhrase: false }))
const phrase = (text: string) => ({ text, isPhrase: true })
const nothing = { words: [], from: [], in: [], mentions: [], has: [], is: [], since: 0, until: NEVER }

test.each([
  'has:nothing',
  'is:lost',
  'before:soon',
  'on:2024-02-30',
  'after:13月',
  'form:小满',
  '来源:小满',
  'from:',
  'from:""',
  'from:" "',
  'from:“”',
  ':x',
  'https://example.org/a?b=c',
  '12:30',
])('%j is words, as it is spelled wrongly or no operator', (typed) => {
  const { words: found, ...others } = read(typed)
  const { words: _, ...wanted } = nothing
  expect(others).toEqual(wanted)
  expect(found.every(({ text }) => text !== '')).toBe(true)
  expect(found.map(({ text }) => text).join('')).toBe(typed)
})

test.each([
  ['', []],
  ['   ', []],
  ['""', []],
  ['“ ”', []],
  ['你好  世界', words('你好', '世界')],
  ['"你好 世界"', [phrase('你好 世界')]],
  ['“你好 世界” 再见', [phrase('你好 世界'), ...words('再见')]],
  ['" spaces "', [phrase('spaces')]],
  ['"left open', words('"left', 'open')],
])('%j has the words %j', (typed, wanted) => {
  expect(read(typed)).toEqual({ ...nothing, words: wanted })
})

test.each([
  ['from:小满', { from: ['小满'] }],
  ['FROM:小满#1234', { from: ['小满#1234'] }],
  ['来自：小满', { from: ['小满'] }],
  ['来自:"小 满" from:“大 满”', { from: ['小 满', '大 满'] }],
  ['频道:#闲聊 in:闲聊', { in: ['#闲聊', '闲聊'] }],
  ['提及：100000001', { mentions: ['100000001'] }],
  ['has:picture 包含:图片 has:IMAGE', { has: ['image', 'image', 'image'] }],
  ['包含：链接 has:pin', { has: ['link', 'pin'] }],
  ['is:edited 状态:置顶', { is: ['edited', 'pinned'] }],
])('%j narrows to %j', (typed, wanted) => {
  expect(read(typed)).toEqual({ ...nothing, ...wanted })
})

test('words stand beside operators, before and after them', () => {
  expect(read('红包 from:小满 "加 微信" has:file 领')).toEqual({
    ...nothing,
    words: [...words('红包'), phrase('加 微信'), ...words('领')],
    from: ['小满'],
    has: ['file'],
  })
})

test('before and after leave out what is named; on is all of it; together they narrow', () => {
  const week = dateRangeOf('上周', NOW)!
  expect(read('before:上周')).toEqual({ ...nothing, until: week.from })
  expect(read('之后：上周')).toEqual({ ...nothing, since: week.to })
  expect(read('on:"last week"')).toEqual({ ...nothing, since: week.from, until: week.to })
  const { from: start } = dateRangeOf('2月', NOW)!
  expect(read('当天:2月 before:上周 before:today')).toEqual({ ...nothing, since: start, until: week.from })
})
