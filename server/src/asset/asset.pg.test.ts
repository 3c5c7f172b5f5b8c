import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { crc32, deflateSync } from 'node:zlib'
import { type Uploaded, uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock, replaceClock } from '../kit/clock.ts'
import { openSpool } from '../kit/files/spool.ts'
import { openDisk } from '../outside/storage/disk.ts'
import { pngOf } from '../testing/picture.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { openAssets } from './asset.ts'

let server: TestServer
const tokens = new Map<string, string>()
beforeAll(async () => {
  server = await openTestServer({}, undefined, { scheduledWork: false })
  for (const name of ['owner', 'admin', 'member', 'outsider'] as const)
    tokens.set(name, await server.login(name))
})
afterAll(() => server?.close())

/** Collects garbage, so that only live memory is measured. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * Sends sixty megabytes, reads them back, and prints both hashes: a separate process, so that its memory is
 * not measured. Before the end of the file and after its first part it waits for a line of its input.
 */
const SENDER = `
  import { createHash, randomBytes } from 'node:crypto'
  import { once } from 'node:events'
  const [url, authorization] = process.argv.slice(1)
  const pause = async () => {
    console.log('pause')
    await once(process.stdin, 'data')
  }
  const sent = createHash('sha256')
  let n = 0
  const body = new ReadableStream({
    async pull(to) {
      if (n === 0) to.enqueue(Buffer.from('--b\\r\\ncontent-disposition: form-data; name="file"; filename="big.iso"\\r\\n\\r\\n'))
      else if (n <= 60) {
        const block = randomBytes(1024 * 1024)
        sent.update(block)
        to.enqueue(block)
      } else {
        await pause()
        to.enqueue(Buffer.from('\\r\\n--b--\\r\\n'))
        to.close()
      }
      n += 1
    },
  })
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=b' }
  const upload = await (await fetch(url, { method: 'POST', headers, body, duplex: 'half' })).json()
  const read = createHash('sha256')
  let bytes = 0
  for await (const chunk of (await fetch(upload.url)).body) {
    if (bytes === 0) await pause()
    bytes += chunk.length
    read.update(chunk)
  }
  console.log(JSON.stringify({ sent: sent.digest('hex'), read: read.digest('hex'), bytes }))
  process.stdin.destroy()
`
/** Runs a script, and `atPause` while it waits. Returns the last line that it prints. */
async function runScript(script: string, args: readonly string[], atPause: () => void): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 120_000,
  })
  let last = ''
  for await (const line of createInterface(child.stdout)) {
    last = line
    if (line !== 'pause') continue
    atPause()
    child.stdin.write('\n')
  }
  if (child.killed) throw new Error(`the script did not end in time; its last line: ${last}`)
  return last
}

const V2 = '/api/v2/assets/file'
const V3 = '/api/v3/asset/create'

async function send(
  who: string | null,
  content: Blob | null,
  it: { name?: string; type?: string; at?: string; field?: string; typeFirst?: boolean } = {},
) {
  const form = new FormData()
  if (it.type && it.typeFirst) form.append('type', it.type)
  if (content) form.append(it.field ?? 'file', content, it.name ?? 'thing.bin')
  if (it.type && !it.typeFirst) form.append('type', it.type)
  const answer = await fetch(server.url + (it.at ?? V2), {
    method: 'POST',
    body: form,
    headers: who ? { authorization: tokens.get(who)! } : {},
  })
  return {
    status: answer.status,
    body: (await answer.json()) as Uploaded & { error?: string; code?: number },
  }
}
const bytesOf = (content: Buffer | string) => new Blob([content as Uint8Array<ArrayBuffer>])
async function upload(
  who: string,
  content: Buffer | string,
  it: Parameters<typeof send>[2] = {},
): Promise<Uploaded> {
  const { status, body } = await send(who, bytesOf(content), it)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers })
