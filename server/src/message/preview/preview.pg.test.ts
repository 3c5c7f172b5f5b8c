import type { ServerResponse } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { deleteMessage, updateMessage, viewMessage } from '@guildhall/wire/message/action.ts'
import { history } from '@guildhall/wire/message/message.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoGuilds } from '../../demo/text.ts'
import type { PersonName } from '../../demo/world.ts'
import { clock, replaceClock } from '../../kit/clock.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import { fileOf, openTestWebServer, pageWith, type TestWebServer } from '../../testing/web.ts'
import { bareAddresses } from './preview.ts'

let web: TestWebServer
let server: TestServer
let png: Buffer
beforeAll(async () => {
  web = await openTestWebServer({ 'inside.example': '10.0.0.7' })
  server = await openTestServer({}, web.safeFetch)
  png = await sharp({ create: { width: 1200, height: 600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Make: 'Secret Camera' } })
    .png()
    .toBuffer()
  web.serve('/raid.png', fileOf(png, 'image/png'))
  web.serve('/page', pageWith('<title>攻略</title><meta property="og:image" content="/raid.png">'))
})
beforeEach(() => sql`delete from attempt where name = 'fetch by person'`.execute(server.database.db))
afterAll(async () => {
  await server?.close()
  await web?.close()
})

const main = () => server.channel(demoGuilds.demo.main)
const sendText = (content: string, type = 9, who: PersonName = 'owner') =>
  server.as(who).say(main(), content, { type })
const call = <R extends Route>(route: R, input: object) => server.as('owner').call(route, input)
const embedsOf = async (id: string) =>
  (await call(viewMessage, { msg_id: id })).embeds as Record<string, unknown>[]
/** The embeds of a message, once its preview is made. */
async function shownAt(id: string): Promise<Record<string, unknown>[]> {
  await server.settled()
  return embedsOf(id)
}
/** The events about a message's embeds. */
const embedEvents = async (id: string) =>
  (
    await sql<{ body: Record<string, unknown>; channel_id: string }>`
      select body, channel_id from event_log
      where guild_id = ${server.guildId as GuildId} and kind = 'embeds_append' and body->>'msg_id' = ${id}
      order by seq`.execute(server.database.db)
  ).rows
