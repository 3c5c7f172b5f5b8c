import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { places } from '../demo/text.ts'
import type { CastName } from '../demo/world.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
const tokens = new Map<CastName, string>()
let main: string
let side: string
beforeAll(async () => {
  server = await openTestServer()
  for (const name of ['owner', 'member', 'admin', 'unverified', 'outsider'] as const)
    tokens.set(name, await server.login(name))
  main = server.channel(places.demo.main)
  side = server.channel(places.demo.side)
})
afterAll(() => server?.close())

interface Answer {
  readonly status: number
  readonly error: string | undefined
  readonly msgId: string
}

async function post(who: CastName, path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${server.url}/api/v2/${path}`, {
    method: 'POST',
    headers: { authorization: tokens.get(who)!, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const read = (await answer.json()) as { error?: string; msgId: string }
  return { status: answer.status, error: read.error, msgId: read.msgId }
}
const say = (who: CastName, content: string, type = 9, channel = main) =>
  post(who, `channels/${channel}/message`, { content: JSON.stringify({ type, content }) })
const forward = (who: CastName, body: object) => post(who, 'messages/forward', body)

interface Seen {
  readonly id: string
  readonly type: number
  readonly content: string
  readonly mention: readonly string[]
  readonly attachments: { readonly name: string } | null
  readonly author: { readonly id: string }
}
async function read<T>(who: CastName, path: string): Promise<T> {
  const headers = { authorization: tokens.get(who)! }
  return (await (await fetch(`${server.url}/api/${path}`, { headers })).json()) as T
}
const newest = async (channel: string) =>
  (await read<Seen[]>('owner', `v2/channels/${channel}/messages?page_size=1`))[0]!
const privately = async (who: CastName, other: CastName) =>
  (
    await read<{ data: { items: (Seen & { chat_code: string })[] } }>(
      who,
      `v3/direct-message/list?target_id=${server.person(other).id}`,
    )
  ).data.items.at(-1)!

async function uploaded(who: CastName): Promise<Uploaded> {
  const red = { width: 30, height: 20, channels: 3 as const, background: 'red' }
  const form = new FormData()
  const content = await sharp({ create: red }).png().toBuffer()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), '合影.png')
  const headers = { authorization: tokens.get(who)! }
  const answer = await fetch(`${server.url}/api/v2/assets/file`, { method: 'POST', body: form, headers })
  return (await answer.json()) as Uploaded
}

describe('a message is not forwarded', () => {
  it('by who does not see it, from a channel or from a private conversation', async () => {
    const { msgId } = await say('owner', '后台的话', 9, server.channel(places.demo.private))
    expect((await forward('member', { msg_id: msgId, to_channel_id: main })).error).toBe('message.unknown')
    await post('owner', `user-chats/${await codeOf('owner', 'admin')}/message`, { content: '我们俩' })
    const { id, chat_code } = await privately('owner', 'admin')
    expect((await forward('member', { msg_id: id, chat_code, to_channel_id: main })).error).toBe(
      'chat.unknown',
    )
    expect((await forward('member', { msg_id: id, to_channel_id: main })).error).toBe('message.unknown')
  })

  it('to nowhere, to two places, or to where one may not write', async () => {
    const { msgId: msg_id } = await say('owner', '大家好')
    const hidden = server.channel(places.demo.private)
    const to = { msg_id, to_channel_id: side }
    expect((await forward('member', { msg_id })).error).toBe('bad_input')
    expect((await forward('member', { ...to, to_user_id: server.person('owner').id })).error).toBe(
      'bad_input',
    )
    expect((await forward('member', { ...to, to_channel_id: hidden })).error).toBe('forbidden')
    expect((await forward('unverified', to)).error).toBe('message.not_allowed')
    expect((await forward('outsider', to)).error).toBe('message.unknown')
    const stranger = { msg_id, to_user_id: server.person('outsider').id }
    expect((await forward('member', stranger)).error).toBe('chat.not_allowed')
  })

  it('after it was deleted', async () => {
    const { msgId: msg_id } = await say('owner', '说错了')
    await fetch(`${server.url}/api/v3/message/delete`, {
      method: 'POST',
      headers: { authorization: tokens.get('owner')!, 'content-type': 'application/json' },
      body: JSON.stringify({ msg_id }),
    })
    expect((await forward('member', { msg_id, to_channel_id: side })).error).toBe('message.unknown')
  })
})

describe('a forwarded message', () => {
  it('is a new one in one’s own name that mentions nobody again, and is sent once', async () => {
    const { id, username } = server.person('owner')
    const { msgId: msg_id } = await say(
      'member',
      `**快来** (met)${id}(met) (met)all(met) 看 (chn)${side}(chn)`,
    )
    const input = { msg_id, to_channel_id: side, nonce: 'once' }
    const [first, second] = [await forward('admin', input), await forward('admin', input)]
    expect(second.msgId).toBe(first.msgId)
    const sent = await newest(side)
    expect(sent).toMatchObject({
      ...{ id: first.msgId, type: 9, mention: [], author: { id: server.person('admin').id } },
      content: `**快来** @${username} @全体成员 看 #${places.demo.side}`,
    })
  })

  it('of plain text calls nobody either', async () => {
    const { username, identify_num } = await whois('owner')
    const { msgId: msg_id } = await say('member', `@${username}#${identify_num} *星*`, 1)
    await forward('admin', { msg_id, to_channel_id: side })
    expect(await newest(side)).toMatchObject({
      mention: [],
      type: 9,
      content: `\\@${username}\\#${identify_num} \\*星\\*`,
    })
  })

  it('shows the picture of somebody else in a channel and to a person, and it stays when the first is deleted', async () => {
    const { url } = await uploaded('member')
    const { msgId: msg_id } = await say('member', url, 2)
    expect((await forward('owner', { msg_id, to_channel_id: side })).status).toBe(200)
    expect(await newest(side)).toMatchObject({ type: 2, content: url, attachments: { name: '合影.png' } })
    expect((await forward('owner', { msg_id, to_user_id: server.person('admin').id })).status).toBe(200)
    const letter = await privately('admin', 'owner')
    expect(letter).toMatchObject({ type: 2, attachments: { name: '合影.png' } })
    expect((await fetch(letter.content)).status).toBe(200)
    // And on from there, by the one who got it.
    const { id, chat_code } = letter
    expect((await forward('admin', { msg_id: id, chat_code, to_channel_id: main })).status).toBe(200)
    expect(await newest(main)).toMatchObject({ type: 2, content: url })
  })
})

async function codeOf(who: CastName, other: CastName): Promise<string> {
  const answer = await fetch(`${server.url}/api/v3/user-chat/create`, {
    method: 'POST',
    headers: { authorization: tokens.get(who)!, 'content-type': 'application/json' },
    body: JSON.stringify({ target_id: server.person(other).id }),
  })
  return ((await answer.json()) as { data: { code: string } }).data.code
}
const whois = async (name: CastName) =>
  (
    await read<{ data: { username: string; identify_num: string } }>(
      'owner',
      `v3/user/view?user_id=${server.person(name).id}`,
    )
  ).data
