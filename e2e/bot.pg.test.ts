/**
 * What public bot libraries read of the house, over real HTTP and a real line: envelopes and headers that a client fails
 * without, id forms that typed ones parse, fields they require. protocol.md §1 to §5.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { type BotCall, caller, type GatewayConnection, openGatewayConnection } from './botClient.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DIGITS = /^\d+$/
/** What every place that embeds a user must carry. protocol.md §5.1. */
const FACE = ['id', 'username', 'identify_num', 'online', 'avatar', 'bot']
const NOBODY = '00000000-0000-7000-8000-000000000000'

let house: TestServer
let bot: { id: string; token: string }
let say: BotCall
let main: string
const lines: GatewayConnection[] = []

const makeBot = (name: string) =>
  house.command<{ id: string; token: string }>(`bot create --name ${name} --guild ${house.guildId}`)
const as = (token: string) => caller(house.url, `Bot ${token}`)
async function lineOf(by: BotCall, compress = 1): Promise<GatewayConnection> {
  const { data } = await by<{ url: string }>('GET', 'gateway/index', { compress })
  const line = await openGatewayConnection(data.url)
  lines.push(line)
  return line
}
const send = async (content: string, more: object = {}, by = say) => {
  const { code, data } = await by<{ msg_id: string; msg_timestamp: number; nonce: string }>(
    'POST',
    'message/create',
    { target_id: main, content, ...more },
  )
  expect(code).toBe(0)
  return data
}

beforeAll(async () => {
  house = await openTestServer()
  main = house.channel('闲聊')
  bot = await makeBot('报时')
  say = as(bot.token)
})
afterAll(async () => {
  for (const line of lines) line.terminate()
  await house?.close()
})