describe('nothing is shown', () => {
  it('for addresses that are no bare links', () => {
    const bare = (source: string) => bareAddresses(parse(source))
    expect(bare('`https://a.example` (spl)https://b.example(spl) [words](https://c.example)')).toEqual([])
    expect(
      bare('a https://a.example/x, **https://b.example** [https://c.example](https://c.example)'),
    ).toEqual(['https://a.example/x', 'https://b.example', 'https://c.example'])
    expect(bare('https://a.example https://a.example')).toEqual(['https://a.example'])
  })

  it('for an address that is missing, private, no page, without a title, or of a false type', async () => {
    const bomb = (side: number) => {
      const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
      const size = Buffer.alloc(13)
      size.writeUInt32BE(side, 0)
      size.writeUInt32BE(side, 4)
      size.set([8, 2, 0, 0, 0], 8)
      return Buffer.concat([head, size, Buffer.alloc(4), deflateSync(Buffer.alloc(1_000_000))])
    }
    const responders = {
      '/svg': fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
      '/liar.png': fileOf(Buffer.from('<html><title>x</title>'), 'image/png'),
      '/picture-as-page': fileOf(png, 'text/html'),
      '/zip': fileOf(Buffer.from('PK\u0003\u0004'), 'application/zip'),
      '/huge.png': fileOf(bomb(40_000), 'image/png'),
      '/heavy.png': fileOf(Buffer.concat([png, Buffer.alloc(11_000_000)]), 'image/png'),
      '/untitled': pageWith('<meta property="og:description" content="x">'),
      '/endless.png': (response: ServerResponse) => {
        response.setHeader('content-type', 'image/png').write(png)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      '/bomb': (response: ServerResponse) =>
        void response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.concat([Buffer.alloc(60_000_000, ' '), Buffer.from('<title>x</title>')]))),
      '/nested': fileOf(Buffer.from('<i>'.repeat(400_000)), 'text/html'),
    }
    for (const [path, responder] of Object.entries(responders)) web.serve(path, responder)
    const ids: string[] = []
    for (const path of [...Object.keys(responders), '/nothing']) ids.push((await sendText(web.at(path))).id)
    for (const address of ['http://inside.example/', 'http://127.0.0.1:1/', 'http://[::ffff:127.0.0.1]/'])
      ids.push((await sendText(address)).id)
    await server.settled()
    for (const path of Object.keys(responders)) expect([path, web.requestCount(path)]).toEqual([path, 1])
    for (const id of ids) expect(await embedsOf(id)).toEqual([])
  })

  it('for a page whose words are not allowed here', async () => {
    await server.command('word', 'add', '--word', '代练工作室', '--action', 'hold')
    await expect.poll(() => server.appContext.screening?.isOn).toBe(true)
    web.serve('/advert', pageWith('<title>代练工作室</title>'))
    const { id } = await sendText(web.at('/advert'))
    await server.settled()
    expect(web.requestCount('/advert')).toBe(1)
    expect(await embedsOf(id)).toEqual([])
    await server.command('word', 'remove', '--word', '代练工作室')
  })

  it('for an invite of this server, and for text of another kind', async () => {
    const own = await sendText(
      `${server.url}/invite/${server.invite} ${server.url.replace('http:', 'https:')}/x`,
    )
    const text = await sendText(web.at('/page'), 1)
    await server.settled()
    expect([await embedsOf(own.id), await embedsOf(text.id)]).toEqual([[], []])
    expect(web.requestCount('/page')).toBe(0)
  })

  it('for a message that was deleted or edited before the preview was ready', async () => {
    let answer = () => undefined as unknown
    web.serve('/slow', (response) => {
      answer = () => pageWith('<title>late</title>')(response)
    })
    const gone = await sendText(web.at('/slow'))
    await expect.poll(() => web.requestCount('/slow')).toBe(1)
    const changed = await sendText(`and ${web.at('/slow')}`)
    await call(deleteMessage, { msg_id: gone.id })
    await call(updateMessage, { msg_id: changed.id, content: 'nothing' })
    answer()
    await server.settled()
    expect([await embedEvents(gone.id), await embedEvents(changed.id)]).toEqual([[], []])
    expect(await call(viewMessage, { msg_id: changed.id })).toMatchObject({ embeds: [], revision: 1 })
  })

  it('past the rate limit of a person, until the minute is over', async () => {
    const { db } = server.database
    const person = server.idOf('member')
    await sql`insert into attempt (name, key, started_at, spent)
      values ('fetch by person', ${person}, ${clock.now()}, 120)`.execute(db)
    const first = await sendText(`${web.at('/page')}?one`, 9, 'member')
    await server.settled()
    expect(await embedsOf(first.id)).toEqual([])
    await sql`delete from attempt where name = 'fetch by person'`.execute(db)
    expect(await shownAt((await sendText(`${web.at('/page')}?one`, 9, 'member')).id)).toHaveLength(1)
  })
})

