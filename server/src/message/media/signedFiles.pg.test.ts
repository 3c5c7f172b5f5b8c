import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { listMessages, pinMessage, updateMessage, viewMessage } from '@guildhall/wire/message/action.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import { createMessage, history } from '@guildhall/wire/message/message.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoGuilds } from '../../demo/text.ts'
import type { PersonName } from '../../demo/world.ts'
import { clock, replaceClock } from '../../kit/clock.ts'
import { openConnection, type TestConnection } from '../../testing/connection.ts'
import { pngOf } from '../../testing/picture.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import { fileOf, openTestWebServer, pageWith, type TestWebServer } from '../../testing/web.ts'

type Speaker = PersonName | 'bot'

let web: TestWebServer
let server: TestServer
let bot: { token: string; id: string }
let restore: (() => void) | null = null
beforeAll(async () => {
  web = await openTestWebServer()
  web.serve('/raid.png', fileOf(await pngOf(30, 30, { r: 1, g: 2, b: 3 }), 'image/png'))
  web.serve('/page', pageWith('<title>攻略</title><meta property="og:image" content="/raid.png">'))
  server = await openTestServer({ FILES_EMBED_ORIGINS: 'https://wiki.example' }, web.safeFetch)
  bot = await server.command(`bot create --name 守门 --guild ${server.guildId}`)
})
afterAll(async () => {
  await server?.close()
  await web?.close()
})
afterEach(() => {
  restore?.()
  restore = null
})

let closed: ChannelId
beforeEach(async () => {
  const newChannel = { guild_id: server.guildId, name: '议事厅' }
  closed = (await by('owner').call(createChannel, newChannel)).id
  for (const value of [server.idOf('member'), bot.id]) await rule({ value, allow: VIEW, deny: 0 })
  await rule({ type: 'role_id', value: 0, allow: 0, deny: VIEW })
})

const { view_channel: VIEW } = permission
const by = (who: Speaker) => server.as(who === 'bot' ? { bot: bot.token } : who)
const rule = (it: object, channel_id = closed) => by('owner').call(updateOverwrite, { channel_id, ...it })
const open = () => rule({ type: 'role_id', value: 0, allow: VIEW, deny: 0 })
const main = () => server.channel(demoGuilds.demo.main)
let count = 0
async function picture(who: Speaker = 'member'): Promise<string> {
  count += 1
  return (await upload(who)).url
}
const upload = async (who: Speaker): Promise<Uploaded> =>
  by(who).upload(await pngOf(900, 600, { r: count % 256, g: 90, b: 50 }), 'a.png')
const send = async (who: Speaker, type: number, content: string, target_id = closed, more = {}) =>
  (await by(who).call(createMessage, { target_id, type, content, ...more })).msg_id
const shown = async (who: Speaker, id: string, channel = closed) =>
  (await by(who).call(listMessages, { target_id: channel })).items.find((it) => it.id === id)!
const addressIn = async (who: Speaker, id: string) => (await shown(who, id)).content
const status = async (url: string) => (await fetch(url)).status
const card = (...addresses: string[]) =>
  JSON.stringify([
    {
      type: 'card',
      modules: [{ type: 'container', elements: addresses.map((src) => ({ type: 'image', src })) }],
    },
  ])
const srcIn = (content: string) =>
  (JSON.parse(content) as { modules: { elements: { src: string }[] }[] }[])[0]!.modules[0]!.elements[0]!.src
const later = (ms: number) => {
  const at = clock.now() + ms
  restore?.()
  restore = replaceClock(() => at)
}
const connect = async (who: PersonName): Promise<TestConnection> =>
  openConnection((await by(who).call(userState)).gateway_url, Number(new URL(server.url).port))