const uploads = () => path.join(server.dataDir, 'uploads')
const incoming = () => readdir(path.join(uploads(), 'incoming')).catch(() => [])
const assetCount = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from asset`.execute(server.database.db)).rows[0]!.n

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } })

describe('an upload is refused', () => {
  it('without a session, before its file is read', async () => {
    expect((await send(null, bytesOf('x'))).status).toBe(401)
  })

  it('without a session, and the connection is closed although the file goes on', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => undefined)
    const type = 'content-type: multipart/form-data; boundary=b'
    socket.write(`POST ${V2} HTTP/1.1\r\nhost: hall\r\n${type}\r\ncontent-length: 9000000\r\n\r\n--b\r\n`)
    await expect.poll(() => socket.closed).toBe(true)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('when they are too many, and the connection is closed although the file goes on', async () => {
    for (let n = 0; n < 60; n += 1) await send('admin', null)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => undefined)
    const type = 'content-type: multipart/form-data; boundary=b'
    const credential = `authorization: ${tokens.get('admin')}`
    socket.write(
      `POST ${V2} HTTP/1.1\r\nhost: hall\r\n${credential}\r\n${type}\r\ncontent-length: 9000000\r\n\r\n--b\r\n`,
    )
    await expect.poll(() => socket.closed).toBe(true)
    expect(answer).toMatch(/^HTTP\/1\.1 429 /)
  })

  it('without a file, with one in another field, and as JSON', async () => {
    expect((await send('member', null, { type: 'image' })).body.error).toBe('asset.missing')
    expect((await send('member', bytesOf('x'), { field: 'picture' })).body.error).toBe('asset.missing')
    const json = await fetch(server.url + V2, {
      method: 'POST',
      headers: { authorization: tokens.get('member')!, 'content-type': 'application/json' },
      body: '{"file":"x"}',
    })
    expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([400, 'asset.missing'])
  })

  it.each([
    ['with no boundary', 'multipart/form-data', 'x'],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
    [
      'that ends before its boundary',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="type"\r\n\r\nima',
    ],
    [
      'whose file ends before its boundary',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwor',
    ],
    ['without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\n\r\n--b--'],
    ['of other bytes', 'multipart/form-data; boundary=b', 'words'],
    [
      'with a too long boundary',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      `--${'b'.repeat(300)}--`,
    ],
    [
      'with a forbidden field',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    ],
    ['with a header without an end', 'multipart/form-data; boundary=b', '--b\r\ncontent-dispo'],
  ])('as a form %s, by its name, in every call that takes files', async (_, type, body) => {
    for (const at of [V2, V3, '/api/v3/guild-emoji/create']) {
      const headers = { authorization: tokens.get('owner')!, 'content-type': type }
      const answer = await fetch(server.url + at, { method: 'POST', headers, body })
      const said = (await answer.json()) as { error?: string; data?: { error?: string } }
      expect([at, answer.status, said.error ?? said.data?.error]).toEqual([
        at,
        at === V2 ? 400 : expect.any(Number),
        expect.stringMatching(/^(?:bad_input|asset\.missing)$/),
      ])
    }
    expect(await incoming()).toEqual([])
  })

  it('when a picture is wanted and it is none, whatever its name and type, and wherever the wish is stated', async () => {
    for (const typeFirst of [true, false])
      for (const content of ['plain words', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>'])
        expect(
          (await send('member', bytesOf(content), { name: 'a.png', type: 'image', typeFirst })).body.error,
        ).toBe('asset.not_image')
  })

  it('when it is larger than the person’s guilds allow, with the number, in either dialect', async () => {
    const most = uploadMaxBytes(0, false)
    const large = new Blob([Buffer.alloc(most + 1)])
    const v2 = await send('outsider', large)
    expect([v2.status, v2.body.error, v2.body.code]).toEqual([413, 'asset.too_large', 40014])
    const v3 = await send('outsider', large, { at: V3 })
    expect([v3.status, v3.body.code]).toEqual([200, 40014])
    expect((await send('outsider', new Blob([Buffer.alloc(most)]))).status).toBe(200)
  })

  it('when it exceeds the limit only while it is received', async () => {
    const boundary = 'xyz'
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      start: (to) =>
        to.enqueue(
          Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`),
        ),
      pull(to) {
        sent += 1
        if (sent > 80) to.close()
        else to.enqueue(Buffer.alloc(1024 * 1024, 7))
      },
    })
    const answer = await fetch(server.url + V2, {
      method: 'POST',
      headers: {
        authorization: tokens.get('outsider')!,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect(((await answer.json()) as { error: string }).error).toBe('asset.too_large')
    expect(await incoming()).toEqual([])
  })

  it('when a small file decodes to a huge picture, still or animated', async () => {
    const chunk = (name: string, data: Buffer) => {
      const named = Buffer.concat([Buffer.from(name), data])
      return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
    }
    const uint32 = (n: number) => Buffer.from([n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255])
    const still = (width: number, height: number) =>
      Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
        chunk('IDAT', deflateSync(Buffer.alloc(10_000_000))),
        chunk('IEND', Buffer.alloc(0)),
      ])
    // Nothing but the header of a lossless WebP.
    const header = Buffer.alloc(40)
    header.write('RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f', 'latin1')
    header.writeUInt32LE(9_999 | (9_999 << 14), 21)
    for (const bomb of [header, still(5_001, 5_000), still(16_000, 7_000), still(40_000, 2)])
      expect((await send('member', bytesOf(bomb))).body.error).toBe('asset.too_many_pixels')

    const frame = '21f90400 0a000000 2c00000000 01000100 00 02 02 4401 00'
    const moving = `474946383961 00080008 80 00 00 000000 ffffff ${frame.repeat(20)} 3b`.replaceAll(' ', '')
    expect((await send('member', bytesOf(Buffer.from(moving, 'hex')))).body.error).toBe(
      'asset.too_many_pixels',
    )
  })

  it('when it is cut off, and no part of it is stored', async () => {
    const before = await assetCount()
    const stop = new AbortController()
    const body = new ReadableStream<Uint8Array>({
      async pull(to) {
        to.enqueue(
          Buffer.from(
            `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'half'.repeat(5000)}`,
          ),
        )
        await new Promise((wait) => setTimeout(wait, 100))
        stop.abort()
      },
    })
    const asked = fetch(server.url + V2, {
      method: 'POST',
      headers: { authorization: tokens.get('member')!, 'content-type': 'multipart/form-data; boundary=b' },
      body,
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit)
    await expect(asked).rejects.toThrow()
    await expect.poll(incoming).toEqual([])
    expect(await assetCount()).toBe(before)
  })

  it('after sixty within a minute, until the minute is over', async () => {
    const person = server.person('outsider').id
    await sql`delete from attempt where name = 'upload by person'`.execute(server.database.db)
    await sql`insert into attempt (name, key, started_at, spent) values ('upload by person', ${person}, ${clock.now()}, 60)`.execute(
      server.database.db,
    )
    expect((await send('outsider', bytesOf('x'))).status).toBe(429)
    expect((await send('member', bytesOf('x'))).status).toBe(200)
    await sql`delete from attempt where name = 'upload by person'`.execute(server.database.db)
  })
})