describe('the preview of addresses', () => {
  it('shows a page by its metadata, with a picture that is stored, scaled down and without metadata', async () => {
    const address = `${web.at('/page')}?own`
    const { id, revision } = await sendText(`看 ${address}`)
    const [embed] = await shownAt(id)
    expect(embed).toMatchObject({
      type: 'link',
      url: address,
      title: '攻略',
      description: '',
      site_name: 'web.example',
      theme_color: '',
    })
    const image = String(embed!.image)
    expect(image.startsWith(`${server.url}/assets/`)).toBe(true)
    expect(sizeIn(image)).toEqual({ width: 800, height: 400 })
    const stored = Buffer.from(await (await fetch(image)).arrayBuffer())
    expect(stored.includes('Secret')).toBe(false)

    expect(await embedEvents(id)).toEqual([
      {
        channel_id: main(),
        body: {
          rong_id: id,
          msg_id: id,
          channel_id: main(),
          guild_id: server.guildId,
          embeds: [embed],
          revision: revision + 1,
        },
      },
    ])
    const [newest] = await call(history, { id: main(), page_size: 1 })
    expect(newest).toMatchObject({ id, embeds: [embed], revision: revision + 1 })
  })

  it('shows at most three pictures in the order of the text, though the first is the slowest', async () => {
    web.serve('/late.png', (response) => setTimeout(() => fileOf(png, 'image/png')(response), 80))
    const addresses = ['/late.png', '/raid.png', '/page', '/raid.png?four'].map((path) => web.at(path))
    const { id } = await sendText(addresses.join(' '))
    const embeds = await shownAt(id)
    expect(embeds.map(({ type }) => type)).toEqual(['image', 'image', 'link'])
    expect(embeds[0]).toMatchObject({ origin_url: addresses[0] })
    expect(sizeIn(String(embeds[0]!.url))).toEqual({ width: 1200, height: 600 })
  })

  it('shows a video of the video site, or its page when metadata is missing', async () => {
    const head = (more: string) =>
      pageWith(
        `<meta property="og:title" content="首杀">${more}<meta property="og:image" content="/raid.png">`,
      )
    web.serve('/video/av170001', head('<meta property="og:video:duration" content="605">'))
    web.serve('/video/av170002', head(''))
    const [film, page] = ['/video/av170001', '/video/av170002'].map((it) => web.at(it, 'www.bilibili.com'))
    const embeds = await shownAt((await sendText(`${film} ${page}`)).id)
    expect(embeds).toMatchObject([
      {
        type: 'bili-video',
        url: film,
        origin_url: film,
        av_no: '170001',
        duration: 605,
        title: '首杀',
        iframe_path: 'https://player.bilibili.com/player.html?aid=170001',
      },
      { type: 'link', url: page, title: '首杀' },
    ])
    expect(sizeIn(String(embeds[0]!.pic))).not.toBeNull()
  })

  it('is removed by an edit, and that of the new content follows', async () => {
    const { id } = await sendText(`${web.at('/page')}?edit`)
    await shownAt(id)
    const { revision } = await call(updateMessage, {
      msg_id: id,
      content: `${web.at('/raid.png')}?edit`,
    })
    expect(revision).toBe(2)
    expect((await shownAt(id))[0]?.type).toBe('image')
    expect((await call(viewMessage, { msg_id: id })).revision).toBe(3)
    await call(updateMessage, { msg_id: id, content: 'nothing' })
    expect(await call(viewMessage, { msg_id: id })).toMatchObject({ embeds: [], revision: 4 })
  })

  it('is not repeated for a repeated send', async () => {
    web.serve('/again', pageWith('<title>again</title>'))
    const send = () => server.as('owner').say(main(), web.at('/again'), { nonce: 'again' })
    const { id } = await send()
    const embeds = await shownAt(id)
    expect(await send()).toMatchObject({ id, embeds, revision: 1 })
    await server.settled()
    expect(await embedEvents(id)).toHaveLength(1)
  })

  it('has a picture that is not deleted at once with a message, as others may show it, and is marked to be looked at', async () => {
    const [one, two] = [
      await sendText(`${web.at('/page')}?shared`),
      await sendText(`${web.at('/page')}?shared`),
    ]
    const image = String((await shownAt(one.id))[0]!.image)
    expect((await shownAt(two.id))[0]!.image).toBe(image)
    const checkAt = async () =>
      (
        await sql<{ check_at: string | null }>`
          select check_at from asset where key = ${assetKey(image)}`.execute(server.database.db)
      ).rows[0]?.check_at
    await sql`update asset set check_at = null where key = ${assetKey(image)}`.execute(server.database.db)
    await call(deleteMessage, { msg_id: one.id })
    expect((await fetch(image)).status).toBe(200)
    expect(Number(await checkAt())).toBeGreaterThan(clock.now())
  })

  it('fetches an address of two people once within minutes, and again later', async () => {
    web.serve('/shared', pageWith('<title>shared</title>'))
    const [one, two] = await Promise.all([
      sendText(web.at('/shared')),
      sendText(web.at('/shared'), 9, 'member'),
    ])
    await shownAt(one.id)
    await shownAt(two.id)
    await shownAt((await sendText(web.at('/shared'))).id)
    expect(web.requestCount('/shared')).toBe(1)
    const later = clock.now() + 6 * MINUTE_MS
    const restore = replaceClock(() => later)
    try {
      await shownAt((await sendText(web.at('/shared'))).id)
    } finally {
      restore()
    }
    expect(web.requestCount('/shared')).toBe(2)
  })
})