describe('a picture of a channel that not everybody may view', () => {
  it('does not open by its plain address, in any size', async () => {
    const url = await picture()
    expect(await status(url)).toBe(200)
    const id = await send('member', 2, url)
    for (const plain of [url, `${url}?side=160`, `${url}?still=1`])
      expect([plain, await status(plain)]).toEqual([plain, 404])
    const signed = await addressIn('owner', id)
    for (const each of [signed, `${signed}&side=160`]) {
      const answer = await fetch(each)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, max-age=3600, immutable',
      ])
    }
    for (const wrong of [
      signed.replace(/-\d+$/, ''),
      signed.replace(/-\d+$/, `-${main()}`),
      signed.replace(/e=\d+/, 'e=99999'),
    ])
      expect([wrong, await status(wrong)]).toEqual([wrong, 404])
  })

  it('is lost to who was kicked when their address ends; who stays gets another', async () => {
    const id = await send('owner', 2, await picture('owner'))
    const known = await addressIn('admin', id)
    await by('owner').call(kickOut, { guild_id: server.guildId, target_id: server.idOf('admin') })
    expect(await by('admin').refusal(history, { id: closed })).toBe('forbidden')
    later(8 * DAY_MS)
    expect(await status(known)).toBe(404)
    expect(await status(await addressIn('owner', id))).toBe(200)
  })

  it('is signed wherever the message is read: room, list, view, pins, quotes, send and bots', async () => {
    const url = await picture()
    const id = await send('member', 2, url)
    const signed = await addressIn('owner', id)
    expect(signed).toMatch(/\?e=\d+&s=[\w-]{22}-\d+$/)
    await by('owner').call(pinMessage, { target_id: closed, msg_id: id })
    const quoting = await send('owner', 9, '好看', closed, { quote: id })
    for (const who of ['owner', 'bot'] as const) {
      const listed = (await by(who).call(listMessages, { target_id: closed })).items
      const one = await by(who).call(viewMessage, { msg_id: id })
      const seen = [
        listed.find((it) => it.id === id)?.content,
        one.content,
        (one.attachments as Attachment | null)?.url,
        ((await shown(who, quoting)).quote as { content: string } | null)?.content,
      ]
      expect(seen).toEqual(Array(4).fill(signed))
    }
    const room = await by('owner').call(history, { id: closed })
    const [pin] = await by('owner').call(listPins, { id: closed })
    expect([room.find((it) => it.id === id)?.content, pin?.message.content]).toEqual([signed, signed])
    const said = await by('member').say(closed, url, { type: 2, nonce: 'again' })
    const again = await by('member').say(closed, url, { type: 2, nonce: 'again' })
    expect([said.content, again.content]).toEqual([signed, signed])
  })

  it('is signed in events, alike for all, and in those of an edit', async () => {
    const [owner, member] = [await connect('owner'), await connect('member')]
    const id = await send('member', 2, await picture())
    const frames = await Promise.all(
      [owner, member].map((it) => it.next(({ d }) => d.type === 2 && d.target_id === closed)),
    )
    expect(frames.map(({ d }) => d.content)).toEqual(Array(2).fill(await addressIn('owner', id)))
    const [first, second] = [await picture('bot'), await picture('bot')]
    const cards = await send('bot', 10, card(first))
    await by('bot').call(updateMessage, { msg_id: cards, content: card(second) })
    const { d } = await owner.next((frame) => frame.d.extra?.type === 'updated_message')
    const { content } = d.extra!.body as { content: string }
    expect(await status(srcIn(content))).toBe(200)
    expect(content).toBe(await addressIn('owner', cards))
    for (const it of [owner, member]) it.close()
  })

  it('is signed in a card, and a text of its owner', async () => {
    const [inCard, inText] = [await picture('bot'), await picture()]
    const cards = await send('bot', 10, card(inCard))
    const text = await send('member', 9, `[看](${inText}) 和 ${inText}`)
    expect([await status(inCard), await status(inText)]).toEqual([404, 404])
    expect(await status(srcIn(await addressIn('owner', cards)))).toBe(200)
    const found = [...(await addressIn('owner', text)).matchAll(/https?:[^\s)]+/g)].map(([it]) => it)
    for (const it of found) expect([it, await status(it)]).toEqual([it, 200])
    expect(found).toHaveLength(2)
    // What a page edits has signatures, and what is stored has none.
    await by('member').call(updateMessage, { msg_id: text, content: `改：${found[0]}` })
    await open()
    expect(await addressIn('owner', text)).toBe(`改：${inText}`)
  })

  it('is signed in what one person alone is shown', async () => {
    const member = await connect('member')
    const url = await picture('bot')
    await send('bot', 10, card(url))
    await send('bot', 10, card(url), closed, { temp_target_id: server.idOf('member') })
    const { d } = await member.next((frame) => /visible_only":"\d/.test(JSON.stringify(frame)))
    expect(await status(srcIn(d.content!))).toBe(200)
    member.close()
  })

  it('is signed in a preview, and the address of the page is not', async () => {
    const id = await send('owner', 9, web.at('/page'))
    await server.settled()
    const [embed] = (await shown('owner', id)).embeds as { url: string; image: string }[]
    expect(embed?.url).toBe(web.at('/page'))
    expect([await status(embed!.image.split('?')[0]!), await status(embed!.image)]).toEqual([404, 200])
  })
})

