import { createChat, listPrivate, sendToChat } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { deleteMessage } from '@guildhall/wire/message/action.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../demo/text.ts'
import type { PersonName } from '../demo/world.ts'
import { pngOf } from '../testing/picture.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let main: string
let side: string
beforeAll(async () => {
  server = await openTestServer()
  main = server.channel(demoGuilds.demo.main)
  side = server.channel(demoGuilds.demo.side)
})
afterAll(() => server?.close())

const say = (who: PersonName, content: string, type = 9, channel = main) =>
  server.as(who).say(channel, content, { type })
const forward = (who: PersonName, body: object) => server.as(who).call(forwardMessage, body)
/** What forwarding is refused with. */
const refused = (who: PersonName, body: object) => server.as(who).refusal(forwardMessage, body)

const newest = async (id: string) => (await server.as('owner').call(history, { id, page_size: 1 }))[0]!
const privately = async (who: PersonName, other: PersonName) =>
  (await server.as(who).call(listPrivate, { target_id: server.idOf(other) })).items.at(-1)!

describe('a message is not forwarded', () => {
  it('by who does not see it, from a channel or from a private conversation', async () => {
    const { id: msg_id } = await say('owner', '后台的话', 9, server.channel(demoGuilds.demo.private))
    expect(await refused('member', { msg_id, to_channel_id: main })).toBe('message.unknown')
    const { code } = await server.as('owner').call(createChat, { target_id: server.idOf('admin') })
    await server.as('owner').call(sendToChat, { code, content: '我们俩' })
    const { id, chat_code } = await privately('owner', 'admin')
    expect(await refused('member', { msg_id: id, chat_code, to_channel_id: main })).toBe('chat.unknown')
    expect(await refused('member', { msg_id: id, to_channel_id: main })).toBe('message.unknown')
  })

  it('to nowhere, to two places, or to where one may not write', async () => {
    const { id: msg_id } = await say('owner', '大家好')
    const hidden = server.channel(demoGuilds.demo.private)
    const to = { msg_id, to_channel_id: side }
    expect(await refused('member', { msg_id })).toBe('bad_input')
    expect(await refused('member', { ...to, to_user_id: server.idOf('owner') })).toBe('bad_input')
    expect(await refused('member', { ...to, to_channel_id: hidden })).toBe('forbidden')
    expect(await refused('unverified', to)).toBe('message.not_allowed')
    expect(await refused('outsider', to)).toBe('message.unknown')
    const stranger = { msg_id, to_user_id: server.idOf('outsider') }
    expect(await refused('member', stranger)).toBe('chat.not_allowed')
  })

  it('after it was deleted', async () => {
    const { id: msg_id } = await say('owner', '说错了')
    await server.as('owner').call(deleteMessage, { msg_id })
    expect(await refused('member', { msg_id, to_channel_id: side })).toBe('message.unknown')
  })
})

describe('a forwarded message', () => {
  it('is a new one in one’s own name that mentions nobody again, and is sent once', async () => {
    const { id, username } = server.person('owner')
    const { id: msg_id } = await say('member', `**快来** (met)${id}(met) (met)all(met) 看 (chn)${side}(chn)`)
    const input = { msg_id, to_channel_id: side, nonce: 'once' }
    const [first, second] = [await forward('admin', input), await forward('admin', input)]
    expect(second.msgId).toBe(first.msgId)
    const sent = await newest(side)
    expect(sent).toMatchObject({
      id: first.msgId,
      type: 9,
      mention: [],
      author: { id: server.idOf('admin') },
      content: `**快来** @${username} @全体成员 看 #${demoGuilds.demo.side}`,
    })
  })

  it('of plain text calls nobody either', async () => {
    const { username, identify_num } = server.person('owner')
    const { id: msg_id } = await say('member', `@${username}#${identify_num} *星*`, 1)
    await forward('admin', { msg_id, to_channel_id: side })
    expect(await newest(side)).toMatchObject({
      mention: [],
      type: 9,
      content: `\\@${username}\\#${identify_num} \\*星\\*`,
    })
  })

  it('shows the picture of somebody else in a channel and to a person, and it stays when the first is deleted', async () => {
    const { url } = await server.as('member').upload(await pngOf(30, 20), '合影.png')
    const { id: msg_id } = await say('member', url, 2)
    expect(await refused('owner', { msg_id, to_channel_id: side })).toBe('none')
    expect(await newest(side)).toMatchObject({ type: 2, content: url, attachments: { name: '合影.png' } })
    expect(await refused('owner', { msg_id, to_user_id: server.idOf('admin') })).toBe('none')
    const letter = await privately('admin', 'owner')
    expect(letter).toMatchObject({ type: 2, attachments: { name: '合影.png' } })
    expect((await fetch(letter.content)).status).toBe(200)
    // And on from there, by the one who got it.
    const { id, chat_code } = letter
    expect(await refused('admin', { msg_id: id, chat_code, to_channel_id: main })).toBe('none')
    expect(await newest(main)).toMatchObject({ type: 2, content: url })
  })
})
