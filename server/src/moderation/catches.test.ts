import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Condition } from '@guildhall/wire/moderation/moderation.ts'
import { expect, test } from 'vitest'
import { readSimplified } from '../screening/screening.ts'
import { addressesIn } from './addresses.ts'
import { catchesOf, isLeftAlone } from './catches.ts'
import type { Standing } from './restriction/standing.ts'
import type { LooksFor, RuleRow } from './sql.ts'

const simplified = await readSimplified()
const guilds: Readonly<Record<string, string>> = { OwnGld: '1', Others1: '2', Others2: '3' }
let standing: Standing | null = null
const known = {
  simplified,
  host: 'guild.example',
  guildId: '1' as GuildId,
  guildOf: async (code: string) => (guilds[code] ?? null) as GuildId | null,
  standingOf: async () => standing,
}
const catches = (kind: RuleRow['kind'], looks_for: LooksFor, text: string, more: object = {}) =>
  catchesOf(
    { kind, looks_for },
    known,
  )({
    channelId: '20' as ChannelId,
    categoryId: null,
    authorId: '5' as UserId,
    texts: [text],
    mentions: 0,
    hasFiles: false,
    roles: [],
    joinedAt: 0,
    at: 100_000,
    ...more,
  })

test.each([
  ['今天不打本', []],
  ['3.5 的版本，e.g. 这个', []],
  ['发到 a@qq.com', []],
  ['main.ts 和 node.js', []],
  ['看 https://Evil.example/x?y', ['evil.example']],
  ['看HTTP://evil.example:8080', ['evil.example']],
  ['www.evil.cn', ['evil.cn']],
  ['上 evil.com 看', ['evil.com']],
  ['上 ｅｖｉｌ．ｃｏｍ 看', ['evil.com']],
  ['上 evil。com 看', ['evil.com']],
  ['上 ev\u200bil.com 看', ['evil.com']],
  ['https://guild.example@evil.io/a', ['evil.io']],
  ['https://例子.中国/a', ['例子.中国']],
])('the addresses of %j', (text, hosts) => {
  expect([...new Set(addressesIn(text).map(({ host }) => host))]).toEqual(hosts)
})

test('addresses of this site and of allowed hosts are no links, and those that only look like them are', async () => {
  const link = (text: string) => catches('link', { words: ['bilibili.com'] }, text)
  expect(await link('https://guild.example/channels/1')).toBe(false)
  expect(await link('https://www.bilibili.com/video/1 https://m.bilibili.com')).toBe(false)
  expect(await link('https://evilbilibili.com')).toBe(true)
  expect(await link('https://bilibili.com.evil.io')).toBe(true)
})

test('an invite is one to another guild or to a community elsewhere', async () => {
  const invite = (text: string) => catches('invite', {}, text)
  expect(await invite('https://guild.example/OwnGld')).toBe(false)
  expect(await invite('https://evil.example/abc')).toBe(false)
  expect(await invite('来 guild.example/invite/Others1')).toBe(true)
  expect(await invite('discord.gg/abc')).toBe(true)
  expect(await invite('https://kook.top/abc')).toBe(true)
})

test('invites to guilds of a list are allowed, or are all that is refused', async () => {
  const own = 'guild.example/OwnGld'
  const [first, second] = ['guild.example/Others1', 'guild.example/Others2']
  const caught = (guilds_are: 'allowed' | 'refused') =>
    Promise.all(
      [own, first, second, 'discord.gg/abc'].map((it) =>
        catches('invite', { guilds: ['2'], guilds_are }, it),
      ),
    )
  expect(await caught('allowed')).toEqual([false, false, true, true])
  expect(await caught('refused')).toEqual([false, true, false, false])
  expect(await catches('invite', { guilds: ['2'] }, `${first} ${second}`)).toBe(true)
})

test('a restriction is of whom all conditions are true of, for its time', async () => {
  const clean = { created_at: 0, is_overseas: false, is_punished: false, lacks_real_name: false }
  const restricted = async (who: Partial<Standing>, looks: LooksFor, more: object = {}) => {
    standing = { ...clean, ...who }
    return catches('restriction', looks, '你好', more)
  }
  const of = (...types: readonly Condition['type'][]) => ({ conditions: types.map((type) => ({ type })) })
  expect(await restricted({}, of('overseas', 'banned', 'real_auth'))).toBe(false)
  expect(await restricted({ is_overseas: true }, of('overseas'))).toBe(true)
  expect(await restricted({ is_punished: true }, of('banned'))).toBe(true)
  expect(await restricted({ lacks_real_name: true }, of('real_auth'))).toBe(true)
  expect(await restricted({ is_overseas: true }, of('overseas', 'real_auth'))).toBe(false)
  expect(await restricted({ is_overseas: true, lacks_real_name: true }, of('overseas', 'real_auth'))).toBe(
    true,
  )
  const young = { conditions: [{ type: 'reg' as const, duration: 2 }] }
  expect(await restricted({}, young)).toBe(true)
  expect(await restricted({}, young, { at: 120_000 })).toBe(false)
  const timed = { ...of('overseas'), limit_time: 2 }
  expect(await restricted({ is_overseas: true }, timed)).toBe(true)
  expect(await restricted({ is_overseas: true }, timed, { at: 120_000 })).toBe(false)
  standing = null
  expect(await catches('restriction', of('overseas'), '你好')).toBe(false)
})

test('a rule leaves roles, channels and the channels of categories alone', () => {
  const said = { roles: [3], channelId: '20' as ChannelId, categoryId: '10' as ChannelId }
  const alone = (exempt_roles: number[], ...exempt_channels: string[]) =>
    isLeftAlone({ exempt_roles, exempt_channels: exempt_channels as ChannelId[] }, said)
  expect([alone([]), alone([4], '21', '11')]).toEqual([false, false])
  expect([alone([3]), alone([], '20'), alone([], '10')]).toEqual([true, true, true])
})

test('words are found as the word rules find them, and patterns within a line', async () => {
  const word = (text: string) => catches('word', { words: ['代练'], patterns: ['加*微?号', 'v?x'] }, text)
  expect(await word('今天打本')).toBe(false)
  expect(await word('加油\n我的微信号')).toBe(false)
  expect(await word('找代 練')).toBe(true)
  expect(await word('加我的微信号')).toBe(true)
  expect(await word('加 微微微号')).toBe(true)
  expect(await word('ＶｏＸ')).toBe(true)
})

test('mentions above the count, and a newcomer with a link, a file or a mention', async () => {
  expect(await catches('mention', { count: 2 }, '', { mentions: 2 })).toBe(false)
  expect(await catches('mention', { count: 2 }, '', { mentions: 3 })).toBe(true)
  const newcomer = (text: string, more: object) => catches('newcomer', { seconds: 60 }, text, more)
  expect(await newcomer('你好', { joinedAt: 99_000 })).toBe(false)
  expect(await newcomer('evil.com', { joinedAt: 40_000 })).toBe(false)
  expect(await newcomer('evil.com', { joinedAt: 40_001 })).toBe(true)
  expect(await newcomer('', { joinedAt: 99_000, hasFiles: true })).toBe(true)
  expect(await newcomer('', { joinedAt: 99_000, mentions: 1 })).toBe(true)
})

test('a hostile text and a hostile pattern end, whatever they are', async () => {
  const text = 'a'.repeat(30_000)
  expect(await catches('word', { patterns: ['a*a*a*a*a*a*a*a*a*a*b', '?????????????b'] }, text)).toBe(false)
  expect(addressesIn(`${text}${'-.'.repeat(15_000)}`)).toEqual([])
})
