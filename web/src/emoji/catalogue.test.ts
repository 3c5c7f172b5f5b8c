import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { locales } from '@guildhall/wire/locale.ts'
import { readEmoji } from '@guildhall/wire/message/emoji.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type CatalogueEmoji, GROUPS, loadCatalogue } from './catalogue.ts'
import { searchEmoji } from './search.ts'
import { TONES, toned } from './tone.ts'

vi.mock('./drawable.ts', () => ({ newestDrawable: () => Number.POSITIVE_INFINITY }))

let all: readonly CatalogueEmoji[]
beforeAll(async () => {
  all = await loadCatalogue()
})
/** The check that the server applies to a reaction. */
const isAccepted = (characters: string) => /^\p{RGI_Emoji}$/v.test(characters)
const names = (typed: string) =>
  searchEmoji(all, [{ id: '1/a', name: '笑死我了', emoji_type: 1 }], typed).map((it) => it.name)

describe('the catalogue', () => {
  it('contains only emoji that the server accepts as reactions, each under one id', () => {
    const every = all.flatMap((it) => [
      it.name,
      ...(it.hasTones ? TONES.map((tone) => toned(it.name, tone)) : []),
    ])
    expect(every.length).toBeGreaterThan(3_000)
    expect(every.filter((it) => readEmoji(it, isAccepted)?.name !== it)).toEqual([])
    expect(new Set(every).size).toBe(every.length)
  })

  it('has a Chinese and an English name and a group for each emoji', () => {
    expect(
      all.filter(
        (it) => Object.values(it.labels).includes('') || locales.some((locale) => !it.labels[locale]),
      ),
    ).toEqual([])
    expect([...new Set(all.map((it) => it.group))]).toEqual([...GROUPS])
  })

  it('contains only emoji that are shown large when sent alone', () => {
    expect(all.filter((it) => emojiAlone(parse(it.name)) !== 1).map((it) => it.name)).toEqual([])
  })
})

describe('a search', () => {
  it.each(['', '  ', ':', 'qqqq', '找不到的', '[', '\\'])('finds nothing for %j', (typed) => {
    expect(names(typed)).toEqual([])
  })

  it.each([
    ['笑哭了', '😂'],
    ['赞', '👍'],
    ['拇指', '👍'],
    ['joy', '😂'],
    [':tada:', '🎉'],
    ['Thumbs Up', '👍'],
    ['红心', '❤️'],
    ['火锅', '🫕'],
    ['中国', '🇨🇳'],
    ['🎉', '🎉'],
  ])('for %j finds %s among the first results', (typed, wanted) => {
    expect(names(typed).slice(0, 8)).toContain(wanted)
  })

  it('ranks custom emoji first among equals, and exact names before similar ones', () => {
    expect(names('笑死我了')[0]).toBe('笑死我了')
    expect(names('火')[0]).toBe('🔥')
  })

  it('matches only prefixes for a single Latin letter', () => {
    for (const it of searchEmoji(all, [], 'z')) {
      const text = [it.name, ...(all.find((each) => each.id === it.id)?.keywords.split(' ') ?? [])]
      const labels = Object.values(all.find((each) => each.id === it.id)?.labels ?? {})
      expect([...text, ...labels].some((word) => word.startsWith('z'))).toBe(true)
    }
  })
})
