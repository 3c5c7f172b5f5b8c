import type { GuildId } from '@guildhall/wire/id.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { expect, it } from 'vitest'
import { matching } from './discovery.ts'

const guild = (name: string, desc = '') => ({ id: name as GuildId, name, desc, category: '' })
const found = (search: string, ...guilds: ReturnType<typeof guild>[]) =>
  matching(guilds, folded(search)).map(({ name }) => name)

it('a search that fits neither name nor description finds nothing, also where it has signs of patterns', () => {
  for (const search of ['羽毛球', '%', '_', '.*', 'yumaoqiu'])
    expect(found(search, guild('深夜电台', '点一首歌'))).toEqual([])
})

it('an empty search finds all, in their order', () => {
  expect(found(' ', guild('乙'), guild('甲'))).toEqual(['乙', '甲'])
})

it('the whole name comes before its beginning, that before a part of it, and that before the description', () => {
  const guilds = [guild('闲聊', '一个电台'), guild('深夜电台'), guild('电台二号'), guild('电台')]
  expect(found('电台', ...guilds)).toEqual(['电台', '电台二号', '深夜电台', '闲聊'])
  expect(found('dt', ...guilds)).toEqual(['电台二号', '电台', '深夜电台'])
})

it('equal ones stay in their order', () => {
  expect(found('电', guild('电二'), guild('电一'), guild('电三'))).toEqual(['电二', '电一', '电三'])
})
