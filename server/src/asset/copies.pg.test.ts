import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { copyAddress, stillAddress } from '@guildhall/wire/asset/pictureSize.ts'
import { createPrivate, listPrivate } from '@guildhall/wire/chat/chat.ts'
import { createGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import { deleteMessage } from '@guildhall/wire/message/action.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSpool } from '../kit/files/spool.ts'
import { openDisk } from '../outside/storage/disk.ts'
import { fileNamed } from '../testing/calls.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { type Assets, openAssets } from './asset.ts'

let server: TestServer
let housekeeping: Assets
const uploads = () => path.join(server.dataDir, 'uploads')
beforeAll(async () => {
  server = await openTestServer({}, undefined, { scheduledWork: false })
  housekeeping = openAssets({
    db: server.database.db,
    storage: openDisk(uploads()),
    spool: openSpool(path.join(uploads(), 'incoming')),
    reachOf: async () => ({ level: 0, hasBuff: false }),
    dailyMb: 1,
  })
})
afterAll(() => server?.close())

/** A picture with so much detail that fewer pixels are fewer bytes. */
const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
const seen = async (url: string) => {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { width, height, format } = await sharp(bytes, { pages: -1 }).metadata()
  return { answer, width, height, format, bytes: bytes.length }
}
const stored = async () =>
  (await readdir(uploads(), { recursive: true })).filter((it) => /_\d+\.webp$/.test(it))

describe('a photograph', () => {
  it('has a WebP of each side, which caches keep like the original; a side beyond them is the original', async () => {
    const { url } = await server.as('member').upload(await photo(2_000, 1_500).jpeg().toBuffer(), 'photo.jpg')
    for (const [side, width] of [
      [160, 160],
      [300, 400],
      [400, 400],
      [800, 800],
      [1_600, 1_600],
    ] as const)
      expect([side, await seen(copyAddress(url, side))]).toMatchObject([
        side,
        { width, height: width * 0.75, format: 'webp' },
      ])
    for (const wrong of [copyAddress(url, 2_000), `${url}?side=-1`, `${url}?side=x`, url])
      expect(await seen(wrong)).toMatchObject({ width: 2_000, format: 'jpeg' })
    const { answer } = await seen(copyAddress(url, 400))
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600, immutable')
    const again = await fetch(copyAddress(url, 400), {
      headers: { 'if-none-match': answer.headers.get('etag')! },
    })
    expect(again.status).toBe(304)
    const part = await fetch(copyAddress(url, 400), { headers: { range: 'bytes=0-9' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  })

  it('that stands on its side is upright in all of them', async () => {
    const { url } = await server
      .as('member')
      .upload(await photo(900, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'photo.jpg')
    expect(await seen(copyAddress(url, 400))).toMatchObject({ width: 267, height: 400 })
  })

  it('has a copy of its own size when it is small, and none that has more bytes than itself', async () => {
    const { url } = await server.as('member').upload(await photo(500, 500).png().toBuffer(), 'shot.png')
    expect(await seen(copyAddress(url, 800))).toMatchObject({ width: 500, format: 'webp' })
    const plain = sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
    const tiny = await server.as('member').upload(await plain.gif().toBuffer(), 'dot.gif')
    expect(await seen(copyAddress(tiny.url, 160))).toMatchObject({ width: 30, format: 'gif' })
  })

  it('that moves has copies that move', async () => {
    const frames = await Promise.all([1, 2, 3].map(() => photo(300, 300).raw().toBuffer()))
    const moving = await sharp(Buffer.concat(frames), {
      raw: { width: 300, height: 900, channels: 3, pageHeight: 300 },
    })
      .gif()
      .toBuffer()
    const { url } = await server.as('member').upload(moving, 'dance.gif')
    const answer = await fetch(copyAddress(url, 160))
    const { pages, width, format } = await sharp(Buffer.from(await answer.arrayBuffer()), {
      pages: -1,
    }).metadata()
    expect({ pages, width, format }).toEqual({ pages: 3, width: 160, format: 'webp' })
    const still = copyAddress(stillAddress(url), 160)
    const first = await sharp(Buffer.from(await (await fetch(still)).arrayBuffer()), { pages: -1 }).metadata()
    expect([first.pages ?? 1, first.width, first.format]).toEqual([1, 300, 'webp'])
    const plain = await server.as('member').upload(await photo(300, 200).jpeg().toBuffer(), 'photo.jpg')
    expect(await seen(stillAddress(plain.url))).toMatchObject({ width: 300, format: 'jpeg' })
  })

  it('has a placeholder inside the message that shows it', async () => {
    const { url } = await server.as('member').upload(await photo(500, 400).jpeg().toBuffer(), 'photo.jpg')
    const shown = await server.as('member').say(server.channel('闲聊'), url, { type: 2 })
    const { thumbhash } = shown.attachments as Attachment
    expect(Buffer.from(thumbhash!, 'base64').length).toBeGreaterThan(4)
  })
})

it('a broken picture, a sound and a text have no copies', async () => {
  const before = await stored()
  const broken = (await photo(900, 900).jpeg().toBuffer()).subarray(0, 20)
  const { url } = await server.as('member').upload(broken, 'half.jpg')
  await server.as('member').upload(Buffer.from('words'), 'words.txt')
  expect(await stored()).toEqual(before)
  expect((await fetch(copyAddress(url, 400))).headers.get('content-type')).toBe('application/octet-stream')
})

describe('a copy is read and goes', () => {
  it('by the same rule as its original: in a private conversation it needs the signature', async () => {
    const { url } = await server.as('member').upload(await photo(600, 600).jpeg().toBuffer(), 'photo.jpg')
    const to = server.idOf('owner')
    await server.as('member').call(createPrivate, { target_id: to, type: 2, content: url })
    expect((await fetch(copyAddress(url, 400))).status).toBe(404)
    const { items } = await server.as('member').call(listPrivate, { target_id: to })
    const signed = items.find(({ content }) => content.startsWith(url))!.content
    expect(await seen(copyAddress(signed, 400))).toMatchObject({ width: 400, format: 'webp' })
    const other = await server.as('member').upload(await photo(600, 600).jpeg().toBuffer(), 'photo.jpg')
    await server.as('member').call(createPrivate, { target_id: to, type: 2, content: other.url })
    expect((await fetch(copyAddress(other.url + new URL(signed).search, 400))).status).toBe(404)
  })

  it('with its message, and its bytes with the next clean-up', async () => {
    const { url } = await server.as('member').upload(await photo(600, 600).jpeg().toBuffer(), 'photo.jpg')
    const { id: msg_id } = await server.as('member').say(server.channel('闲聊'), url, { type: 2 })
    const name = assetKey(url)!.replace(/\.jpg$/, '')
    const left = async () => (await stored()).filter((it) => it.startsWith(name))
    expect(await left()).toHaveLength(3)
    await server.as('member').call(deleteMessage, { msg_id })
    expect((await fetch(copyAddress(url, 400))).status).toBe(404)
    await housekeeping.deleteLostUploads()
    expect(await left()).toEqual([])
  })

  it('with an upload that a killed process left', async () => {
    const before = await stored()
    const { url } = await server.as('member').upload(await photo(600, 600).jpeg().toBuffer(), 'photo.jpg')
    const key = assetKey(url)!
    await server.database.pool.query('delete from asset where key = $1', [key])
    await server.database.pool.query('insert into asset_arrival (key, started_at) values ($1, 0)', [key])
    await housekeeping.deleteLostUploads()
    expect(await stored()).toEqual(before)
  })
})

it('an emoji has a copy of the size that lines show', async () => {
  const picture = await photo(200, 200).png().toBuffer()
  const emoji = { guild_id: server.guildId, name: '大笑的猫' }
  const { id } = await server.as('owner').call(createGuildEmoji, emoji, fileNamed(picture, 'cat.png'))
  const url = `${server.url}/emojis/${id}.png`
  expect(await seen(copyAddress(url, 96))).toMatchObject({ width: 96, format: 'webp' })
  expect(await seen(url)).toMatchObject({ format: 'png' })
})