describe('nobody gets an address signed', () => {
  it('by typing it: not in a text or a card of another channel, nor of another site', async () => {
    const url = await picture()
    await send('member', 2, url)
    const elsewhere = (await by('owner').call(createChannel, { guild_id: server.guildId, name: '别处' })).id
    await rule({ value: bot.id, allow: VIEW, deny: 0 }, elsewhere)
    await rule({ type: 'role_id', value: 0, allow: 0, deny: VIEW }, elsewhere)
    const text = await send('owner', 9, url, elsewhere)
    expect(await status((await shown('owner', text, elsewhere)).content)).toBe(404)
    expect(
      await by('bot').refusal(createMessage, { target_id: elsewhere, type: 10, content: card(url) }),
    ).toBe('asset.unknown')
    const lure = `https://evil.example${new URL(url).pathname}`
    expect(await addressIn('owner', await send('owner', 9, lure))).toBe(lure)
  })

  it('but a bot may show on what its signed address opens', async () => {
    const id = await send('member', 2, await picture())
    const shownOn = await send('bot', 10, card(await addressIn('bot', id)))
    expect(await status(srcIn(await addressIn('owner', shownOn)))).toBe(200)
  })
})

describe('it is asked when the file is', () => {
  it('a channel that is closed closes its files, and opened opens them', async () => {
    await open()
    const url = await picture()
    const id = await send('member', 2, url)
    expect([await status(url), await addressIn('owner', id)]).toEqual([200, url])
    await rule({ type: 'role_id', value: 0, allow: 0, deny: VIEW })
    expect([await status(url), await status(await addressIn('owner', id))]).toEqual([404, 200])
    await open()
    expect([await status(url), await addressIn('owner', id)]).toEqual([200, url])
  })

  it('a file that an open channel shows too is open, by being sent there or forwarded', async () => {
    const [sent, forwarded] = [await picture(), await picture()]
    for (const url of [sent, forwarded]) await send('member', 2, url)
    const id = await send('member', 2, forwarded)
    expect([await status(sent), await status(forwarded)]).toEqual([404, 404])
    await send('member', 2, sent, main())
    await by('member').call(forwardMessage, { msg_id: id, to_channel_id: main() })
    expect([await status(sent), await status(forwarded)]).toEqual([200, 200])
  })
})

it('pages of other sites may not show files, but those that the operator names', async () => {
  const url = await picture()
  const policyFor = async (headers: Record<string, string>) =>
    (await fetch(url, { headers })).headers.get('cross-origin-resource-policy')
  expect(await policyFor({ referer: 'https://evil.example/' })).toBe('same-site')
  expect(await policyFor({ referer: 'https://wiki.example/heroes' })).toBe('cross-origin')
  expect(await status(url)).toBe(200)
})
