/**
 * What public bot libraries require of the server, over real HTTP and a real gateway connection: envelopes,
 * headers, id formats and fields. protocol.md §1 to §5.
 */
import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { type BotCall, caller, type GatewayConnection, openGatewayConnection } from './botClient.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DIGITS = /^\d+$/
/** The required fields of an embedded user. protocol.md §5.1. */
const USER_FIELDS = ['id', 'username', 'identify_num', 'online', 'avatar', 'bot']
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

let server: TestServer
let bot: { id: string; token: string }
let callAsBot: BotCall
let main: string
const connections: GatewayConnection[] = []

const makeBot = (name: string) =>
  server.command<{ id: string; token: string }>(`bot create --name ${name} --guild ${server.guildId}`)
const callWith = (token: string) => caller(server.url, `Bot ${token}`)
async function connect(by: BotCall, compress = 1): Promise<GatewayConnection> {
  const { data } = await by<{ url: string }>('GET', 'gateway/index', { compress })
  const connection = await openGatewayConnection(data.url)
  connections.push(connection)
  return connection
}
const send = async (content: string, more: object = {}, by = callAsBot) => {
  const { code, data } = await by<{ msg_id: string; msg_timestamp: number; nonce: string }>(
    'POST',
    'message/create',
    { target_id: main, content, ...more },
  )
  expect(code).toBe(0)
  return data
}

beforeAll(async () => {
  server = await openTestServer()
  main = server.channel('闲聊')
  bot = await makeBot('报时')
  callAsBot = callWith(bot.token)
})
afterAll(async () => {
  for (const connection of connections) connection.terminate()
  await server?.close()
})

