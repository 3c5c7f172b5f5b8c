import { describe, expect, it } from 'vitest'
import { dateRangeOf } from './date.ts'
import { readQuery } from './query.ts'

const NOW = Date.parse('2026-03-04T12:00:00+08:00')
const NEVER = Number.MAX_SAFE_INTEGER
const read = (typed: string) => readQuery(typed, NOW)
const words = (...all: string[]) => all.map((text) => ({ text, isPhrase: false }))
const phrase = (text: string) => ({ text, isPhrase: true })
const nothing = { words: [], from: [], in: [], mentions: [], has: [], is: [], since: 0, until: NEVER }

describe('what is no operator is words', () => {
  it.each([
    'has:nothing',
    'is:',
    'is:lost',
    'before:someday',
    'on:2024-02-30',
    'after:13月',
    'form:小满',
    '来源:小满',
    '周五:开会',
    'from:',
    'from:""',
    'from:“”',
    ':x',
    '3:2',
    'https://example.org/a?b=c',
  ])('%s', (typed) => {
    expect(read(typed)).toEqual({ ...nothing, words: words(typed) })
  })

  it.each([
    ['', []],
    ['  \n ', []],
    ['""', []],
    ['“ ”', []],
    ['明天 "吃 火锅" “一起 去” 吧', [...words('明天'), phrase('吃 火锅'), phrase('一起 去'), ...words('吧')]],
    ['" spaces "', [phrase('spaces')]],
    ['"left open', words('"left', 'open')],
    ['a"b c', words('a"b', 'c')],
  ])('%j', (typed, expected) => {
    expect(read(typed)).toEqual({ ...nothing, words: expected })
  })
})

describe('an operator', () => {
  it.each([
    ['FROM:小满#1234 来自：123', { from: ['小满#1234', '123'] }],
    ['来自:"小 满" from:“大 满”', { from: ['小 满', '大 满'] }],
    ['in:#闲聊 频道:"long name"', { in: ['#闲聊', 'long name'] }],
    ['mentions:小满#1001 提及：我', { mentions: ['小满#1001', '我'] }],
    ['has:picture 包含:视频 has:LINK 包含：置顶', { has: ['image', 'video', 'link', 'pin'] }],
    ['is:edited 状态:置顶', { is: ['edited', 'pinned'] }],
  ])('has labels in both languages, wide colons, and names in quotes: %s', (typed, wanted) => {
    expect(read(typed)).toEqual({ ...nothing, ...wanted })
  })

  it('stands among words', () => {
    expect(read('红包 from:小满 "加 微信" has:file 领')).toEqual({
      ...nothing,
      words: [...words('红包'), phrase('加 微信'), ...words('领')],
      from: ['小满'],
      has: ['file'],
    })
  })

  it('leaves out what is named before or after, and is all of it on it; together they narrow', () => {
    const week = dateRangeOf('上周', NOW)!
    expect(read('before:上周')).toEqual({ ...nothing, until: week.from })
    expect(read('之后：上周')).toEqual({ ...nothing, since: week.to })
    expect(read('on:"last week"')).toEqual({ ...nothing, since: week.from, until: week.to })
    const { from: start } = dateRangeOf('2月', NOW)!
    expect(read('当天:2月 之前:上周 before:today')).toEqual({ ...nothing, since: start, until: week.from })
  })
})
