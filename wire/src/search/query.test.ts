import { describe, expect, it } from 'vitest'
import { readQuery } from './query.ts'

/** Saturday, 2026-11-28, 13:00 in Beijing. */
const NOW = Date.parse('2026-11-28T05:00:00Z')
const read = (typed: string) => readQuery(typed, NOW)
const words = (typed: string) =>
  read(typed).words.map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text))

describe('what is no operator is words', () => {
  it.each([
    ['', []],
    ['  \n ', []],
    ['""', []],
    ['from:', ['from:']],
    ['has:nothing', ['has:nothing']],
    ['is:', ['is:']],
    ['before:someday', ['before:someday']],
    ['on:2026-02-30', ['on:2026-02-30']],
    ['from:""', ['from:""']],
    ['https://example.org', ['https://example.org']],
    ['3:2', ['3:2']],
    ['周五:开会', ['周五:开会']],
    ['明天 "吃 火锅" “一起 去”', ['明天', '"吃 火锅"', '"一起 去"']],
    ['a"b c', ['a"b', 'c']],
  ])('%s', (typed, expected) => {
    expect(words(typed)).toEqual(expected)
  })
})

describe('operators', () => {
  it('have labels in both languages, wide colons, and names in quotes', () => {
    expect(
      read('from:南枝 来自：123 FROM:"Mei Li" in:#闲聊 频道:"long name" mentions:小满#1001 提及:我'),
    ).toMatchObject({
      words: [],
      from: ['南枝', '123', 'Mei Li'],
      in: ['#闲聊', 'long name'],
      mentions: ['小满#1001', '我'],
    })
  })

  it('know what a message has and is', () => {
    expect(read('has:picture 包含:视频 has:LINK 包含：置顶 is:pinned 状态:已编辑 火锅')).toMatchObject({
      words: [{ text: '火锅', isPhrase: false }],
      has: ['image', 'video', 'link', 'pin'],
      is: ['pinned', 'edited'],
    })
  })

  it('narrow a time down: before and after leave out what is named', () => {
    const day = Date.parse('2026-11-27T00:00:00+08:00')
    const next = Date.parse('2026-11-28T00:00:00+08:00')
    expect(read('on:昨天')).toMatchObject({ since: day, until: next })
    expect(read('当天：2026-11-27')).toMatchObject({ since: day, until: next })
    expect(read('after:昨天')).toMatchObject({ since: next, until: Number.MAX_SAFE_INTEGER })
    expect(read('之前:昨天')).toMatchObject({ since: 0, until: day })
    expect(read('after:2026-11-26 before:2026-11-28')).toMatchObject({ since: day, until: next })
  })
})
