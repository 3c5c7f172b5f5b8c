import { type Uploaded, uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { guildUpdated } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { eventOf, messageOf } from '@guildhall/wire/message/event.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../../demo/text.ts'
import type { PersonName } from '../../demo/world.ts'
import { commit } from '../../kit/events/events.ts'
import { refusalOf } from '../../testing/calls.ts'
import { pngOf } from '../../testing/picture.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let picture: Uploaded
let file: Uploaded
let film: Uploaded
beforeAll(async () => {
  server = await openTestServer()
  picture = await server.as('member').upload(await pngOf(30, 20), '合影.png')
  file = await server.as('member').upload(Buffer.from('%PDF-1.7 words'), '攻略.pdf')
  film = await server.as('member').upload(mp4(12_500), '首杀.mp4')
})
afterAll(() => server?.close())

/** A video whose header has this duration, ms, and this size; it has no frames. */
function mp4(ms: number, sides: readonly number[] = []): Buffer {
  const u32 = (...numbers: number[]) =>
    Buffer.concat(numbers.map((n) => Buffer.from([n >> 24, n >> 16, n >> 8, n])))
  const box = (name: string, body: Buffer) => Buffer.concat([u32(body.length + 8), Buffer.from(name), body])
  const mvhd = box('mvhd', Buffer.concat([u32(0, 0, 0, 1_000, ms), Buffer.alloc(80)]))
  const tkhd = box('tkhd', Buffer.concat([Buffer.alloc(76), u32(...sides.map((side) => side << 16))]))
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0')),
    box('moov', Buffer.concat([mvhd, box('trak', tkhd)])),
  ])
}

const say = (who: PersonName, type: number, content: string, more: object = {}) =>
  server.as(who).say(server.channel(demoGuilds.demo.main), content, { type, ...more })
/** Changes the guild, and emits the event. */
const run = (text: ReturnType<typeof sql>) =>
  commit(server.appContext, async (tx, emit) => {
    await text.execute(tx)
    const id = server.guildId as GuildId
    emit.guild(id, guildUpdated, { id, name: '' })
  })

describe('a file message is refused', () => {
  it('for an address of another server', async () => {
    for (const content of ['words', 'https://example.com/a.png', `${server.url}/assets/2026-11/nobody12.png`])
      for (const type of [2, 3, 4, 8])
        expect(await refusalOf(say('member', type, content))).toBe('asset.unknown')
  })

  it('for another person’s upload', async () => {
    expect(await refusalOf(say('owner', 2, picture.url))).toBe('asset.unknown')
    expect(await refusalOf(say('owner', 3, file.url))).toBe('asset.unknown')
  })

  it.each([
    [2, 'file'],
    [4, 'file'],
    [4, 'picture'],
    [8, 'picture'],
  ])('of type %i for a %s', async (type, what) => {
    const { url } = what === 'file' ? file : picture
    expect(await refusalOf(say('member', type, url))).toBe('asset.unknown')
  })

  it('of a video whose cover is another person’s, no picture or unknown, or whose size is invalid', async () => {
    const foreign = await server.as('owner').upload(await pngOf(9, 9), 'x.png')
    for (const cover of [foreign.url, file.url, film.url, 'https://example.com/a.png', 'words'])
      expect(await refusalOf(say('member', 4, film.url, { cover }))).toBe('asset.unknown')
    for (const more of [
      { width: 0 },
      { height: -1 },
      { duration: 1.5 },
      { width: 1e9 },
      { duration: 'long' },
    ])
      expect(await refusalOf(say('member', 4, film.url, more))).toBe('bad_input')
  })

  it('from a person who may not upload in the channel, but may send text', async () => {
    const everyone = sql`guild_id = ${server.guildId} and role_id = 0`
    await run(
      sql`update role set permissions = permissions & ~${permission.upload_file}::integer where ${everyone}`,
    )
    expect(await refusalOf(say('member', 2, picture.url))).toBe('message.not_allowed')
    await say('member', 9, 'words')
    await run(
      sql`update role set permissions = permissions | ${permission.upload_file}::integer where ${everyone}`,
    )
  })

  it('when the file is larger than this guild’s level allows', async () => {
    await run(sql`update guild set level = 6 where id = ${server.guildId}`)
    const large = await server.as('member').upload(Buffer.alloc(uploadMaxBytes(0, false) + 1), 'large.iso')
    await run(sql`update guild set level = 0 where id = ${server.guildId}`)
    expect(await refusalOf(say('member', 3, large.url))).toBe('asset.too_large')
    await run(sql`update guild set level = 1 where id = ${server.guildId}`)
    await say('member', 3, large.url)
  })
})

