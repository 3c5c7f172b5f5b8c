import { createPrivate, deletePrivate } from '@guildhall/wire/chat/chat.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { addReaction, deleteMessage, pinMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, HIDDEN_FROM_EVERYONE, setRule } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const newChannel = (name: string): Promise<ChannelId> =>
  commit(world.app.appContext, (tx, emit) =>
    createChannel(tx, emit, { guildId: world.guildId, name, type: 1 }),
  )
const say = (who: PersonName, channelId: string, content: string) => world.as(who).say(channelId, content)
const search = (who: PersonName, q: string, more: object = {}) =>
  world.as(who).call(searchMessages, { q, ...more })
const idsOf = async (who: PersonName, q: string, more: object = {}) =>
  (await search(who, q, more)).items.map(({ message }) => message.id)

describe('a search is refused', () => {
  it('without words, with too many, to guests, and in what one may not view', async () => {
    const member = world.as('member')
    expect(await member.refusal(searchMessages, { q: '  ' })).toBe('bad_input')
    expect(await member.refusal(searchMessages, { q: 'x'.repeat(501) })).toBe('bad_input')
    expect(await world.as(null).refusal(searchMessages, { q: 'x' })).toBe('not_logged_in')
    const q = '你好'
    expect(await member.refusal(searchMessages, { q, channel_id: world.backstage.id })).toBe('forbidden')
    expect(await world.as('outsider').refusal(searchMessages, { q, guild_id: world.guildId })).toBe(
      'forbidden',
    )
    expect(await member.refusal(searchMessages, { q, chat_code: '0'.repeat(32) })).toBe('chat.unknown')
    const before = '00000000-0000-7000-8000-000000000000'
    expect(await member.refusal(searchMessages, { q, before })).toBe('message.unknown')
  })
})

describe('words', () => {
  it('are found anywhere in Chinese, traditional or not, and at the beginning of other words', async () => {
    const id = await newChannel('词')
    const first = await say('owner', id, '我們明天去圖書館學習，iPhone15 带上 ＣＡＦÉ')
    const found = (q: string) => idsOf('member', q, { channel_id: id })
    for (const q of [
      '图书馆',
      '圖書',
      '学习',
      '馆学',
      'iphone',
      'IPHONE15',
      'cafe',
      '明天 学习',
      '習',
      '"iphone15 带上"',
    ])
      expect([q, await found(q)]).toEqual([q, [first.id]])
    for (const q of ['图馆', 'phone', '学习 后天', '"iphone 带上"', '习iphone', '带上cafe', '！'])
      expect([q, await found(q)]).toEqual([q, []])
  })

  it('are marked where they stand', async () => {
    const id = await newChannel('标')
    await say('owner', id, '哈哈，**哈哈**哈 ok')
    const [hit] = (await search('member', '哈哈 ok', { channel_id: id })).items
    const words = hit!.message.mention_info.raw_content
    expect(hit!.marks.map(({ from, to }) => words.slice(from, to))).toEqual(['哈哈', '哈哈', 'ok'])
  })

  it('follow edits and deletions', async () => {
    const id = await newChannel('改')
    const message = await say('owner', id, '甲方')
    await world.as('owner').call(updateMessage, { msg_id: message.id, content: '乙方' })
    expect(await idsOf('member', '甲方', { channel_id: id })).toEqual([])
    expect(await idsOf('member', '乙方', { channel_id: id })).toEqual([message.id])
    await world.as('owner').call(deleteMessage, { msg_id: message.id })
    expect(await idsOf('member', '乙方', { channel_id: id })).toEqual([])
  })
})

describe('what one may not view', () => {
  it('is not found, and is found from the moment at which one may', async () => {
    const id = await newChannel('密')
    const message = await say('owner', id, '秘密暗号芝麻')
    const find = (who: PersonName) => idsOf(who, '芝麻', { guild_id: world.guildId })
    expect(await find('member')).toEqual([message.id])
    const hide = (allow: boolean) =>
      commit(world.app.appContext, (tx, emit) =>
        setRule(tx, emit, id, { ...HIDDEN_FROM_EVERYONE, deny: allow ? 0 : HIDDEN_FROM_EVERYONE.deny }),
      )
    await hide(false)
    expect(await find('member')).toEqual([])
    expect(await idsOf('member', '芝麻')).toEqual([])
    expect(await find('owner')).toEqual([message.id])
    await hide(true)
    expect(await find('member')).toEqual([message.id])
    expect(await idsOf('outsider', '芝麻')).toEqual([])
  })

  it('is what others say in private', async () => {
    const sent = await world
      .as('owner')
      .call(createPrivate, { target_id: world.idOf('member'), content: '悄悄话暗号' })
    const [hit] = (await search('member', '暗号')).items
    expect(hit).toMatchObject({
      channel: null,
      guild: null,
      chat: { target_info: { id: world.idOf('owner') } },
      message: { id: sent.msg_id },
    })
    expect(await idsOf('admin', '悄悄话')).toEqual([])
    const inGuild = await say('owner', await newChannel('明处'), '明处的暗号')
    expect(await idsOf('member', '暗号')).toContain(inGuild.id)
    expect(await idsOf('member', '暗号 in:私信')).toEqual([sent.msg_id])
    expect(await idsOf('member', '暗号 in:chats in:明处')).toEqual([inGuild.id, sent.msg_id])
    expect(await idsOf('member', '暗号 in:私信', { guild_id: world.guildId })).toEqual([])
    await world.as('owner').call(deletePrivate, { msg_id: sent.msg_id })
    expect(await idsOf('member', '悄悄话')).toEqual([])
  })
})

