import { randomBytes } from 'node:crypto'
import { createAsset, uploadFile } from '@guildhall/wire/asset/asset.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../demo/text.ts'
import { fileNamed, refusalOf, refusedCall } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'

const MB = 1024 * 1024

describe('a person’s files of a day', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ UPLOAD_DAILY_MB: '2' })
  })
  afterAll(() => server?.close())

  it('are refused above UPLOAD_DAILY_MB, with the number, until the day is over; another person’s are not', async () => {
    const upload = (who: 'member' | 'owner', bytes: number) => server.as(who).upload(randomBytes(bytes))
    await upload('member', 1.5 * MB)
    const refused = await refusedCall(upload('member', MB))
    expect([refused.status, refused.failure]).toEqual([429, 'asset.daily_limit'])
    expect(refused.body.message).toContain('2M')
    await upload('member', MB / 2)
    expect(await refusalOf(upload('member', 1))).toBe('asset.daily_limit')
    await upload('owner', 1)
    const { db } = server.database
    await sql`update attempt set started_at = started_at - 86400000 where name = 'upload KB by person'`.execute(
      db,
    )
    await upload('member', MB)
  })

  it('that are refused are not stored', async () => {
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from asset`.execute(server.database.db)).rows[0]!.n
    const before = await count()
    expect(await refusalOf(server.as('owner').upload(randomBytes(3 * MB)))).toBe('asset.daily_limit')
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
    const member = server.as('member')
    const png = await pngOf(9, 9)
    for (const content of [randomBytes(100), png])
      for (const route of [uploadFile, createAsset])
        expect(await refusedCall(member.call(route, {}, fileNamed(content, 'a.bin')))).toMatchObject({
          status: 503,
          failure: 'asset.no_space',
        })
    await member.say(server.channel(demoGuilds.demo.main), 'words need no room')
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