describe('a bot', () => {
  it('is unauthorized without a token, with a wrong one, and with a token of a person', async () => {
    const person = await server.login('owner')
    for (const authorization of [null, 'Bot nonsense', `Bot ${bot.token}x`, bot.token, `Bot ${person}`]) {
      const answer = await caller(server.url, authorization)('GET', 'user/me')
      expect([authorization, answer.status, answer.code]).toEqual([authorization, 401, 401])
      expect(answer.data).toMatchObject({ name: 'Unauthorized', status: 401 })
    }
  })

  it('may not call the API of the page', async () => {
    const answer = await fetch(`${server.url}/api/v2/guilds`, {
      headers: { authorization: `Bot ${bot.token}` },
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 403, error: 'forbidden' })
  })

  it('has a token in the format that typed clients check: three parts, the second a base64 number, 33 to 35 characters', () => {
    const parts = bot.token.split('/')
    expect(parts).toHaveLength(3)
    expect(Buffer.from(parts[1]!, 'base64').toString()).toMatch(DIGITS)
    expect(bot.token.length).toBeGreaterThanOrEqual(33)
    expect(bot.token.length).toBeLessThanOrEqual(35)
    expect(bot.token).not.toMatch(/\s/)
  })

  it('has only a hash of its token in the database', async () => {
    const { rows } = await server.database.pool.query(
      `select encode(token_hash, 'escape') as hash from session`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(bot.token)
  })

  it('receives every field of its own account that libraries read on start', async () => {
    const { status, headers, code, data } = await callAsBot('GET', 'user/me')
    expect([status, code]).toEqual([200, 0])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(data).toMatchObject({
      id: bot.id,
      username: '报时',
      bot: true,
      roles: [],
      intent: -1,
      online: false,
    })
    for (const field of [
      ...USER_FIELDS,
      'nickname',
      'os',
      'status',
      'banner',
      'vip_avatar',
      'is_vip',
      'is_sys',
      'tag_info',
    ])
      expect(data, field).toHaveProperty(field)
    expect(data).not.toHaveProperty('user')
    expect(Number(data.id)).toBeLessThan(2 ** 32)
    expect(data.identify_num).toMatch(/^\d{4,10}$/)
  })

  it('receives the rate limit headers that some clients require with every response', async () => {
    const other = callWith((await makeBot('数数')).token)
    const left = async (path: string) => {
      const { headers } = await other('GET', path)
      for (const name of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-rate-limit-${name}`)).toMatch(DIGITS)
      expect(headers.get('x-rate-limit-bucket')).toBe(path)
      expect(headers.get('x-rate-limit-global')).toBeNull()
      return Number(headers.get('x-rate-limit-remaining'))
    }
    const first = await left('user/me')
    expect(await left('user/me')).toBe(first - 1)
    expect(await left('gateway/index')).toBe(first)
    const refused = await other('GET', 'message/view', { msg_id: UNKNOWN_ID })
    expect([refused.status, refused.code, refused.data.error]).toEqual([200, 40000, 'message.unknown'])
    expect(refused.headers.get('x-rate-limit-remaining')).toMatch(DIGITS)
  })

  it('joins its guild like a person, with an event to the members', async () => {
    const connection = await connect(caller(server.url, await server.login('member')))
    const made = await makeBot('新来的')
    const { d } = await connection.event('joined_guild')
    expect(d).toMatchObject({ channel_type: 'GROUP', target_id: server.guildId, author_id: '1' })
    expect(d?.extra?.body).toMatchObject({ user_id: made.id })
  })
})

describe('a message of a bot', () => {
  it('is refused with a named error on HTTP 200, and nothing is stored', async () => {
    const newest = () => callAsBot('GET', 'message/list', { target_id: main, page_size: 1 })
    const before = (await newest()).data
    const code = async (input: object) => {
      const { status, code, data } = await callAsBot('POST', 'message/create', {
        target_id: main,
        content: 'x',
        ...input,
      })
      return [status, code, data.error]
    }
    expect(await code({ content: ' ' })).toEqual([200, 40011, 'message.empty'])
    expect(await code({ content: 'a'.repeat(8001) })).toEqual([200, 40011, 'message.too_long'])
    expect(await code({ type: 12 })).toEqual([200, 40011, 'message.kind_refused'])
    expect(await code({ type: 2, content: 'https://elsewhere.example/a.png' })).toEqual([
      200,
      40000,
      'asset.unknown',
    ])
    expect(await code({ quote: UNKNOWN_ID })).toEqual([200, 40000, 'message.unknown'])
    expect((await code({ temp_target_id: 'somebody' }))[2]).toBe('bad_input')
    expect((await code({ target_id: server.channel('值班室') }))[0]).toBe(403)
    expect((await code({ target_id: server.channel('公告') }))[2]).toBe('message.not_allowed')
    expect((await newest()).data).toEqual(before)
  })

  it('is KMarkdown by default; its nonce is returned and makes the send idempotent', async () => {
    const before = await send('before', { nonce: 'n-1' })
    expect(before.msg_id).toMatch(UUID)
    expect(before.nonce).toBe('n-1')
    expect(Number.isInteger(before.msg_timestamp)).toBe(true)
    expect((await send('before', { nonce: 'n-1' })).msg_id).toBe(before.msg_id)
    expect((await send('without')).nonce).toBe('')
    const { data } = await callAsBot('GET', 'message/view', { msg_id: before.msg_id })
    expect(data).toMatchObject({
      id: before.msg_id,
      type: 9,
      content: 'before',
      channel_id: main,
      updated_at: 0,
    })
    expect(data.mention_info).toEqual(
      expect.objectContaining({ mention_part: [], mention_role_part: [], channel_part: [], item_part: [] }),
    )
    for (const field of USER_FIELDS) expect(data.author).toHaveProperty(field)
  })

  it('can be read with GET and POST, by a path without the version, and sent by the old name of the call', async () => {
    const old = await callAsBot<{ msg_id: string }>('POST', 'channel/message', {
      channel_id: main,
      content: 'old',
      type: '1',
    })
    expect(old.code).toBe(0)
    const posted = await callAsBot('POST', 'message/view', { msg_id: old.data.msg_id })
    expect(posted.data).toMatchObject({ content: 'old', type: 1 })
    const bare = await fetch(`${server.url}/api/message/view?msg_id=${old.data.msg_id}`, {
      headers: { authorization: `Bot ${bot.token}` },
    })
    expect(((await bare.json()) as { data: unknown }).data).toEqual(posted.data)
    const neither = await callAsBot('POST', 'channel/message', { content: 'x' })
    expect([neither.code, neither.data.error]).toEqual([40000, 'bad_input'])
  })

  it('can be edited, reacted to and deleted by the bot, and pinned only with permission', async () => {
    const { msg_id } = await send('first')
    const act = async (path: string, input: object) =>
      expect((await callAsBot('POST', path, input)).code).toBe(0)
    await act('message/update', { msg_id, content: '**second**', quote: '' })
    await act('message/add-reaction', { msg_id, emoji: '[#128226;]' })
    const { data } = await callAsBot<{ items: { id: string; content: string; reactions: unknown[] }[] }>(
      'GET',
      'message/list',
      { target_id: main, page_size: 1 },
    )
    expect(data.items[0]).toMatchObject({
      id: msg_id,
      content: '**second**',
      reactions: [{ emoji: { id: '[#128226;]', name: '📢' }, count: 1, me: true }],
    })
    const who = await callAsBot<{ id: string; reaction_time: number }[]>('GET', 'message/reaction-list', {
      msg_id,
      emoji: '📢',
    })
    expect(who.data.map(({ id }) => id)).toEqual([bot.id])
    await act('message/delete-reaction', { msg_id, emoji: '📢' })
    const pin = await callAsBot('POST', 'message/pin', { target_id: main, msg_id })
    expect([pin.code, pin.data.error]).toEqual([40300, 'message.no_right'])
    await act('message/delete', { msg_id })
    expect((await callAsBot('GET', 'message/view', { msg_id })).data.error).toBe('message.unknown')
  })

  it('can be an uploaded file, which has type 4 for bots and type 3 for people', async () => {
    const form = new FormData()
    form.set('file', new Blob(['text']), 'a.txt')
    const uploaded = await fetch(`${server.url}/api/v3/asset/create`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.token}` },
      body: form,
    })
    const { code, data } = (await uploaded.json()) as { code: number; data: { url: string } }
    expect(code).toBe(0)
    const ownConnection = await connect(callAsBot)
    const people = await connect(caller(server.url, await server.login('member')))
    const { msg_id } = await send(data.url, { type: 4 })
    const isSent = ({ d }: { d?: { msg_id?: string } }) => d?.msg_id === msg_id
    const ours = (await ownConnection.next(isSent)).d
    expect(ours).toMatchObject({
      type: 4,
      content: data.url,
      extra: { type: 4, attachments: { type: 'file', url: data.url } },
    })
    expect(ours?.extra?.attachments).not.toHaveProperty('fileUrl')
    expect((await people.next(isSent)).d).toMatchObject({ type: 3, extra: { type: 3 } })
    expect((await callAsBot('GET', 'message/view', { msg_id })).data.type).toBe(4)
    const quoting = await send('look', { quote: msg_id })
    const quoted = await ownConnection.next(({ d }) => d?.msg_id === quoting.msg_id)
    expect(quoted.d?.extra?.quote).toMatchObject({
      id: msg_id,
      rong_id: msg_id,
      type: 4,
      author: { is_sys: false },
    })
    expect((await people.next(({ d }) => d?.msg_id === quoting.msg_id)).d?.extra?.quote).toMatchObject({
      type: 3,
    })
  })
})

