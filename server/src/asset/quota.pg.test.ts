import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { places } from '../demo/text.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

const MB = 1024 * 1024
const upload = async (server: TestServer, token: string, content: Buffer, at = '/api/v2/assets/file') => {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), 'a.bin')
  const answer = await fetch(server.url + at, {
    method: 'POST',
    body: form,
    headers: { authorization: token },
  })
  return { status: answer.status, ...((await answer.json()) as { error?: string; message: string }) }
}

describe('a person’s files of a day', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ UPLOAD_DAILY_MB: '2' })
  })
  afterAll(() => server?.close())

  it('are refused above UPLOAD_DAILY_MB, with the number, until the day is over; another person’s are not', async () => {
    const [member, owner] = [await server.login('member'), await server.login('owner')]
    expect((await upload(server, member, randomBytes(1.5 * MB))).status).toBe(200)
    const refused = await upload(server, member, randomBytes(MB))
    expect([refused.status, refused.error]).toEqual([429, 'asset.daily_limit'])
    expect(refused.message).toContain('2M')
    expect((await upload(server, member, randomBytes(MB / 2))).status).toBe(200)
    expect((await upload(server, member, randomBytes(1))).error).toBe('asset.daily_limit')
    expect((await upload(server, owner, randomBytes(1))).status).toBe(200)
    const { db } = server.database
    await sql`update attempt set started_at = started_at - 86400000 where name = 'upload KB by person'`.execute(
      db,
    )
    expect((await upload(server, member, randomBytes(MB))).status).toBe(200)
  })

  it('that are refused are not stored', async () => {
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from asset`.execute(server.database.db)).rows[0]!.n
    const before = await count()
    expect((await upload(server, await server.login('owner'), randomBytes(3 * MB))).error).toBe(
      'asset.daily_limit',
    )
    expect(await count()).toBe(before)
  })
})

describe('while the disk has less room than DISK_RESERVE_MB', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ DISK_RESERVE_MB: '2000000' }, undefined, { seedsItself: true })
  })
  afterAll(() => server?.close())

  it('uploads are refused with 503 in either dialect, and messages are sent', async () => {
    const member = await server.login('member')
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    for (const content of [randomBytes(100), png])
      expect(await upload(server, member, content)).toMatchObject({ status: 503, error: 'asset.no_space' })
    expect((await upload(server, member, png, '/api/v3/asset/create')).status).toBe(503)
    await server.call(member, 'POST', `/api/v2/channels/${server.channel(places.demo.main)}/message`, {
      content: 'words need no room',
    })
  })

  it('the node is ready and says that the disk is not, and metrics show its room', async () => {
    const ready = await fetch(`${server.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ok: true, database: true, bus: true, disk: false },
    ])
    const page = await (await fetch(`${server.url}/metrics`)).text()
    expect(page).toMatch(/^guildhall_disk_free_bytes [1-9]/m)
    expect(page).toMatch(/^guildhall_disk_total_bytes [1-9]/m)
  })
})