describe('a file', () => {
  it('is served byte for byte, under the name its sender gave it', async () => {
    // Without the first word the bytes of one in two thousand are those of an MP3.
    const content = Buffer.concat([Buffer.from('bytes '), randomBytes(299_994)])
    const it = await upload('member', content, { name: `../../晚安 '歌单'.zip` })
    expect(it).toMatchObject({
      type: 'file',
      file_type: 'application/octet-stream',
      size: 300_000,
      width: null,
    })
    expect(it.name).toBe(`晚安 '歌单'.zip`)
    // A form has %22 in place of a quotation mark.
    expect((await upload('member', 'x', { name: '晚安 "歌单".zip' })).name).toBe('晚安 "歌单".zip')
    expect(it.url.startsWith(`${server.url}/attachments/`)).toBe(true)
    expect(assetKey(it.url)).toMatch(/^attachments\/\d{4}-\d{2}\/\d{2}\/\w{16}\.zip$/)
    const answer = await get(it.url)
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(content).digest('hex')}"`)
    expect(answer.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('晚安 ')}`,
    )
    expect(await incoming()).toEqual([])
  })

  it('in the other dialect is answered in its envelope', async () => {
    const { status, body } = await send('member', bytesOf('words'), {
      at: '/api/asset/create',
      name: 'a.txt',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ code: 0, data: { url: expect.stringContaining('/attachments/'), size: 5 } })
  })

  it.each([
    ['a.html', '<script>alert(1)</script>'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a.png', '\x89PNG\r\n\x1a\nbroken'],
    ['a.pdf', '%PDF-1.7'],
    ['a.js', 'alert(1)'],
  ])('such as %s is only offered as a download', async (name, content) => {
    const it = await upload('member', Buffer.from(content, 'latin1'), { name })
    expect(it.type).toBe('file')
    const answer = await get(it.url, {}, 'HEAD')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('is served in ranges, as not modified, and without its body', async () => {
    const { url } = await upload('member', 'abcdefghij', { name: 'a.txt' })
    const part = await get(url, { range: 'bytes=2-4' })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'cde',
      'bytes 2-4/10',
    ])
    const end = await get(url, { range: 'bytes=-3' })
    expect([end.status, await end.text()]).toEqual([206, 'hij'])
    expect((await get(url, { range: 'bytes=10-' })).status).toBe(416)
    const whole = await get(url)
    expect(whole.headers.get('cache-control')).toBe('public, max-age=3600, immutable')
    const again = await get(url, { 'if-none-match': whole.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
  })

  it.each([
    '/assets/2026-11/nobody12.png',
    '/assets/2026-11/..%2f..%2fpackage.json',
    '/attachments/2026-11/21/..%2f..%2f..%2fincoming',
    '/attachments/2026-11/21/%00',
    '/assets/incoming/abcdefgh12',
  ])('is not at %s', async (at) => {
    const answer = await get(server.url + at)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('of sixty megabytes is streamed without much memory', async () => {
    await sql`update guild set level = 6 where id = ${server.guildId}`.execute(server.database.db)
    const size = 60 * 1024 * 1024
    const held = () => {
      // The first collection finalizes, the second one frees.
      collect()
      collect()
      const { external, arrayBuffers, heapUsed } = process.memoryUsage()
      return external + arrayBuffers + heapUsed
    }
    const before = held()
    const grown: number[] = []
    const output = await runScript(SENDER, [server.url + V2, tokens.get('member')!], () => {
      grown.push(held() - before)
    })
    const { sent, read, bytes } = JSON.parse(output) as { sent: string; read: string; bytes: number }
    expect([bytes, read]).toEqual([size, sent])
    // A buffered file would take nearly all of its size; a streamed one takes a few buffers.
    expect(grown).toHaveLength(2)
    for (const each of grown) expect(each).toBeLessThan(size / 2)
  })
})

describe('a picture', () => {
  it('is re-encoded: upright, without the camera’s metadata, with its size in its name', async () => {
    const photo = await canvas(60, 40)
      .jpeg()
      .withExif({ IFD0: { Make: 'Secret Camera', Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(photo.includes('Exif')).toBe(true)
    const it = await upload('member', photo, { name: '合影.jpg', type: 'image' })
    expect(it).toMatchObject({
      type: 'image',
      file_type: 'image/jpeg',
      width: 40,
      height: 60,
      name: '合影.jpg',
    })
    expect(sizeIn(it.url)).toEqual({ width: 40, height: 60 })
    expect(assetKey(it.url)).toMatch(/^assets\/\d{4}-\d{2}\/\w{16}\.jpg$/)
    const answer = await get(it.url)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('content-disposition')).toMatch(/^inline;/)
    const stored = Buffer.from(await answer.arrayBuffer())
    expect(stored.length).toBe(it.size)
    const { exif, orientation, width } = await sharp(stored).metadata()
    expect([exif, orientation, width]).toEqual([undefined, undefined, 40])
  })

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'in %s stays a picture, whatever its name',
    async (format) => {
      const it = await upload('member', await canvas(5, 7).toFormat(format).toBuffer(), { name: 'a.exe' })
      expect(it).toMatchObject({ type: 'image', file_type: `image/${format}`, width: 5, height: 7 })
    },
  )

  it('is stored without data hidden behind its end', async () => {
    const two = Buffer.concat([await canvas(5, 5).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
    const it = await upload('member', two)
    expect(it.type).toBe('image')
    expect((await (await get(it.url)).text()).includes('script')).toBe(false)
  })

  it.each(['gif', 'webp'] as const)('that is animated stays animated as %s', async (format) => {
    const frames = await Promise.all(['red', 'green', 'blue'].map((background) => pngOf(8, 6, background)))
    const moving = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { delay: [120, 80, 200] })
      .toBuffer()
    const it = await upload('member', moving)
    expect([it.width, it.height]).toEqual([8, 6])
    const stored = await sharp(Buffer.from(await (await get(it.url)).arrayBuffer()), { pages: -1 }).metadata()
    expect([stored.pages, stored.delay]).toEqual([3, [120, 80, 200]])
  })
})

describe('an upload that a killed process left incomplete', () => {
  const assets = () =>
    openAssets({
      db: server.database.db,
      storage: openDisk(uploads()),
      spool: openSpool(path.join(uploads(), 'incoming')),
      dailyMb: 100,
      reachOf: async () => ({ level: 0, hasBuff: false }),
    })

  it('is deleted once it can no longer complete, and complete files stay', async () => {
    const { db } = server.database
    const mine = await upload('member', 'mine', { name: 'mine.txt' })
    const key = 'attachments/2026-11/21/orphan1234567890.zip'
    const filePath = path.join(uploads(), 'incoming', 'left')
    await writeFile(filePath, 'an object without an owner')
    await openDisk(uploads()).put(key, { path: filePath, bytes: 26, sha256: '', mime: 'application/zip' })
    await sql`insert into asset_arrival (key, started_at) values (${key}, ${clock.now()})`.execute(db)
    expect((await get(`${server.url}/${key}`)).status).toBe(404)

    expect(await assets().deleteLostUploads()).toBe(0)
    expect(await readFile(path.join(uploads(), key), 'utf8')).toBe('an object without an owner')

    const later = clock.now() + 3 * HOUR_MS
    const restore = replaceClock(() => later)
    try {
      expect(await assets().deleteLostUploads()).toBe(1)
      expect(await assets().deleteLostUploads()).toBe(0)
    } finally {
      restore()
    }
    await expect(readFile(path.join(uploads(), key))).rejects.toThrow('ENOENT')
    expect(await (await get(mine.url)).text()).toBe('mine')
  })
})