describe.each([0, 1])('the gateway connection of a bot with compress=%i', (compress) => {
  it('sends a hello with `session_id` only, encodes every frame alike, and answers a ping', async () => {
    const connection = await connect(callAsBot, compress)
    const hello = connection.frames[0]
    expect(hello).toEqual({ s: 1, d: { code: 0, session_id: hello?.d?.session_id } })
    expect(hello?.d?.session_id).toMatch(UUID)
    connection.send({ s: 2, sn: 0, d: {} })
    expect(await connection.next(({ s }) => s === 3)).toEqual({ s: 3 })
    expect(connection.isCompressed()).toBe(compress === 1)
  })

  it('delivers a message with every field that libraries require', async () => {
    const connection = await connect(callAsBot, compress)
    const { msg_id } = await send(`hi (met)${bot.id}(met)`, { nonce: `field-${compress}` })
    const { s, sn, d, extra } = await connection.next(({ d }) => d?.msg_id === msg_id)
    expect([s, sn]).toEqual([0, 1])
    expect(extra).toEqual({ verifyToken: '', encryptKey: '', callbackUrl: '', intent: -1 })
    expect(d).toMatchObject({
      channel_type: 'GROUP',
      type: 9,
      target_id: main,
      author_id: bot.id,
      nonce: `field-${compress}`,
      extra: {
        type: 9,
        code: '',
        guild_id: server.guildId,
        guild_type: 0,
        channel_name: '闲聊',
        channel_type: 1,
        visible_only: null,
        mention: [bot.id],
        mention_all: false,
        mention_here: false,
        mention_roles: [],
        nav_channels: [],
        emoji: [],
        last_msg_content: '报时：hi @报时',
        send_msg_device: 0,
        kmarkdown: {
          raw_content: 'hi @报时',
          mention_part: [{ id: bot.id, username: '报时' }],
          mention_role_part: [],
          channel_part: [],
          item_part: [],
          spl: [],
        },
      },
    })
    expect(Number.isInteger(d?.msg_timestamp)).toBe(true)
    // khl.py fails on an empty quote.
    expect(d?.extra).not.toHaveProperty('quote')
    const author = d?.extra?.author as Record<string, unknown>
    for (const field of [
      ...USER_FIELDS,
      'nickname',
      'roles',
      'os',
      'status',
      'vip_avatar',
      'banner',
      'nameplate',
      'is_sys',
    ])
      expect(author, field).toHaveProperty(field)
  })

  it('delivers reactions, edits and deletions', async () => {
    const connection = await connect(callAsBot, compress)
    const { msg_id } = await send('watched')
    await callAsBot('POST', 'message/add-reaction', { msg_id, emoji: '👍' })
    await callAsBot('POST', 'message/update', { msg_id, content: 'changed' })
    await callAsBot('POST', 'message/delete', { msg_id })
    const reacted = (await connection.event('added_reaction')).d
    expect(reacted).toMatchObject({
      channel_type: 'GROUP',
      target_id: server.guildId,
      author_id: '1',
      content: '[系统消息]',
    })
    expect(reacted?.msg_id).toMatch(UUID)
    expect(reacted?.extra?.body).toMatchObject({
      msg_id,
      user_id: bot.id,
      channel_id: main,
      channel_type: 1,
      emoji: { id: '[#128077;]', name: '👍' },
    })
    expect((await connection.event('updated_message')).d?.extra?.body).toMatchObject({
      msg_id,
      channel_id: main,
      content: 'changed',
      channel_type: 1,
      mention: [],
      quote: null,
      attachments: null,
      kmarkdown: { mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
    })
    expect((await connection.event('deleted_message')).d?.extra?.body).toMatchObject({
      msg_id,
      channel_id: main,
    })
  })

  it('resumes with the same session: hello, the missed events with their numbers, then the resume acknowledgement', async () => {
    const { data } = await callAsBot<{ url: string }>('GET', 'gateway/index', { compress })
    const first = await openGatewayConnection(data.url)
    const session = first.frames[0]?.d?.session_id
    const seen = await send('seen')
    await first.next(({ d }) => d?.msg_id === seen.msg_id)
    first.terminate()
    await first.closed
    const missed = await send('missed')
    // Some clients append parameters to the old address, others request a new one.
    const appended = `${data.url}&resume=1&sn=1&session_id=${session}`
    const asked = await callAsBot<{ url: string }>('GET', 'gateway/index', {
      compress,
      resume: 1,
      sn: 1,
      session_id: session,
    })
    for (const address of [appended, asked.data.url]) {
      const again = await openGatewayConnection(address)
      const ack = await again.next(({ s }) => s === 6)
      expect(again.frames.slice(0, again.frames.indexOf(ack) + 1)).toEqual([
        { s: 1, d: { code: 0, session_id: session } },
        expect.objectContaining({ s: 0, sn: 2, d: expect.objectContaining({ msg_id: missed.msg_id }) }),
        { s: 6, d: { session_id: session } },
      ])
      again.terminate()
      await again.closed
    }
  })
})

describe('another name of a member', () => {
  it('is not told to bots, except to one with a conversation with the person', async () => {
    const [talker, other] = [await makeBot('熟人'), await makeBot('路人')]
    const known = await connect(callWith(talker.token))
    const unknown = await connect(callWith(other.token))
    const member = server.idOf('member')
    await callWith(talker.token)('POST', 'direct-message/create', { target_id: member, content: '你好' })
    await server.as('member').call(renameSelf, { username: '机器人看见' })
    expect((await known.event('user_updated')).d?.extra?.body).toMatchObject({
      user_id: member,
      username: '机器人看见',
    })
    const { msg_id } = await send('later')
    for (const connection of [known, unknown]) {
      const last = await connection.next(({ d }) => d?.msg_id === msg_id)
      const numbered = connection.frames.filter(({ s }) => s === 0)
      // Nothing of their numbers is missing.
      expect(numbered.map(({ sn }) => sn)).toEqual(numbered.map((_, at) => at + 1))
      expect(numbered.at(-1)).toEqual(last)
      expect(numbered.some(({ d }) => d?.extra?.type === 'updated_guild_user')).toBe(false)
    }
    expect(unknown.frames.some(({ d }) => d?.extra?.type === 'user_updated')).toBe(false)
  })
})

describe('a direct message between a bot and a person', () => {
  it('reaches both connections in the format of each, numbered together with all other events', async () => {
    const token = await server.login('admin')
    const person = caller(server.url, token)
    const [ours, theirs] = [await connect(callAsBot), await connect(person)]
    const admin = server.idOf('admin')
    const began = await callAsBot<{ code: string }>('POST', 'user-chat/create', { target_id: admin })
    expect(began.data.code).toMatch(/^[0-9a-f]{32}$/)
    const form = new FormData()
    form.set('file', new Blob(['text']), 'a.txt')
    const uploaded = await fetch(`${server.url}/api/v3/asset/create`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.token}` },
      body: form,
    })
    const { data: file } = (await uploaded.json()) as { data: { url: string } }
    const sent = await callAsBot<{ msg_id: string; nonce: string }>('POST', 'direct-message/create', {
      target_id: admin,
      content: file.url,
      type: 4,
      nonce: 'dm',
    })
    expect(sent.data.nonce).toBe('dm')
    const isSent = ({ d }: { d?: { msg_id?: string } }) => d?.msg_id === sent.data.msg_id
    const frame = await ours.next(isSent)
    expect(frame.d).toMatchObject({
      channel_type: 'PERSON',
      type: 4,
      target_id: admin,
      author_id: bot.id,
      content: expect.stringContaining(`${file.url}?e=`),
      nonce: 'dm',
      extra: {
        type: 4,
        code: began.data.code,
        author: { id: bot.id, nickname: '报时', roles: [], is_sys: false },
      },
    })
    expect((await fetch(String(frame.d?.content))).status).toBe(200)
    expect((await fetch(file.url)).status).toBe(404)
    for (const field of ['guild_id', 'channel_name', 'channel_type', 'quote'])
      expect(frame.d?.extra).not.toHaveProperty(field)
    expect((await theirs.next(isSent)).d).toMatchObject({
      channel_type: 'PERSON',
      type: 3,
      extra: { type: 3 },
    })

    const answer = await person<{ msg_id: string }>('POST', 'direct-message/create', {
      chat_code: began.data.code,
      content: '谢谢',
      type: 9,
      quote: sent.data.msg_id,
    })
    const received = (await ours.next(({ d }) => d?.msg_id === answer.data.msg_id)).d
    expect(received).toMatchObject({
      channel_type: 'PERSON',
      type: 9,
      target_id: bot.id,
      author_id: admin,
      extra: {
        code: began.data.code,
        quote: { rong_id: sent.data.msg_id, type: 4 },
        kmarkdown: { raw_content: '谢谢' },
      },
    })
    // The old name of the call, which one library still uses.
    const old = await callAsBot<{ msg_id: string }>('POST', 'user-chat/create-msg', {
      chat_code: began.data.code,
      content: 'x',
      type: 9,
    })
    await callAsBot('POST', 'direct-message/update', { msg_id: old.data.msg_id, content: 'y' })
    await callAsBot('POST', 'direct-message/add-reaction', { msg_id: old.data.msg_id, emoji: '📢' })
    await callAsBot('POST', 'direct-message/delete', { msg_id: old.data.msg_id })
    expect((await ours.event('updated_private_message')).d).toMatchObject({
      channel_type: 'PERSON',
      target_id: bot.id,
      author_id: '1',
      extra: {
        body: {
          msg_id: old.data.msg_id,
          author_id: bot.id,
          target_id: admin,
          content: 'y',
          chat_code: began.data.code,
        },
      },
    })
    expect((await ours.event('private_added_reaction')).d?.extra?.body).toEqual({
      msg_id: old.data.msg_id,
      user_id: bot.id,
      chat_code: began.data.code,
      emoji: { id: '[#128226;]', name: '📢' },
      revision: expect.any(Number),
    })
    expect((await theirs.event('deleted_private_message')).d?.extra?.body).toMatchObject({
      msg_id: old.data.msg_id,
    })
    const numbers = ours.frames.flatMap(({ s, sn }) => (s === 0 ? sn : []))
    expect(numbers).toEqual(numbers.map((_, each) => each + 1))
  })
})

describe('the role of a bot', () => {
  it('can be granted only to a bot in the guild, and only an existing role', async () => {
    const [role] = await rolesOf(server.guildId)
    const grant = (bot: string, guild: string, role: string | number) =>
      server.command(`bot grant --bot ${bot} --guild ${guild} --role ${role}`)
    const other = server.world.guilds[1]!.id
    await expect(grant(server.idOf('member'), server.guildId, role!)).rejects.toThrow('no bot')
    await expect(grant(bot.id, '9', role!)).rejects.toThrow('no guild 9')
    await expect(grant(bot.id, other, role!)).rejects.toThrow('is not in guild')
    await expect(grant(bot.id, server.guildId, 99)).rejects.toThrow('no role 99')
    await expect(grant(bot.id, server.guildId, 0)).rejects.toThrow('--role must be')
    await expect(
      server.command(`bot revoke --bot ${bot.id} --guild ${server.guildId} --role x`),
    ).rejects.toThrow('--role must be')
    await expect(
      server.command(`bot create --name 不行 --guild ${server.guildId} --permissions all`),
    ).rejects.toThrow('--permissions must be')
    const { rows } = await server.database.pool.query(
      `select 1 from membership_role where user_id = ${bot.id}`,
    )
    expect(rows).toEqual([])
  })

  it('takes effect at once, and ends when it is revoked', async () => {
    const made = await makeBot('置顶')
    const by = callWith(made.token)
    const connection = await connect(by)
    const { msg_id } = await send('pin me', {}, by)
    const pin = async () => (await by('POST', 'message/pin', { target_id: main, msg_id })).data.error
    expect(await pin()).toBe('message.no_right')
    const [role] = await rolesOf(server.guildId)
    const change = (verb: string) =>
      server.command<{ roles: number[] }>(
        `bot ${verb} --bot ${made.id} --guild ${server.guildId} --role ${role}`,
      )
    expect((await change('grant')).roles).toEqual([role])
    expect((await connection.event('updated_guild_member')).d?.extra?.body).toMatchObject({
      user_id: made.id,
      roles: [role],
    })
    expect(await pin()).toBeUndefined()
    expect((await change('grant')).roles).toEqual([role])
    expect((await change('revoke')).roles).toEqual([])
    const other = await send('pin me too', {}, by)
    const refused = await by('POST', 'message/pin', { target_id: main, msg_id: other.msg_id })
    expect(refused.data.error).toBe('message.no_right')
    expect((await change('revoke')).roles).toEqual([])
  })

  it('is created with the bot by `--permissions`', async () => {
    const connection = await connect(caller(server.url, await server.login('member')))
    const bits = 8192
    const made = await server.command<{ token: string; role_id: number }>(
      `bot create --name 管事 --guild ${server.guildId} --permissions ${bits}`,
    )
    expect((await connection.event('added_role')).d?.extra?.body).toMatchObject({
      role_id: made.role_id,
      name: '管事',
      permissions: bits,
    })
    const by = callWith(made.token)
    const { msg_id } = await send('mine', {}, by)
    expect((await by('POST', 'message/pin', { target_id: main, msg_id })).code).toBe(0)
  })
})

/** The ids of a guild's roles with the administrator permission. */
async function rolesOf(guildId: string): Promise<number[]> {
  const { rows } = await server.database.pool.query<{ role_id: number }>(
    `select role_id from role where guild_id = ${guildId} and permissions & 1 = 1 and role_id > 0`,
  )
  return rows.map(({ role_id }) => role_id)
}

describe('a bot loses access at once', () => {
  it('when its token is replaced: the old one is refused and its connection closes, the new one works', async () => {
    const made = await makeBot('换钥匙')
    const connection = await connect(callWith(made.token))
    const given = await server.command<{ id: string; token: string }>(`bot token --bot ${made.id}`)
    expect(await connection.closed).toBe(4001)
    expect((await callWith(made.token)('GET', 'user/me')).status).toBe(401)
    expect((await callWith(given.token)('GET', 'user/me')).data.id).toBe(made.id)
  })

  it('when it is stopped', async () => {
    const made = await makeBot('停下')
    const connection = await connect(callWith(made.token))
    await server.command(`bot stop --bot ${made.id}`)
    expect(await connection.closed).toBe(4001)
    expect((await callWith(made.token)('GET', 'user/me')).status).toBe(401)
  })

  it('when its account is banned: the next call is refused', async () => {
    const made = await makeBot('封禁')
    await server.database.pool.query(`update "user" set status = 10 where id = ${made.id}`)
    expect((await callWith(made.token)('GET', 'user/me')).status).toBe(401)
  })

  it('to a guild that it left: it receives no messages of it and may not send there', async () => {
    const made = await makeBot('离开')
    const connection = await connect(callWith(made.token))
    await server.command(`bot leave --bot ${made.id} --guild ${server.guildId}`)
    expect((await connection.event('self_exited_guild')).d?.target_id).toBe(made.id)
    const there = await callWith(made.token)('POST', 'message/create', { target_id: main, content: 'x' })
    expect([there.status, there.code]).toEqual([403, 403])
    const { msg_id } = await send('not for you')
    await server.command(`bot join --bot ${made.id} --guild ${server.guildId}`)
    await connection.event('self_joined_guild')
    const later = await send('for you')
    await connection.next(({ d }) => d?.msg_id === later.msg_id)
    expect(connection.frames.some(({ d }) => d?.msg_id === msg_id)).toBe(false)
  })

  it('when it goes offline by call: its connection closes, and it may connect again', async () => {
    const made = await makeBot('下线')
    const connection = await connect(callWith(made.token))
    expect((await callWith(made.token)('GET', 'user/get-online-status')).data).toEqual({
      online: true,
      online_os: ['Websocket'],
    })
    expect((await callWith(made.token)('POST', 'user/offline')).code).toBe(0)
    await connection.closed
    expect((await callWith(made.token)('GET', 'user/me')).data.online).toBe(false)
    await connect(callWith(made.token))
    expect((await callWith(made.token)('GET', 'user/me')).data.online).toBe(true)
  })
})
