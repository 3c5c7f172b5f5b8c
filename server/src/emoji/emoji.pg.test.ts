import { EMOJI_MAX_BYTES, EMOJI_SIDE_MAX, type GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { amountAt } from '@guildhall/wire/guild/rights.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CastName } from '../demo/world.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let otherGuild: string
const tokens = new Map<string, string>()
beforeAll(async () => {
  server = await openTestServer()
  otherGuild = server.world.guilds[1]!.id
  for (const name of ['owner', 'admin', 'member', 'outsider'] as const)
    tokens.set(name, await server.login(name))
})
afterAll(() => server?.close())
beforeEach(async () => {
  await sql`delete from guild_emoji`.execute(server.database.db)
  await setLevel(server.world.guilds[0]!.level)
  await setBuff('member', 0)
})

interface Reply<T> {
  readonly status: number
  readonly code: number
  readonly data: T & { readonly error?: string }
}

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 60, g: 200, b: 120, alpha: 0.5 } } })
const png = (width = 64, height = 64) => canvas(width, height).png().toBuffer()
const gif = async (frames: number, side = 40) => {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({
        create: {
          width: side,
          height: side,
          channels: 3,
          background: { r: 255 * (i % 2), g: 90, b: 80 * i },
        },
      })
        .png()
        .toBuffer(),
    ),
  )
  const [first] = pages
  if (first && frames === 1) return sharp(first).gif().toBuffer()
  return sharp(pages, { join: { animated: true } })
    .gif()
    .toBuffer()
}

