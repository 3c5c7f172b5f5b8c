import { type Callable, callable } from '@guildhall/wire/message/mention.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { expect, test } from 'vitest'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { callableLike } from '../../testing/messages.ts'
import { channelOptions, peopleOptions, stillMatching } from './mentionOptions.ts'

const role = (role_id: number, name: string, mentionable: number) => ({
  role_id,
  name,
  color: 0,
  position: role_id,
  hoist: 0,
  mentionable,
  permissions: 0,
})
const guild = {
  ...guildOf('10', '星海公会', [
    channelOf('20', '闲聊'),
    channelOf('21', '看不见', { permissions: 0 }),
    channelOf('30', '聊天', {
      type: 0,
      is_category: true,
      channels: [channelOf('31', '夜宵'), channelOf('32', '夜聊室', { type: 2 })],
    }),
  ]),
  roles: [role(5, '管理员', 0), role(6, '主播', 1), role(0, '@全体成员', 0)],
  spellings: [
    { name: '闲聊', spelling: 'xian liao' },
    { name: '看不见', spelling: 'kan bu jian' },
    { name: '夜宵', spelling: 'ye xiao' },
    { name: '夜聊室', spelling: 'ye liao shi' },
    { name: '管理员', spelling: 'guan li yuan' },
    { name: '主播', spelling: 'zhu bo' },
  ],
}
const people: Callable[] = [callableLike('7', '小满', 'xiao man'), callableLike('8', 'Max', '')]
const labels = (all: readonly { label: string }[]) => all.map(({ label }) => label)
const EVERYONE = permission.mention_everyone

test('without the permission to mention everyone, neither everyone nor unmentionable roles are offered', () => {
  expect(labels(peopleOptions('', people, guild, 0, 'zh-CN'))).toEqual(['@小满', '@Max', '@主播'])
  expect(labels(peopleOptions('quan', [], guild, 0, 'zh-CN'))).toEqual([])
})

test('nothing is offered before the members are loaded', () => {
  expect(peopleOptions('', null, guild, EVERYONE, 'zh-CN')).toEqual([])
})

test('everyone is listed after the members, and is found in both languages and by pinyin', () => {
  const all = peopleOptions('', people, guild, EVERYONE, 'zh-CN')
  expect(labels(all)).toEqual(['@小满', '@Max', '@全体成员', '@在线成员', '@管理员', '@主播'])
  expect(all.map(({ token }) => token)).toEqual([
    '(met)7(met)',
    '(met)8(met)',
    '(met)all(met)',
    '(met)here(met)',
    '(rol)5(rol)',
    '(rol)6(rol)',
  ])
  for (const search of ['全体', 'qtcy', 'everyone', 'all'])
    expect(labels(peopleOptions(search, [], guild, EVERYONE, 'zh-CN')), search).toEqual(['@全体成员'])
  expect(labels(peopleOptions('zx', [], guild, EVERYONE, 'en'))).toEqual(['@online members'])
})

test('roles are found by characters and by pinyin', () => {
  expect(labels(peopleOptions('gly', [], guild, EVERYONE, 'zh-CN'))).toEqual(['@管理员'])
  expect(labels(peopleOptions('播', [], guild, 0, 'zh-CN'))).toEqual(['@主播'])
})

test('only visible channels are found, by characters and pinyin, prefix matches first', () => {
  expect(labels(channelOptions('', guild))).toEqual(['#闲聊', '#夜宵', '#夜聊室'])
  expect(labels(channelOptions('看', guild))).toEqual([])
  expect(labels(channelOptions('聊天', guild))).toEqual([])
  expect(labels(channelOptions('l', guild))).toEqual(['#闲聊', '#夜聊室'])
  expect(labels(channelOptions('yx', guild))).toEqual(['#夜宵'])
  expect(channelOptions('yx', guild)[0]?.token).toBe('(chn)31(chn)')
})

test('a name is always one line in the text', () => {
  const odd = { ...callableLike('9', 'a\n b', ''), nickname: 'a\n b' }
  expect(labels(peopleOptions('', [odd], guild, 0, 'zh-CN'))[0]).toBe('@a b')
})

test('members of an older answer remain while they match the longer search', () => {
  expect(stillMatching(people, 'xm').map(({ id }) => id)).toEqual(['7'])
  expect(stillMatching(people, 'ax').map(({ id }) => id)).toEqual(['8'])
  expect(stillMatching(people, '小满#00').map(({ id }) => id)).toEqual(['7'])
  expect(stillMatching(people, '').length).toBe(2)
  expect(callable.safeParse(people[0]).success).toBe(true)
})
