import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import { assetKey, copyAddress, stillAddress } from '@guildhall/wire/asset/name.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CastName } from '../demo/world.ts'
import { openSpool } from '../kit/spool.ts'
import { openDisk } from '../outside/storageDisk.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { type Assets, openAssets } from './asset.ts'

let server: TestServer
let housekeeping: Assets
const tokens = new Map<string, string>()
const uploads = () => path.join(server.dataDir, 'uploads')
beforeAll(async () => {
  server = await openTestServer()
  for (const name of ['member', 'owner', 'admin'] as const) tokens.set(name, await server.login(name))
  housekeeping = openAssets({
    db: server.database.db,
    storage: openDisk(uploads()),
    spool: openSpool(path.join(uploads(), 'incoming')),
    reachOf: async () => ({ level: 0, hasBuff: false }),
    dailyMb: 1,
  })
})
afterAll(() => server?.close())

async function upload(who: CastName, content: Buffer, name = 'photo.jpg'): Promise<Uploaded> {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  const answer = await fetch(`${server.url}/api/v2/assets/file`, {
    method: 'POST',
    body: form,
    headers: { authorization: tokens.get(who)! },
  })
  return (await answer.json()) as Uploaded
}
const v3 = async <T>(who: CastName, method: 'GET' | 'POST', call: string, body?: unknown): Promise<T> =>
  (await server.call<{ data: T }>(tokens.get(who)!, method, `/api/v3/${call}`, body)).data

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
    const { url } = await upload('member', await photo(2_000, 1_500).jpeg().toBuffer())
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
    const { url } = await upload(
      'member',
      await photo(900, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    )
    expect(await seen(copyAddress(url, 400))).toMatchObject({ width: 267, height: 400 })
  })

  it('has a copy of its own size when it is small, and none that has more bytes than itself', async () => {
    const { url } = await upload('member', await photo(500, 500).png().toBuffer(), 'shot.png')
    expect(await seen(copyAddress(url, 800))).toMatchObject({ width: 500, format: 'webp' })
    const plain = sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
    const tiny = await upload('member', await plain.gif().toBuffer(), 'dot.gif')
    expect(await seen(copyAddress(tiny.url, 160))).toMatchObject({ width: 30, format: 'gif' })
  })

  it('that moves has copies that move', async () => {
    const frames = await Promise.all([1, 2, 3].map(() => photo(300, 300).raw().toBuffer()))
    const moving = await sharp(Buffer.concat(frames), {
      raw: { width: 300, height: 900, channels: 3, pageHeight: 300 },
    })
      .gif()
      .toBuffer()
    const { url } = await upload('member', moving, 'dance.gif')
    const answer = await fetch(copyAddress(url, 160))
    const { pages, width, format } = await sharp(Buffer.from(await answer.arrayBuffer()), {
      pages: -1,
    }).metadata()
    expect({ pages, width, format }).toEqual({ pages: 3, width: 160, format: 'webp' })
    const still = copyAddress(stillAddress(url), 160)
    const first = await sharp(Buffer.from(await (await fetch(still)).arrayBuffer()), { pages: -1 }).metadata()
    expect([first.pages ?? 1, first.width, first.format]).toEqual([1, 300, 'webp'])
    const plain = await upload('member', await photo(300, 200).jpeg().toBuffer())
    expect(await seen(stillAddress(plain.url))).toMatchObject({ width: 300, format: 'jpeg' })
  })

  it('has a placeholder inside the message that shows it', async () => {
    const { url } = await upload('member', await photo(500, 400).jpeg().toBuffer())
    await v3('member', 'POST', 'message/create', { target_id: server.channel('闲聊'), type: 2, content: url })
    const { items } = await v3<{ items: { content: string; attachments: Attachment }[] }>(
      'member',
      'GET',
      `message/list?target_id=${server.channel('闲聊')}`,
    )
    const shown = items.find(({ content }) => content === url)
    expect(Buffer.from(shown!.attachments.thumbhash!, 'base64').length).toBeGreaterThan(4)
  })
})

it('a broken picture, a sound and a text have no copies', async () => {
  const before = await stored()
  const broken = (await photo(900, 900).jpeg().toBuffer()).subarray(0, 900)
  const { url } = await upload('member', broken, 'half.jpg')
  await upload('member', Buffer.from('words'), 'words.txt')
  expect(await stored()).toEqual(before)
  expect((await fetch(copyAddress(url, 400))).headers.get('content-type')).toBe('application/octet-stream')
})

describe('a copy is read and goes', () => {
  it('by the same rule as its original: in a private conversation it needs the signature', async () => {
    const { url } = await upload('member', await photo(600, 600).jpeg().toBuffer())
    const to = server.person('owner').id
    await v3('member', 'POST', 'direct-message/create', { target_id: to, type: 2, content: url })
    expect((await fetch(copyAddress(url, 400))).status).toBe(404)
    const { items } = await v3<{ items: { content: string }[] }>(
      'member',
      'GET',
      `direct-message/list?target_id=${to}`,
    )
    const signed = items.find(({ content }) => content.startsWith(url))!.content
    expect(await seen(copyAddress(signed, 400))).toMatchObject({ width: 400, format: 'webp' })
    const other = await upload('member', await photo(600, 600).jpeg().toBuffer())
    await v3('member', 'POST', 'direct-message/create', { target_id: to, type: 2, content: other.url })
    expect((await fetch(copyAddress(other.url + new URL(signed).search, 400))).status).toBe(404)
  })

  it('with its message, and its bytes with the next clean-up', async () => {
    const { url } = await upload('member', await photo(600, 600).jpeg().toBuffer())
    const { msg_id } = await v3<{ msg_id: string }>('member', 'POST', 'message/create', {
      target_id: server.channel('闲聊'),
      type: 2,
      content: url,
    })
    const name = assetKey(url)!.replace(/\.jpg$/, '')
    const left = async () => (await stored()).filter((it) => it.startsWith(name))
    expect(await left()).toHaveLength(3)
    await v3('member', 'POST', 'message/delete', { msg_id })
    expect((await fetch(copyAddress(url, 400))).status).toBe(404)
    await housekeeping.deleteLostUploads()
    expect(await left()).toEqual([])
  })

  it('with an upload that a killed process left', async () => {
    const before = await stored()
    const { url } = await upload('member', await photo(600, 600).jpeg().toBuffer())
    const key = assetKey(url)!
    await server.database.pool.query('delete from asset where key = $1', [key])
    await server.database.pool.query('insert into asset_arrival (key, started_at) values ($1, 0)', [key])
    await housekeeping.deleteLostUploads()
    expect(await stored()).toEqual(before)
  })
})

it('an emoji has a copy of the size that lines show', async () => {
  const form = new FormData()
  form.append('guild_id', server.guildId)
  form.append('name', '大笑的猫')
  form.append(
    'emoji',
    new Blob([(await photo(200, 200).png().toBuffer()) as Uint8Array<ArrayBuffer>]),
    'cat.png',
  )
  const answer = await fetch(`${server.url}/api/v3/guild-emoji/create`, {
    method: 'POST',
    body: form,
    headers: { authorization: tokens.get('owner')! },
  })
  const { data } = (await answer.json()) as { data: { id: string } }
  const url = `${server.url}/emojis/${data.id}.png`
  expect(await seen(copyAddress(url, 96))).toMatchObject({ width: 96, format: 'webp' })
  expect(await seen(url)).toMatchObject({ format: 'png' })
})
