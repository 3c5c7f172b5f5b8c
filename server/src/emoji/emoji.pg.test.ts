import { createPrivate, updatePrivate } from '@guildhall/wire/chat/chat.ts'
import { type GuildEmoji, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import {
  createGuildEmoji,
  deleteGuildEmoji,
  EMOJI_MAX_BYTES,
  EMOJI_SIDE_MAX,
  updateGuildEmoji,
} from '@guildhall/wire/emoji/manage.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { addReaction, deleteReaction, updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage, history } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { fileNamed, refusalOf, refusedCall } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let otherGuild: string
beforeAll(async () => {
  server = await openTestServer()
  otherGuild = server.world.guilds[1]!.id
})
afterAll(() => server?.close())
beforeEach(async () => {
  await sql`delete from guild_emoji`.execute(server.database.db)
  await setLevel(server.world.guilds[0]!.level)
  await setBuff('member', 0)
})

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 60, g: 200, b: 120, alpha: 0.5 } } })
const png = (width = 64, height = 64) => canvas(width, height).png().toBuffer()
const gif = async (frames: number, side = 40) => {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, i) => pngOf(side, side, { r: 255 * (i % 2), g: 90, b: 80 * i })),
  )
  const [first] = pages
  if (first && frames === 1) return sharp(first).gif().toBuffer()
  return sharp(pages, { join: { animated: true } })
    .gif()
    .toBuffer()
}

const make = (
  who: PersonName | null,
  content: Buffer | string | null,
  it: { guild?: string; name?: string; field?: 'emoji' | 'file' } = {},
): Promise<GuildEmoji> =>
  server
    .as(who)
    .call(
      { ...createGuildEmoji, form: it.field ?? 'emoji' },
      { guild_id: it.guild ?? server.guildId, name: it.name },
      content === null ? undefined : fileNamed(content, 'pic.png'),
    )
const made = async (name: string, it: { guild?: string; content?: Buffer } = {}): Promise<GuildEmoji> =>
  make('owner', it.content ?? (await png()), { name, ...(it.guild && { guild: it.guild }) })
const list = (who: PersonName, guild_id: string = server.guildId, page = {}) =>
  server.as(who).call(listGuildEmoji, { guild_id, ...page })
const setLevel = (level: number) =>
  sql`update guild set level = ${level} where id = ${server.guildId}::bigint`.execute(server.database.db)
const setBuff = (who: PersonName, until: number) =>
  sql`update "user" set vip_until = ${until}::bigint where id = ${server.person(who).id}::bigint`.execute(
    server.database.db,
  )
const IN_A_YEAR = Date.now() + 365 * 86_400_000
const token = (id: string) => `(emj)随便(emj)[${id}]`

