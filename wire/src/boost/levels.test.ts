import { expect, it } from 'vitest'
import { GUILD_EMOJI_MAX } from '../emoji/emoji.ts'
import { LEVEL_MAX, RIGHT_KEYS, rightAt } from '../guild/levelRights.ts'
import { allGuildRights, allGuildRightsView, LEVEL_BOOSTS } from './levels.ts'

it('each level needs more boosts than the one before it, and takes no right away', () => {
  for (let level = 1; level < LEVEL_BOOSTS.length; level++) {
    expect(LEVEL_BOOSTS[level]).toBeGreaterThan(LEVEL_BOOSTS[level - 1]!)
    for (const key of RIGHT_KEYS)
      expect(Number(rightAt(key, level)), key).toBeGreaterThanOrEqual(Number(rightAt(key, level - 1)))
  }
})

it('a list of emoji holds those of the highest level', () => {
  expect(rightAt('emoji', LEVEL_MAX)).toBe(GUILD_EMOJI_MAX)
})

it('there are six levels above the first', () => {
  expect(allGuildRights()).toHaveLength(LEVEL_MAX)
  expect(allGuildRights()[0]).toEqual({ level: 1, boost_num: LEVEL_BOOSTS[1] })
})

it.each(RIGHT_KEYS)('%s is worth more at the last level than at the first', (key) => {
  expect(Number(rightAt(key, 6))).toBeGreaterThan(Number(rightAt(key, 0)))
  expect(rightAt(key, 99)).toBe(rightAt(key, 6))
  expect(rightAt(key, -1)).toBe(rightAt(key, 0))
})

it('a level is shown with the rights it has, named in the language asked for', () => {
  const [first] = allGuildRightsView('zh-CN')
  expect(first?.rights.find(({ key }) => key === 'max_upload_size')).toEqual({
    key: 'max_upload_size',
    value: 40,
    name: '上传文件大小',
  })
  expect(first?.rights.some(({ key }) => key === 'custom_id')).toBe(false)
  expect(
    allGuildRightsView('en')
      .at(-1)
      ?.rights.find(({ key }) => key === 'custom_id'),
  ).toEqual({
    key: 'custom_id',
    value: true,
    name: 'Custom guild ID',
  })
})