describe('operators', () => {
  it('narrow down by author, channel, mention, kind, link, reaction, pin and edit', async () => {
    const id = await newChannel('运算')
    const plain = await say('owner', id, '运算 一')
    const linked = await say('member', id, '运算 二 https://example.org/a')
    const mention = await say('owner', id, `运算 三 (met)${world.idOf('member')}(met)`)
    await world.as('owner').call(addReaction, { msg_id: plain.id, emoji: '[#128226;]' })
    await world.as('owner').call(pinMessage, { target_id: id, msg_id: linked.id })
    await world
      .as('owner')
      .call(updateMessage, { msg_id: mention.id, content: `运算 四 (met)${world.idOf('member')}(met)` })
    const find = (q: string) => idsOf('member', `运算 ${q}`, { guild_id: world.guildId })
    const { username } = world.people.member
    expect(await find(`from:${username}`)).toEqual([linked.id])
    expect(await find(`来自：${world.idOf('owner')}`)).toEqual([mention.id, plain.id])
    expect(await find('in:#运算 has:link')).toEqual([linked.id])
    expect(await find(`mentions:${username}`)).toEqual([mention.id])
    expect(await find('包含:回应')).toEqual([plain.id])
    expect(await find('has:pin')).toEqual([linked.id])
    expect(await find('is:edited')).toEqual([mention.id])
    expect(await find('on:today')).toHaveLength(3)
    expect(await find('before:today')).toEqual([])
    expect(await find('from:nobody-of-this-name')).toEqual([])
  })
})

describe('many hits', () => {
  it('come in pages, and go on before a message', async () => {
    const id = await newChannel('多')
    const sent: string[] = []
    for (let each = 0; each < 7; each += 1) sent.unshift((await say('owner', id, `第${each}条多多`)).id)
    const first = await search('member', '多多', { channel_id: id, page_size: 3 })
    expect(first.items.map(({ message }) => message.id)).toEqual(sent.slice(0, 3))
    expect(first.meta).toEqual({ page: 1, page_total: 3, page_size: 3, total: 7, more: false })
    expect(await idsOf('member', '多多', { channel_id: id, page_size: 3, page: 3 })).toEqual(sent.slice(6))
    expect(await idsOf('member', '多多', { channel_id: id, before: sent[4]! })).toEqual(sent.slice(5))
  })

  it('are sorted by fit when that is wanted', async () => {
    const id = await newChannel('合')
    const short = await say('owner', id, '合适')
    const long = await say('owner', id, `合适${'，别的话'.repeat(30)}`)
    expect(await idsOf('member', '合适', { channel_id: id })).toEqual([long.id, short.id])
    expect(await idsOf('member', '合适', { channel_id: id, sort: 'fit' })).toEqual([short.id, long.id])
  })
})

describe('files', () => {
  it('are found by name and kind, and all without a name', async () => {
    const id = await newChannel('文件')
    const { url } = await world.as('owner').upload('年终总结', '年终总结.txt')
    const sent = await world.as('owner').say(id, url, { type: 3 })
    await say('owner', id, '年终总结在上面')
    const files = async (more: object) =>
      (await world.as('member').call(searchFiles, { channel_id: id, ...more })).items.map(
        ({ message }) => message.id,
      )
    expect(await files({})).toEqual([sent.id])
    expect(await files({ q: '总结' })).toEqual([sent.id])
    expect(await files({ q: '计划' })).toEqual([])
    expect(await files({ kind: 'image' })).toEqual([])
    expect(await idsOf('member', '年终总结 has:file', { channel_id: id })).toEqual([sent.id])
  })
})

describe('emoji and pinyin', () => {
  it('are found by their names, and where nothing else is found', async () => {
    const id = await newChannel('表情')
    const smile = await say('owner', id, '好 😄')
    expect(await idsOf('member', ':smile:', { channel_id: id })).toEqual([smile.id])
    expect(await idsOf('member', '😄', { channel_id: id })).toEqual([smile.id])
    const words = await say('owner', id, '周末一起吃火锅')
    for (const q of ['huoguo', 'hg', 'chihuog', 'zhoumo yiqi'])
      expect([q, await idsOf('member', q, { channel_id: id })]).toEqual([q, [words.id]])
    const typed = await say('owner', id, 'huoguo')
    expect(await idsOf('member', 'huoguo', { channel_id: id })).toEqual([typed.id])
  })
})

it('finds what was sent before the clock went back', async () => {
  const id = await newChannel('钟')
  const sent = await say('owner', id, '来自未来的话')
  await sql`update guild_counter set last_at = ${Date.now() + 90 * 86_400_000} where guild_id = ${world.guildId}`.execute(
    world.database.db,
  )
  const later = await say('owner', id, '更远未来的话')
  expect(later.create_at).toBeGreaterThan(sent.create_at + 80 * 86_400_000)
  expect(await idsOf('member', '未来', { channel_id: id })).toEqual([later.id, sent.id])
})
