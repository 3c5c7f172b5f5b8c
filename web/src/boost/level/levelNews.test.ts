import { allGuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { describe, expect, test } from 'vitest'
import { newsOf } from './levelNews.ts'

const levels = allGuildRightsView('en')
const news = (level: number) => newsOf(levels[level - 1]!)
const keys = (rights: readonly { readonly key: string }[]) => rights.map(({ key }) => key)

describe('what is new with a level', () => {
  test('is what the level before lacks', () => {
    expect(keys(news(1).added)).toEqual(['emoji_gif'])
    expect(keys(news(2).added)).toEqual(['guild_logo_gif', 'guild_banner'])
    expect(news(6).added).toEqual([])
  })
  test('and, apart from that, what it has less of, with its value', () => {
    expect(news(1).raised.find(({ right }) => right.key === 'max_members')).toMatchObject({
      before: 10_000,
      right: { value: 20_000 },
    })
    expect(news(2).raised.map(({ right }) => right.key)).not.toContain('max_voice_quality')
  })
  test('a custom id that may be shorter counts as more', () =>
    expect(news(6).raised.map(({ right }) => right.key)).toContain('custom_id'))
  test('every right of a level is in one of the three lists', () => {
    for (const level of levels) {
      const { added, raised, same } = newsOf(level)
      const all = keys([...added, ...raised.map(({ right }) => right), ...same])
      expect(all.toSorted()).toEqual(keys(level.rights).toSorted())
    }
  })
  test('a right of a newer server is shown and not called new', () => {
    const right = { key: 'lounge', value: true, name: 'a lounge' }
    expect(newsOf({ level: { value: 3 }, boost_num: { value: 20 }, rights: [right] })).toEqual({
      added: [],
      raised: [],
      same: [right],
    })
  })
})