async function make(
  who: CastName | null,
  content: Buffer | string | null,
  it: { guild?: string; name?: string; field?: string } = {},
): Promise<Reply<GuildEmoji>> {
  const form = new FormData()
  form.append('guild_id', it.guild ?? server.guildId)
  if (it.name !== undefined) form.append('name', it.name)
  if (content !== null)
    form.append(it.field ?? 'emoji', new Blob([content as Uint8Array<ArrayBuffer>]), 'pic.png')
  const headers = who ? { authorization: tokens.get(who)! } : {}
  const answer = await fetch(`${server.url}/api/v3/guild-emoji/create`, {
    method: 'POST',
    headers,
    body: form,
  })
  return { status: answer.status, ...((await answer.json()) as Omit<Reply<GuildEmoji>, 'status'>) }
}
const made = async (name: string, it: { guild?: string; content?: Buffer } = {}): Promise<GuildEmoji> => {
  const { data } = await make('owner', it.content ?? (await png()), {
    name,
    ...(it.guild && { guild: it.guild }),
  })
  expect(data.error).toBeUndefined()
  return data
}
const call = async <T>(who: CastName, path: string, body: object): Promise<Reply<T>> => {
  const answer = await fetch(`${server.url}/api/v3/${path}`, {
    method: 'POST',
    headers: { authorization: tokens.get(who)!, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, ...((await answer.json()) as Omit<Reply<T>, 'status'>) }
}
const list = async (who: CastName, guild_id = server.guildId, page = {}) =>
  (
    await call<{ items: (GuildEmoji & { user_info: { id: string } })[]; meta: object }>(
      who,
      'guild-emoji/list',
      { guild_id, ...page },
    )
  ).data
const setLevel = (level: number) =>
  sql`update guild set level = ${level} where id = ${server.guildId}::bigint`.execute(server.database.db)
const setBuff = (who: CastName, until: number) =>
  sql`update "user" set vip_until = ${until}::bigint where id = ${server.person(who).id}::bigint`.execute(
    server.database.db,
  )
const IN_A_YEAR = Date.now() + 365 * 86_400_000
const token = (id: string) => `(emj)随便(emj)[${id}]`

const sendText = async (who: CastName, content: string, channel = '闲聊') =>
  (
    await server.call<{ message: Message }>(
      tokens.get(who)!,
      'POST',
      `/api/v2/channels/${server.channel(channel)}/message`,
      { content: JSON.stringify({ type: 9, content }) },
    )
  ).message
const eventsOf = async () =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from event_log where kind like '%_emoji' order by seq`.execute(server.database.db)
  ).rows

describe('making an emoji is refused', () => {
  it('to guests, to outsiders, and without the right', async () => {
    const content = await png()
    expect((await make(null, content)).status).toBe(401)
    expect((await make('outsider', content)).data.error).toBe('forbidden')
    expect((await make('member', content)).data.error).toBe('emoji.no_right')
    expect((await make('admin', content, { guild: otherGuild })).data.error).toBe('forbidden')
    expect((await list('owner')).items).toEqual([])
  })

  it('from a file that is too large, broken, no PNG or GIF, or missing', async () => {
    const large = await make('owner', Buffer.alloc(EMOJI_MAX_BYTES + 1, 7))
    expect([large.code, large.data.error]).toEqual([40014, 'emoji.too_large'])
    expect((await make('owner', await canvas(9, 9).jpeg().toBuffer())).data.error).toBe('emoji.not_image')
    expect((await make('owner', '<svg xmlns="http://www.w3.org/2000/svg"/>')).data.error).toBe(
      'emoji.not_image',
    )
    expect((await make('owner', (await png()).subarray(0, 60))).data.error).toBe('emoji.not_image')
    expect((await make('owner', null)).data.error).toBe('asset.missing')
    expect((await make('owner', await png(), { field: 'file' })).data.error).toBe('asset.missing')
  })

  it.each(['a', 'x'.repeat(33), 'a b', '(x)', '<b>', '[:]', '\u202eab'])('called %j', async (name) => {
    expect((await make('owner', await png(), { name })).data.error).toBe('emoji.name_wrong')
  })

  it('that moves, in a guild whose level has none; what it has stays, and moves', async () => {
    const moving = await gif(2)
    const first = await made('一级', { content: moving })
    await setLevel(0)
    const refused = await make('owner', moving)
    expect([refused.code, refused.data]).toMatchObject([
      40300,
      { error: 'guild.level', extra: { level: 1, right: 'emoji_gif' } },
    ])
    expect((await make('owner', await gif(1))).data.emoji_type).toBe(1)
    expect((await list('member')).items[0]).toMatchObject({ id: first.id, emoji_type: 2 })
    await setLevel(1)
    expect((await make('owner', moving)).data.emoji_type).toBe(2)
  })

  it('past the limit of a guild, also for two concurrent ones', async () => {
    await sql`
      insert into guild_emoji (guild_id, hash, name, emoji_type, user_id, created_at)
      select ${server.guildId}, 'h' || n, 'name' || n, 1, ${server.person('owner').id}, n
      from generate_series(1, ${amountAt('emoji', server.world.guilds[0]!.level) - 1}) n`.execute(
      server.database.db,
    )
    const content = await png()
    const both = await Promise.all([make('owner', content), make('admin', content)])
    expect(both.map((it) => it.data.error ?? 'made').sort()).toEqual(['emoji.full', 'made'])
    expect((await list('member')).items).toHaveLength(amountAt('emoji', server.world.guilds[0]!.level))
    await setLevel(0)
    expect((await list('member')).items).toHaveLength(amountAt('emoji', server.world.guilds[0]!.level))
    expect((await make('owner', content)).data).toMatchObject({
      ...{ error: 'emoji.full', extra: { most: amountAt('emoji', 0) } },
    })
    await setLevel(server.world.guilds[0]!.level + 1)
    expect((await make('owner', content)).data.error).toBeUndefined()
  })
})

describe('an emoji', () => {
  it('is listed to members only, the oldest first, with its author, in pages', async () => {
    const [one, two] = [await made('加油'), await made('开心')]
    expect(one).toMatchObject({ name: '加油', emoji_type: 1 })
    expect(one.id).toMatch(new RegExp(`^${server.guildId}/\\w{16}$`))
    const all = await list('member')
    expect(all.items.map((it) => it.id)).toEqual([one.id, two.id])
    expect(all.items[0]?.user_info.id).toBe(server.person('owner').id)
    const second = await list('member', server.guildId, { page: 2, page_size: 1 })
    expect(second.items.map((it) => it.id)).toEqual([two.id])
    expect(second.meta).toEqual({ page: 2, page_total: 2, page_size: 1, total: 2 })
    expect(await list('outsider')).toMatchObject({ error: 'forbidden' })
  })

  it('without a name gets a random one', async () => {
    const { data } = await make('owner', await png())
    expect(data.name).toMatch(/^\w{8}$/)
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
    for (const path of ['guild-emoji/update', 'guild-emoji/delete']) {
      expect((await call('outsider', path, { id, name: 'ab' })).data).toMatchObject({
        error: 'emoji.unknown',
      })
      expect((await call('member', path, { id, name: 'ab' })).data).toMatchObject({ error: 'emoji.no_right' })
      for (const wrong of ['1/nothing', 'x', `${id}/x`])
        expect((await call('owner', path, { id: wrong, name: 'ab' })).data).toMatchObject({
          error: 'emoji.unknown',
        })
    }
    expect((await call('owner', 'guild-emoji/update', { id, name: 'a' })).data).toMatchObject({
      error: 'emoji.name_wrong',
    })
  })

  it('is published to the guild, a removal with both id fields, and the picture is deleted', async () => {
    const before = (await eventsOf()).length
    const { id } = await made('加油')
    await call('admin', 'guild-emoji/update', { id, name: '开心' })
    await call('admin', 'guild-emoji/update', { id, name: '开心' })
    await call('admin', 'guild-emoji/delete', { id })
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
    const sentMessage = await sendText('admin', content)
    expect(sentMessage.content).toBe(content)
    expect(sentMessage.kmarkdown).toMatchObject({
      raw_content: '加油 随便 随便',
      emoji_part: [{ id: own.id, name: '加油' }],
    })
    await setBuff('member', IN_A_YEAR)
    const { kmarkdown } = await sendText('member', token(foreign.id))
    expect(kmarkdown.emoji_part).toEqual([{ id: foreign.id, name: '别处' }])
    expect((await sendText('member', 'no emoji')).kmarkdown).not.toHaveProperty('emoji_part')
  })

  it('a reaction with an unusable one is refused, and with a usable one is stored with its own name', async () => {
    const own = await made('加油')
    const foreign = await made('别处', { guild: otherGuild })
    const { id: msg_id } = await sendText('owner', 'x')
    const react = async (who: CastName, emoji: string) =>
      (await call<object>(who, 'message/add-reaction', { msg_id, emoji })).data
    expect(await react('admin', foreign.id)).toMatchObject({ error: 'message.emoji_unknown' })
    expect(await react('member', '1/nothing')).toMatchObject({ error: 'message.emoji_unknown' })
    await react('member', `(emj)别名(emj)[${own.id}]`)
    expect(await react('member', foreign.id)).toMatchObject({ error: 'emoji.elsewhere' })
    await setBuff('member', IN_A_YEAR)
    await react('member', foreign.id)
    const page = await server.call<Message[]>(
      tokens.get('admin')!,
      'GET',
      `/api/v2/channels/${server.channel('闲聊')}/messages?page_size=1`,
    )
    expect(page.at(-1)?.reactions.map((it) => it.emoji)).toEqual([
      { id: own.id, name: '加油' },
      { id: foreign.id, name: '别处' },
    ])
    await call('owner', 'guild-emoji/delete', { id: own.id })
    expect(await react('admin', own.id)).toMatchObject({ error: 'message.emoji_unknown' })
    const taken = await call<object>('member', 'message/delete-reaction', { msg_id, emoji: own.id })
    expect(taken.code).toBe(0)
  })

  it('one of another guild of theirs is for members of BUFF, in guilds and in private; what was written stays', async () => {
    const foreign = await made('别处', { guild: otherGuild })
    const words = `看 ${token(foreign.id)}`
    const channel_id = server.channel('闲聊')
    const send = (content: string) =>
      call<{ msg_id: string }>('member', 'message/create', { target_id: channel_id, content })
    const toOwner = () =>
      call<{ msg_id: string }>('member', 'direct-message/create', {
        ...{ target_id: server.person('owner').id, content: words, type: 9 },
      })
    const refusal = { code: 40300, data: { error: 'emoji.elsewhere', extra: { name: '别处' } } }
    expect(await send(words)).toMatchObject(refusal)
    expect(await toOwner()).toMatchObject(refusal)

    await setBuff('member', IN_A_YEAR)
    const [inGuild, inPrivate] = [await send(words), await toOwner()]
    expect([inGuild.code, inPrivate.code]).toEqual([0, 0])
    await call('member', 'message/add-reaction', { msg_id: inGuild.data.msg_id, emoji: foreign.id })

    await setBuff('member', Date.now() - 1)
    expect(await send(words)).toMatchObject(refusal)
    const page = await server.call<Message[]>(
      ...([tokens.get('admin')!, 'GET', `/api/v2/channels/${channel_id}/messages?page_size=1`] as const),
    )
    expect(page[0]?.kmarkdown).toMatchObject({ emoji_part: [{ id: foreign.id, name: '别处' }] })
    // An edit keeps the emoji that were there, and who may use them joins those who reacted.
    const edited = { content: `${words}！` }
    expect((await call('member', 'message/update', { msg_id: inGuild.data.msg_id, ...edited })).code).toBe(0)
    expect(
      (await call('member', 'direct-message/update', { msg_id: inPrivate.data.msg_id, ...edited })).code,
    ).toBe(0)
    const joined = await call('owner', 'message/add-reaction', {
      ...{ msg_id: inGuild.data.msg_id, emoji: foreign.id },
    })
    expect(joined.code).toBe(0)
  })
})