const say = (who: PersonName, content: string) => server.as(who).say(server.channel('闲聊'), content)
const eventsOf = async () =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from event_log where kind like '%_emoji' order by seq`.execute(server.database.db)
  ).rows

describe('making an emoji is refused', () => {
  it('to guests, to outsiders, and without the right', async () => {
    const content = await png()
    expect(await refusalOf(make(null, content))).toBe('not_logged_in')
    expect(await refusalOf(make('outsider', content))).toBe('forbidden')
    expect(await refusalOf(make('member', content))).toBe('emoji.no_right')
    expect(await refusalOf(make('admin', content, { guild: otherGuild }))).toBe('forbidden')
    expect((await list('owner')).items).toEqual([])
  })

  it('from a file that is too large, broken, no PNG or GIF, or missing', async () => {
    const large = await refusedCall(make('owner', Buffer.alloc(EMOJI_MAX_BYTES + 1, 7)))
    expect([large.body.code, large.failure]).toEqual([40014, 'emoji.too_large'])
    expect(await refusalOf(make('owner', await canvas(9, 9).jpeg().toBuffer()))).toBe('emoji.not_image')
    expect(await refusalOf(make('owner', '<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(
      'emoji.not_image',
    )
    expect(await refusalOf(make('owner', (await png()).subarray(0, 60)))).toBe('emoji.not_image')
    expect(await refusalOf(make('owner', null))).toBe('asset.missing')
    expect(await refusalOf(make('owner', await png(), { field: 'file' }))).toBe('asset.missing')
  })

  it.each(['a', 'x'.repeat(33), 'a b', '(x)', '<b>', '[:]'])('called %j', async (name) => {
    expect(await refusalOf(make('owner', await png(), { name }))).toBe('emoji.name_wrong')
  })

  it('that moves, in a guild whose level has none; what it has stays, and moves', async () => {
    const moving = await gif(2)
    const first = await made('一级', { content: moving })
    await setLevel(0)
    const { body } = await refusedCall(make('owner', moving))
    expect([body.code, body.data]).toMatchObject([
      40300,
      { error: 'guild.level', extra: { level: 1, right: 'emoji_gif' } },
    ])
    expect((await make('owner', await gif(1))).emoji_type).toBe(1)
    expect((await list('member')).items[0]).toMatchObject({ id: first.id, emoji_type: 2 })
    await setLevel(1)
    expect((await make('owner', moving)).emoji_type).toBe(2)
  })

  it('past the limit of a guild, also for two concurrent ones', async () => {
    await sql`
      insert into guild_emoji (guild_id, hash, name, emoji_type, user_id, created_at)
      select ${server.guildId}, 'h' || n, 'name' || n, 1, ${server.idOf('owner')}, n
      from generate_series(1, ${amountAt('emoji', server.world.guilds[0]!.level) - 1}) n`.execute(
      server.database.db,
    )
    const content = await png()
    const both = await Promise.all([make('owner', content), make('admin', content)].map(refusalOf))
    expect(both.sort()).toEqual(['emoji.full', 'none'])
    expect((await list('member')).items).toHaveLength(amountAt('emoji', server.world.guilds[0]!.level))
    await setLevel(0)
    expect((await list('member')).items).toHaveLength(amountAt('emoji', server.world.guilds[0]!.level))
    expect((await refusedCall(make('owner', content))).body.data).toMatchObject({
      error: 'emoji.full',
      extra: { most: amountAt('emoji', 0) },
    })
    await setLevel(server.world.guilds[0]!.level + 1)
    await make('owner', content)
  })
})

describe('an emoji', () => {
  it('is listed to members only, the oldest first, with its author, in pages', async () => {
    const [one, two] = [await made('加油'), await made('开心')]
    expect(one).toMatchObject({ name: '加油', emoji_type: 1 })
    expect(one.id).toMatch(new RegExp(`^${server.guildId}/\\w{16}$`))
    const all = await list('member')
    expect(all.items.map((it) => it.id)).toEqual([one.id, two.id])
    expect(all.items[0]?.user_info.id).toBe(server.idOf('owner'))
    const second = await list('member', server.guildId, { page: 2, page_size: 1 })
    expect(second.items.map((it) => it.id)).toEqual([two.id])
    expect(second.meta).toEqual({ page: 2, page_total: 2, page_size: 1, total: 2 })
    expect(await refusalOf(list('outsider'))).toBe('forbidden')
  })

  it('without a name gets a random one', async () => {
    const { name } = await make('owner', await png())
    expect(name).toMatch(/^\w{8}$/)
  })

  it('has a picture that is scaled down, cached for ever, and cannot run scripts', async () => {
    const { id } = await made('large', { content: await png(900, 300) })
    const answer = await fetch(`${server.url}/emojis/${id}.png`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect([width, height]).toEqual([EMOJI_SIDE_MAX, Math.round(EMOJI_SIDE_MAX / 3)])
  })

  it('made of an animated GIF is animated, and marked as such', async () => {
    const it = await made('跳舞', { content: await gif(3, 200) })
    expect(it.emoji_type).toBe(2)
    const answer = await fetch(`${server.url}/emojis/${it.id}.png`)
    expect(answer.headers.get('content-type')).toBe('image/gif')
    const head = await sharp(await answer.arrayBuffer(), { pages: -1 }).metadata()
    expect([head.pages, head.width, head.pageHeight]).toEqual([3, EMOJI_SIDE_MAX, EMOJI_SIDE_MAX])
    expect((await made('不动', { content: await gif(1) })).emoji_type).toBe(1)
  })

  it.each(['1', '1/../2', '1/nothing', 'x/y', '%2e%2e/a'])('there is no picture at %s', async (id) => {
    expect((await fetch(`${server.url}/emojis/${id}.png`)).status).toBe(404)
  })
})

describe('changing and removing one', () => {
  it('is refused to outsiders and without the right, for an unknown emoji, and with an invalid name', async () => {
    const { id } = await made('加油')
    for (const route of [updateGuildEmoji, deleteGuildEmoji]) {
      const refused = (who: PersonName, id: string) => server.as(who).refusal(route, { id, name: 'ab' })
      expect(await refused('outsider', id)).toBe('emoji.unknown')
      expect(await refused('member', id)).toBe('emoji.no_right')
      for (const wrong of ['1/nothing', 'x', `${id}/x`])
        expect(await refused('owner', wrong)).toBe('emoji.unknown')
    }
    expect(await server.as('owner').refusal(updateGuildEmoji, { id, name: 'a' })).toBe('emoji.name_wrong')
  })

  it('is published to the guild, a removal with both id fields, and the picture is deleted', async () => {
    const before = (await eventsOf()).length
    const { id } = await made('加油')
    await server.as('admin').call(updateGuildEmoji, { id, name: '开心' })
    await server.as('admin').call(updateGuildEmoji, { id, name: '开心' })
    await server.as('admin').call(deleteGuildEmoji, { id })
    const body = { id, name: '开心', emoji_type: 1 }
    expect((await eventsOf()).slice(before)).toEqual([
      { kind: 'added_emoji', body: { ...body, name: '加油' } },
      { kind: 'updated_emoji', body },
      { kind: 'removed_emoji', body },
      { kind: 'deleted_emoji', body },
    ])
    expect((await fetch(`${server.url}/emojis/${id}.png`)).status).toBe(404)
    expect((await list('owner')).items).toEqual([])
    const { rows } = await sql<{ given_up: boolean }>`
      select given_up from asset_arrival where key = ${`emojis/${id}.png`}`.execute(server.database.db)
    expect(rows).toEqual([{ given_up: true }])
  })
})

describe('in messages and reactions', () => {
  it('one of a foreign or unknown guild stays text; a usable one is stored with its own name', async () => {
    const own = await made('加油')
    const foreign = await made('别处', { guild: otherGuild })
    const content = [own.id, foreign.id, '1/nothing'].map(token).join(' ')
    const sentMessage = await say('admin', content)
    expect(sentMessage.content).toBe(content)
    expect(sentMessage.kmarkdown).toMatchObject({
      raw_content: '加油 随便 随便',
      emoji_part: [{ id: own.id, name: '加油' }],
    })
    await setBuff('member', IN_A_YEAR)
    const { kmarkdown } = await say('member', token(foreign.id))
    expect(kmarkdown.emoji_part).toEqual([{ id: foreign.id, name: '别处' }])
    expect((await say('member', 'no emoji')).kmarkdown).not.toHaveProperty('emoji_part')
  })

  it('a reaction with an unusable one is refused, and with a usable one is stored with its own name', async () => {
    const own = await made('加油')
    const foreign = await made('别处', { guild: otherGuild })
    const { id: msg_id } = await say('owner', 'x')
    const react = (who: PersonName, emoji: string) => server.as(who).refusal(addReaction, { msg_id, emoji })
    expect(await react('admin', foreign.id)).toBe('message.emoji_unknown')
    expect(await react('member', '1/nothing')).toBe('message.emoji_unknown')
    expect(await react('member', `(emj)别名(emj)[${own.id}]`)).toBe('none')
    expect(await react('member', foreign.id)).toBe('emoji.elsewhere')
    await setBuff('member', IN_A_YEAR)
    expect(await react('member', foreign.id)).toBe('none')
    const page = await server.as('admin').call(history, { id: server.channel('闲聊'), page_size: 1 })
    expect(page.at(-1)?.reactions.map((it) => it.emoji)).toEqual([
      { id: own.id, name: '加油' },
      { id: foreign.id, name: '别处' },
    ])
    await server.as('owner').call(deleteGuildEmoji, { id: own.id })
    expect(await react('admin', own.id)).toBe('message.emoji_unknown')
    await server.as('member').call(deleteReaction, { msg_id, emoji: own.id })
  })

  it('one of another guild of theirs is for members of BUFF, in guilds and in private; what was written stays', async () => {
    const foreign = await made('别处', { guild: otherGuild })
    const text = `看 ${token(foreign.id)}`
    const id = server.channel('闲聊')
    const member = server.as('member')
    const send = () => member.call(createMessage, { target_id: id, content: text })
    const toOwner = () =>
      member.call(createPrivate, { target_id: server.idOf('owner'), content: text, type: 9 })
    const refusal = { code: 40300, data: { error: 'emoji.elsewhere', extra: { name: '别处' } } }
    for (const way of [send, toOwner]) expect((await refusedCall(way())).body).toMatchObject(refusal)

    await setBuff('member', IN_A_YEAR)
    const [{ msg_id }, inPrivate] = [await send(), await toOwner()]
    await member.call(addReaction, { msg_id, emoji: foreign.id })

    await setBuff('member', Date.now() - 1)
    expect((await refusedCall(send())).body).toMatchObject(refusal)
    const page = await server.as('admin').call(history, { id, page_size: 1 })
    expect(page[0]?.kmarkdown).toMatchObject({ emoji_part: [{ id: foreign.id, name: '别处' }] })
    // An edit keeps the emoji that were there, and who may use them joins those who reacted.
    const edited = { content: `${text}！` }
    await member.call(updateMessage, { msg_id, ...edited })
    await member.call(updatePrivate, { msg_id: inPrivate.msg_id, ...edited })
    await server.as('owner').call(addReaction, { msg_id, emoji: foreign.id })
  })
})