describe('a bot', () => {
  it('without its token, with a wrong one, or with that of a person, is nobody', async () => {
    const person = await house.login('owner')
    for (const authorization of [null, 'Bot nonsense', `Bot ${bot.token}x`, bot.token, `Bot ${person}`]) {
      const answer = await caller(house.url, authorization)('GET', 'user/me')
      expect([authorization, answer.status, answer.code]).toEqual([authorization, 401, 401])
      expect(answer.data).toMatchObject({ name: 'Unauthorized', status: 401 })
    }
  })

  it('is kept out of what is made for people', async () => {
    const answer = await fetch(`${house.url}/api/v2/guilds`, {
      headers: { authorization: `Bot ${bot.token}` },
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 403, error: 'forbidden' })
  })

  it('has a token of the shape that typed clients check: three parts, the second a number in base 64, 33 to 35 long', () => {
    const parts = bot.token.split('/')
    expect(parts).toHaveLength(3)
    expect(Buffer.from(parts[1]!, 'base64').toString()).toMatch(DIGITS)
    expect(bot.token.length).toBeGreaterThanOrEqual(33)
    expect(bot.token.length).toBeLessThanOrEqual(35)
    expect(bot.token).not.toMatch(/\s/)
  })

  it('is not to be found in the database by its token', async () => {
    const { rows } = await house.database.pool.query(
      `select encode(token_hash, 'escape') as hash from session`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(bot.token)
  })

  it('reads of itself what libraries read at their start', async () => {
    const { status, headers, code, data } = await say('GET', 'user/me')
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
      ...FACE,
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

  it('finds on every answer the headers that some clients fail without, and its calls counted', async () => {
    const other = as((await makeBot('数数')).token)
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
    const refused = await other('GET', 'message/view', { msg_id: NOBODY })
    expect([refused.status, refused.code, refused.data.error]).toEqual([200, 40000, 'message.unknown'])
    expect(refused.headers.get('x-rate-limit-remaining')).toMatch(DIGITS)
  })

  it('joined as anybody does: the guild hears of it', async () => {
    const line = await lineOf(caller(house.url, await house.login('member')))
    const made = await makeBot('新来的')
    const { d } = await line.event('joined_guild')
    expect(d).toMatchObject({ channel_type: 'GROUP', target_id: house.guildId, author_id: '1' })
    expect(d?.extra?.body).toMatchObject({ user_id: made.id })
  })
})

describe('what a bot says', () => {
  it('is refused with a named reason, on HTTP 200, and nothing is sent', async () => {
    const newest = () => say('GET', 'message/list', { target_id: main, page_size: 1 })
    const before = (await newest()).data
    const code = async (input: object) => {
      const { status, code, data } = await say('POST', 'message/create', {
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
    expect(await code({ quote: NOBODY })).toEqual([200, 40000, 'message.unknown'])
    expect((await code({ temp_target_id: 'somebody' }))[2]).toBe('bad_input')
    expect((await code({ target_id: house.channel('值班室') }))[0]).toBe(403)
    expect((await code({ target_id: house.channel('公告') }))[2]).toBe('message.not_allowed')
    expect((await newest()).data).toEqual(before)
  })

  it('is KMarkdown unless it says otherwise; a nonce comes back, and works once', async () => {
    const before = await send('before', { nonce: 'n-1' })
    expect(before.msg_id).toMatch(UUID)
    expect(before.nonce).toBe('n-1')
    expect(Number.isInteger(before.msg_timestamp)).toBe(true)
    expect((await send('again', { nonce: 'n-1' })).msg_id).toBe(before.msg_id)
    expect((await send('without')).nonce).toBe('')
    const { data } = await say('GET', 'message/view', { msg_id: before.msg_id })
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
    for (const field of FACE) expect(data.author).toHaveProperty(field)
  })

  it('may be asked for by either method, by a path without the version, and by the old name of the call', async () => {
    const old = await say<{ msg_id: string }>('POST', 'channel/message', {
      channel_id: main,
      content: 'old',
      type: '1',
    })
    expect(old.code).toBe(0)
    const posted = await say('POST', 'message/view', { msg_id: old.data.msg_id })
    expect(posted.data).toMatchObject({ content: 'old', type: 1 })
    const bare = await fetch(`${house.url}/api/message/view?msg_id=${old.data.msg_id}`, {
      headers: { authorization: `Bot ${bot.token}` },
    })
    expect(((await bare.json()) as { data: unknown }).data).toEqual(posted.data)
    const neither = await say('POST', 'channel/message', { content: 'x' })
    expect([neither.code, neither.data.error]).toEqual([40000, 'bad_input'])
  })

  it('changes, is reacted to, pinned and deleted by it', async () => {
    const { msg_id } = await send('first')
    const act = async (path: string, input: object) => expect((await say('POST', path, input)).code).toBe(0)
    await act('message/update', { msg_id, content: '**second**', quote: '' })
    await act('message/add-reaction', { msg_id, emoji: '[#128226;]' })
    const { data } = await say<{ items: { id: string; content: string; reactions: unknown[] }[] }>(
      'GET',
      'message/list',
      { target_id: main, page_size: 1 },
    )
    expect(data.items[0]).toMatchObject({
      id: msg_id,
      content: '**second**',
      reactions: [{ emoji: { id: '[#128226;]', name: '📢' }, count: 1, me: true }],
    })
    const who = await say<{ id: string; reaction_time: number }[]>('GET', 'message/reaction-list', {
      msg_id,
      emoji: '📢',
    })
    expect(who.data.map(({ id }) => id)).toEqual([bot.id])
    await act('message/delete-reaction', { msg_id, emoji: '📢' })
    const pin = await say('POST', 'message/pin', { target_id: main, msg_id })
    expect([pin.code, pin.data.error]).toEqual([40300, 'message.no_right'])
    await act('message/delete', { msg_id })
    expect((await say('GET', 'message/view', { msg_id })).data.error).toBe('message.unknown')
  })

  it('may be a file it uploaded: 4 is a file and 3 a video to bots, the other way round to people', async () => {
    const form = new FormData()
    form.set('file', new Blob(['words']), 'a.txt')
    const uploaded = await fetch(`${house.url}/api/v3/asset/create`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.token}` },
      body: form,
    })
    const { code, data } = (await uploaded.json()) as { code: number; data: { url: string } }
    expect(code).toBe(0)
    const heard = await lineOf(say)
    const people = await lineOf(caller(house.url, await house.login('member')))
    const { msg_id } = await send(data.url, { type: 4 })
    const isIt = ({ d }: { d?: { msg_id?: string } }) => d?.msg_id === msg_id
    const ours = (await heard.next(isIt)).d
    expect(ours).toMatchObject({
      type: 4,
      content: data.url,
      extra: { type: 4, attachments: { type: 'file', url: data.url } },
    })
    expect(ours?.extra?.attachments).not.toHaveProperty('fileUrl')
    expect((await people.next(isIt)).d).toMatchObject({ type: 3, extra: { type: 3 } })
    expect((await say('GET', 'message/view', { msg_id })).data.type).toBe(4)
    const quoting = await send('look', { quote: msg_id })
    const quoted = await heard.next(({ d }) => d?.msg_id === quoting.msg_id)
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

describe.each([0, 1])('the line of a bot that asked for compress=%i', (compress) => {
  it('greets with one spelling of its session, sends every frame in one form, and answers a ping', async () => {
    const line = await lineOf(say, compress)
    const hello = line.frames[0]
    expect(hello).toEqual({ s: 1, d: { code: 0, session_id: hello?.d?.session_id } })
    expect(hello?.d?.session_id).toMatch(UUID)
    line.send({ s: 2, sn: 0, d: {} })
    expect(await line.next(({ s }) => s === 3)).toEqual({ s: 3 })
    expect(line.isCompressed()).toBe(compress === 1)
  })

  it('tells of a message with every field that some library requires', async () => {
    const line = await lineOf(say, compress)
    const { msg_id } = await send(`hi (met)${bot.id}(met)`, { nonce: `field-${compress}` })
    const { s, sn, d, extra } = await line.next(({ d }) => d?.msg_id === msg_id)
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
        guild_id: house.guildId,
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
    // khl.py fails on a quote that is there and empty.
    expect(d?.extra).not.toHaveProperty('quote')
    const author = d?.extra?.author as Record<string, unknown>
    for (const field of [
      ...FACE,
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

  it('tells of what happens to messages', async () => {
    const line = await lineOf(say, compress)
    const { msg_id } = await send('watched')
    await say('POST', 'message/add-reaction', { msg_id, emoji: '👍' })
    await say('POST', 'message/update', { msg_id, content: 'changed' })
    await say('POST', 'message/delete', { msg_id })
    const reacted = (await line.event('added_reaction')).d
    expect(reacted).toMatchObject({
      channel_type: 'GROUP',
      target_id: house.guildId,
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
    expect((await line.event('updated_message')).d?.extra?.body).toMatchObject({
      ...{
        msg_id,
        channel_id: main,
        content: 'changed',
        channel_type: 1,
        mention: [],
        quote: null,
        attachments: null,
      },
      kmarkdown: { mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
    })
    expect((await line.event('deleted_message')).d?.extra?.body).toMatchObject({ msg_id, channel_id: main })
  })

  it('is taken up where it was cut: the same session, what was missed with its numbers, then the acknowledgement', async () => {
    const { data } = await say<{ url: string }>('GET', 'gateway/index', { compress })
    const first = await openGatewayConnection(data.url)
    const session = first.frames[0]?.d?.session_id
    const seen = await send('seen')
    await first.next(({ d }) => d?.msg_id === seen.msg_id)
    first.terminate()
    await first.closed
    const missed = await send('missed')
    // One client appends to the address it had, another asks for a new one and uses it as it is.
    const appended = `${data.url}&resume=1&sn=1&session_id=${session}`
    const asked = await say<{ url: string }>('GET', 'gateway/index', {
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

describe('what a bot and a person say to each other', () => {
  it('comes to the lines of both, in the words of each, and is numbered with all else they hear', async () => {
    const token = await house.login('admin')
    const person = caller(house.url, token)
    const [ours, theirs] = [await lineOf(say), await lineOf(person)]
    const admin = house.person('admin').id
    const began = await say<{ code: string }>('POST', 'user-chat/create', { target_id: admin })
    expect(began.data.code).toMatch(/^[0-9a-f]{32}$/)
    const form = new FormData()
    form.set('file', new Blob(['words']), 'a.txt')
    const uploaded = await fetch(`${house.url}/api/v3/asset/create`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.token}` },
      body: form,
    })
    const { data: file } = (await uploaded.json()) as { data: { url: string } }
    const sent = await say<{ msg_id: string; nonce: string }>('POST', 'direct-message/create', {
      ...{ target_id: admin, content: file.url, type: 4, nonce: 'dm' },
    })
    expect(sent.data.nonce).toBe('dm')
    const isIt = ({ d }: { d?: { msg_id?: string } }) => d?.msg_id === sent.data.msg_id
    const frame = await ours.next(isIt)
    expect(frame.d).toMatchObject({
      ...{
        channel_type: 'PERSON',
        type: 4,
        target_id: admin,
        author_id: bot.id,
        content: file.url,
        nonce: 'dm',
      },
      extra: {
        type: 4,
        code: began.data.code,
        author: { id: bot.id, nickname: '报时', roles: [], is_sys: false },
      },
    })
    for (const field of ['guild_id', 'channel_name', 'channel_type', 'quote'])
      expect(frame.d?.extra).not.toHaveProperty(field)
    expect((await theirs.next(isIt)).d).toMatchObject({ channel_type: 'PERSON', type: 3, extra: { type: 3 } })

    const answer = await person<{ msg_id: string }>('POST', 'direct-message/create', {
      ...{ chat_code: began.data.code, content: '谢谢', type: 9, quote: sent.data.msg_id },
    })
    const heard = (await ours.next(({ d }) => d?.msg_id === answer.data.msg_id)).d
    expect(heard).toMatchObject({
      ...{ channel_type: 'PERSON', type: 9, target_id: bot.id, author_id: admin },
      extra: {
        code: began.data.code,
        quote: { rong_id: sent.data.msg_id, type: 4 },
        kmarkdown: { raw_content: '谢谢' },
      },
    })
    // By its old name, as one library still asks.
    const old = await say<{ msg_id: string }>('POST', 'user-chat/create-msg', {
      chat_code: began.data.code,
      content: 'x',
      type: 9,
    })
    await say('POST', 'direct-message/update', { msg_id: old.data.msg_id, content: 'y' })
    await say('POST', 'direct-message/add-reaction', { msg_id: old.data.msg_id, emoji: '📢' })
    await say('POST', 'direct-message/delete', { msg_id: old.data.msg_id })
    expect((await ours.event('updated_private_message')).d).toMatchObject({
      ...{ channel_type: 'PERSON', target_id: bot.id, author_id: '1' },
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
      ...{ msg_id: old.data.msg_id, user_id: bot.id, chat_code: began.data.code },
      emoji: { id: '[#128226;]', name: '📢' },
    })
    expect((await theirs.event('deleted_private_message')).d?.extra?.body).toMatchObject({
      msg_id: old.data.msg_id,
    })
    const numbers = ours.frames.flatMap(({ s, sn }) => (s === 0 ? sn : []))
    expect(numbers).toEqual(numbers.map((_, each) => each + 1))
  })
})

describe('the role of a bot', () => {
  it('is given by the command line to bots that are there, of roles that there are', async () => {
    const [role] = await rolesOf(house.guildId)
    const grant = (bot: string, guild: string, role: string | number) =>
      house.command(`bot grant --bot ${bot} --guild ${guild} --role ${role}`)
    const other = house.world.guilds[1]!.id
    await expect(grant(house.person('member').id, house.guildId, role!)).rejects.toThrow('no bot')
    await expect(grant(bot.id, '9', role!)).rejects.toThrow('no guild 9')
    await expect(grant(bot.id, other, role!)).rejects.toThrow('is not in guild')
    await expect(grant(bot.id, house.guildId, 99)).rejects.toThrow('no role 99')
    await expect(grant(bot.id, house.guildId, 0)).rejects.toThrow('--role must be')
    await expect(
      house.command(`bot revoke --bot ${bot.id} --guild ${house.guildId} --role x`),
    ).rejects.toThrow('--role must be')
    await expect(
      house.command(`bot create --name 不行 --guild ${house.guildId} --permissions all`),
    ).rejects.toThrow('--permissions must be')
    const { rows } = await house.database.pool.query(
      `select 1 from membership_role where user_id = ${bot.id}`,
    )
    expect(rows).toEqual([])
  })

  it('counts at once, and no longer when it is taken', async () => {
    const made = await makeBot('置顶')
    const by = as(made.token)
    const line = await lineOf(by)
    const { msg_id } = await send('pin me', {}, by)
    const pin = async () => (await by('POST', 'message/pin', { target_id: main, msg_id })).data.error
    expect(await pin()).toBe('message.no_right')
    const [role] = await rolesOf(house.guildId)
    const change = (verb: string) =>
      house.command<{ roles: number[] }>(
        `bot ${verb} --bot ${made.id} --guild ${house.guildId} --role ${role}`,
      )
    expect((await change('grant')).roles).toEqual([role])
    expect((await line.event('updated_guild_member')).d?.extra?.body).toMatchObject({
      ...{ user_id: made.id, roles: [role] },
    })
    expect(await pin()).toBeUndefined()
    expect((await change('grant')).roles).toEqual([role])
    expect((await change('revoke')).roles).toEqual([])
    const other = await send('pin me too', {}, by)
    const refused = await by('POST', 'message/pin', { target_id: main, msg_id: other.msg_id })
    expect(refused.data.error).toBe('message.no_right')
    expect((await change('revoke')).roles).toEqual([])
  })

  it('is made with the bot when it is to have rights of its own', async () => {
    const line = await lineOf(caller(house.url, await house.login('member')))
    const bits = 8192
    const made = await house.command<{ token: string; role_id: number }>(
      `bot create --name 管事 --guild ${house.guildId} --permissions ${bits}`,
    )
    expect((await line.event('added_role')).d?.extra?.body).toMatchObject({
      ...{ role_id: made.role_id, name: '管事', permissions: bits },
    })
    const by = as(made.token)
    const { msg_id } = await send('mine', {}, by)
    expect((await by('POST', 'message/pin', { target_id: main, msg_id })).code).toBe(0)
  })
})

/** The ids of a guild's roles that manage it. */
async function rolesOf(guildId: string): Promise<number[]> {
  const { rows } = await house.database.pool.query<{ role_id: number }>(
    `select role_id from role where guild_id = ${guildId} and permissions & 1 = 1 and role_id > 0`,
  )
  return rows.map(({ role_id }) => role_id)
}

describe('a bot is gone at once', () => {
  it('when it gets another token: the old one counts no longer and its line closes, the new one works', async () => {
    const made = await makeBot('换钥匙')
    const line = await lineOf(as(made.token))
    const given = await house.command<{ id: string; token: string }>(`bot token --bot ${made.id}`)
    expect(await line.closed).toBe(4001)
    expect((await as(made.token)('GET', 'user/me')).status).toBe(401)
    expect((await as(given.token)('GET', 'user/me')).data.id).toBe(made.id)
  })

  it('when it is stopped', async () => {
    const made = await makeBot('停下')
    const line = await lineOf(as(made.token))
    await house.command(`bot stop --bot ${made.id}`)
    expect(await line.closed).toBe(4001)
    expect((await as(made.token)('GET', 'user/me')).status).toBe(401)
  })

  it('when its account is banned, at its next word', async () => {
    const made = await makeBot('封禁')
    await house.database.pool.query(`update "user" set status = 10 where id = ${made.id}`)
    expect((await as(made.token)('GET', 'user/me')).status).toBe(401)
  })

  it('from a guild it left: it hears nothing more of it and may say nothing there', async () => {
    const made = await makeBot('离开')
    const line = await lineOf(as(made.token))
    await house.command(`bot leave --bot ${made.id} --guild ${house.guildId}`)
    expect((await line.event('self_exited_guild')).d?.target_id).toBe(made.id)
    const there = await as(made.token)('POST', 'message/create', { target_id: main, content: 'x' })
    expect([there.status, there.code]).toEqual([403, 403])
    const { msg_id } = await send('not for you')
    await house.command(`bot join --bot ${made.id} --guild ${house.guildId}`)
    await line.event('self_joined_guild')
    const later = await send('for you')
    await line.next(({ d }) => d?.msg_id === later.msg_id)
    expect(line.frames.some(({ d }) => d?.msg_id === msg_id)).toBe(false)
  })

  it('when it says that it goes offline: its line closes, and it may come back', async () => {
    const made = await makeBot('下线')
    const line = await lineOf(as(made.token))
    expect((await as(made.token)('GET', 'user/get-online-status')).data).toEqual({
      online: true,
      online_os: ['Websocket'],
    })
    expect((await as(made.token)('POST', 'user/offline')).code).toBe(0)
    await line.closed
    expect((await as(made.token)('GET', 'user/me')).data.online).toBe(false)
    await lineOf(as(made.token))
    expect((await as(made.token)('GET', 'user/me')).data.online).toBe(true)
  })
})