describe('a file message', () => {
  it('describes its picture from the stored file, in its event and in the history', async () => {
    const elsewhere = `https://elsewhere.example.com/${assetKey(picture.url)}?x=1`
    const message = await say('member', 2, elsewhere)
    expect(message.content).toBe(picture.url)
    expect(attachmentOf(message)).toEqual({
      type: 'image',
      name: '合影.png',
      url: picture.url,
      fileUrl: picture.url,
      file_type: 'image/png',
      size: picture.size,
      width: 30,
      height: 20,
      thumbhash: expect.any(String),
    })
    expect(picture.url.endsWith(message.image_name)).toBe(true)
    expect(message.kmarkdown.raw_content).toBe('[图片]')
    const id = server.channel(demoGuilds.demo.main)
    expect(await server.as('owner').call(history, { id, page_size: 1 })).toEqual([message])
    expect(messageOf(eventOf(message, { name: 'x', type: 1 }, 'specification'))).toEqual(message)
    expect(eventOf(message, { name: 'x', type: 1 }, 'public').extra.attachments).toMatchObject({
      type: 'image',
      name: '合影.png',
      url: picture.url,
    })
  })

  it('of a video has its cover, and size and duration from the file rather than from its sender', async () => {
    const looks = { cover: picture.url, width: 1280, height: 720, duration: 99_000 }
    const message = await say('member', 4, film.url, looks)
    expect(attachmentOf(message)).toEqual({
      type: 'video',
      name: '首杀.mp4',
      url: film.url,
      fileUrl: film.url,
      file_type: 'video/mp4',
      size: film.size,
      width: 1280,
      height: 720,
      duration: 12_500,
      cover: picture.url,
    })
    const received = eventOf(message, { name: 'x', type: 1 }, 'public')
    expect([received.type, received.extra.attachments]).toMatchObject([
      3,
      { duration: 12.5, cover: picture.url },
    ])
    const known = await server.as('member').upload(mp4(5_000, [640, 360]), '认得.mp4')
    expect([known.width, known.height]).toEqual([640, 360])
    expect(attachmentOf(await say('member', 4, known.url, looks))).toMatchObject({
      width: 640,
      height: 360,
      duration: 5_000,
      cover: picture.url,
    })
    const bare = await say('member', 4, film.url)
    expect(attachmentOf(bare)).not.toHaveProperty('cover')
  })

  it('of a video without a duration uses the one its sender states', async () => {
    const head = Buffer.concat([
      Buffer.from('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm', 'latin1'),
      Buffer.alloc(40),
    ])
    const webm = await server.as('member').upload(head, '现场.webm')
    const message = await say('member', 4, webm.url, { width: 640, height: 480, duration: 3_000 })
    expect(attachmentOf(message)).toMatchObject({ width: 640, height: 480, duration: 3_000 })
    // A file that is not a video has no size.
    const plain = await say('member', 3, webm.url, { cover: picture.url, duration: 5 })
    expect(attachmentOf(plain)).not.toHaveProperty('cover')
    expect(attachmentOf(plain)).not.toHaveProperty('duration')
  })

  it('may have any content as a file, under the kind’s number in either dialect', async () => {
    const message = await say('member', 3, file.url)
    expect(attachmentOf(message)).toMatchObject({
      type: 'file',
      name: '攻略.pdf',
      file_type: 'application/pdf',
      size: 14,
    })
    expect(message.image_name).toBe('')
    expect(eventOf(message, { name: 'x', type: 1 }, 'public').type).toBe(4)
    await say('member', 3, picture.url)
  })

  it('is ignored in a text message', async () => {
    const message = await say('member', 9, picture.url)
    expect([message.type, message.attachments, message.content]).toEqual([9, null, picture.url])
  })
})
