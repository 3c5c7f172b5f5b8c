import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { GUILD_FILES_MB_PER_DAY } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { createPrivate, deletePrivate, listPrivate, updatePrivate } from '@guildhall/wire/chat/chat.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { deleteMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import { createMessage, type Message } from '@guildhall/wire/message/message.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../demo/text.ts'
import type { PersonName } from '../demo/world.ts'
import { clock, replaceClock } from '../kit/clock.ts'
import { openSpool } from '../kit/files/spool.ts'
import { openDisk } from '../outside/storage/disk.ts'
import { refusalOf } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { type Assets, openAssets } from './asset.ts'

let server: TestServer
let housekeeping: Assets
let bot: string
beforeAll(async () => {
  server = await openTestServer({}, undefined, { scheduledWork: false })
  bot = (await server.command<{ token: string }>(`bot create --name 报时 --guild ${server.guildId}`)).token
  const uploads = path.join(server.dataDir, 'uploads')
  housekeeping = openAssets({
    db: server.database.db,
    storage: openDisk(uploads),
    spool: openSpool(path.join(uploads, 'incoming')),
    dailyMb: 100,
    reachOf: async () => ({ level: 0, hasBuff: false }),
  })
})
afterAll(() => server?.close())
let restore: (() => void) | null = null
afterEach(() => {
  restore?.()
  restore = null
})
const later = (ms: number) => {
  const at = clock.now() + ms
  restore?.()
  restore = replaceClock(() => at)
}

const by = (who: PersonName | 'bot') => server.as(who === 'bot' ? { bot } : who)
let count = 0
async function picture(who: PersonName | 'bot' = 'member', sides = 9): Promise<string> {
  count += 1
  const background = { r: count, g: 40, b: 50 }
  const png = await pngOf(sides, sides, background)
  return (await by(who).upload(png, 'a.png')).url
}
const target_id = () => server.channel(demoGuilds.demo.main)
const say = async (who: PersonName | 'bot', type: number, content: string): Promise<string> =>
  (await by(who).call(createMessage, { target_id: target_id(), type, content })).msg_id
const remove = (who: PersonName | 'bot', msg_id: string) => by(who).call(deleteMessage, { msg_id })
const card = (...addresses: string[]) =>
  JSON.stringify([
    {
      type: 'card',
      modules: [{ type: 'container', elements: addresses.map((src) => ({ type: 'image', src })) }],
    },
  ])
const status = async (url: string) => (await fetch(url)).status
const bytesOf = (url: string) => readFile(path.join(server.dataDir, 'uploads', assetKey(url)!))

describe('the file of a deleted message', () => {
  it('is gone from its address at once, and its bytes with the next clean-up', async () => {
    const url = await picture()
    const message = await say('member', 2, url)
    expect(await status(url)).toBe(200)
    await remove('member', message)
    expect(await status(url)).toBe(404)
    await housekeeping.deleteLostUploads()
    await expect(bytesOf(url)).rejects.toThrow('ENOENT')
  })

  it('is kept by caches for an hour at most', async () => {
    const { headers } = await fetch(await picture())
    expect(headers.get('cache-control')).toBe('public, max-age=3600, immutable')
  })

  it('stays while another message or a card shows it, and goes with the last one', async () => {
    const url = await picture('bot')
    const [first, second] = [await say('bot', 2, url), await say('bot', 10, card(url))]
    await remove('bot', first)
    expect(await status(url)).toBe(200)
    await remove('bot', second)
    expect(await status(url)).toBe(404)
  })

  it('stays while its author’s text has its address; a stranger’s text keeps nothing', async () => {
    const [mine, theirs] = [await picture(), await picture()]
    const messages = [await say('member', 2, mine), await say('member', 2, theirs)]
    await say('member', 9, `again: ${mine}`)
    await say('owner', 9, `[look](${theirs})`)
    for (const message of messages) await remove('member', message)
    expect([await status(mine), await status(theirs)]).toEqual([200, 404])
  })

  it('is gone from quotes of it too', async () => {
    const url = await picture()
    const message = await say('member', 2, url)
    await by('owner').call(createMessage, { target_id: target_id(), content: 'nice', quote: message })
    await remove('member', message)
    expect(await status(url)).toBe(404)
  })
})

it('a file that is deleted and shown again at the same time is either there or shown by nothing', async () => {
  for (let round = 0; round < 15; round += 1) {
    const [a, b] = [await picture('bot'), await picture('bot')]
    const messages = [await say('bot', 10, card(a, b)), await say('bot', 10, card(b, a))]
    const sends = [card(a, b), card(b), card(a)].map((content) =>
      refusalOf(say('bot', 10, content)).then((name) => expect(['none', 'asset.unknown']).toContain(name)),
    )
    await Promise.all([...messages.map((message) => remove('bot', message)), ...sends])
  }
  const { rows } = await sql`
    select from asset_use where key not in (select key from asset)`.execute(server.database.db)
  expect(rows).toEqual([])
})

describe('a file that nothing shows', () => {
  it('goes after a day; one that a message shows stays', async () => {
    const [unused, used, inCard] = [await picture(), await picture(), await picture('bot')]
    await say('member', 2, used)
    await say('bot', 10, card(inCard))
    later(DAY_MS - HOUR_MS)
    await housekeeping.deleteUnused()
    expect(await status(unused)).toBe(200)
    later(2 * HOUR_MS)
    await housekeeping.deleteUnused()
    expect([await status(unused), await status(used), await status(inCard)]).toEqual([404, 200, 200])
  })

  it('goes a day after the card that showed it was edited', async () => {
    const [old, fresh] = [await picture('bot'), await picture('bot')]
    const msg_id = await say('bot', 10, card(old))
    await by('bot').call(updateMessage, { msg_id, content: card(fresh) })
    expect([await status(old), await status(fresh)]).toEqual([200, 200])
    later(DAY_MS + HOUR_MS)
    await housekeeping.deleteUnused()
    expect([await status(old), await status(fresh)]).toEqual([404, 200])
  })

  it('stays for a day in a message to one person', async () => {
    const url = await picture('bot')
    later(DAY_MS - HOUR_MS)
    const to = server.idOf('member')
    await by('bot').call(createMessage, {
      target_id: target_id(),
      type: 10,
      content: card(url),
      temp_target_id: to,
    })
    later(DAY_MS - HOUR_MS)
    await housekeeping.deleteUnused()
    expect(await status(url)).toBe(200)
    later(2 * HOUR_MS)
    await housekeeping.deleteUnused()
    expect(await status(url)).toBe(404)
  })

  it('the picture of an emoji stays', async () => {
    const { items } = await by('member').call(listGuildEmoji, { guild_id: server.guildId })
    later(2 * DAY_MS)
    await housekeeping.deleteUnused()
    for (const { id } of items) expect(await status(`${server.url}/emojis/${id}.png`)).toBe(200)
  })
})

describe('a file of a private conversation', () => {
  const send = async (
    who: PersonName | 'bot',
    to: PersonName,
    type: number,
    content: string,
  ): Promise<string> =>
    (await by(who).call(createPrivate, { target_id: server.idOf(to), type, content })).msg_id
  const read = async (who: PersonName | 'bot', other: PersonName, id: string) =>
    (await by(who).call(listPrivate, { target_id: server.idOf(other) })).items.find((it) => it.id === id)!

  it('is not readable by its address alone, and is by the one in the message', async () => {
    const url = await picture()
    expect(await status(url)).toBe(200)
    const id = await send('member', 'owner', 2, url)
    expect(await status(url)).toBe(404)
    const it = await read('owner', 'member', id)
    expect(it.content.startsWith(`${url}?`)).toBe(true)
    expect((it.attachments as Attachment | null)?.url).toBe(it.content)
    expect(url.endsWith(it.image_name)).toBe(true)
    const answer = await fetch(it.content)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'private, max-age=3600, immutable',
    ])
    const other = new URL(await picture()).pathname
    for (const wrong of [it.content.slice(0, -2), it.content.replace(/e=\d+/, 'e=99999'), `${url}?e=1&s=a`])
      expect([wrong, await status(wrong)]).toEqual([wrong, 404])
    expect(other).not.toBe(new URL(url).pathname)
  })

  it('has an address that ends within eight days, and a new one when it is read again', async () => {
    const url = await picture()
    const id = await send('member', 'owner', 2, url)
    const before = (await read('owner', 'member', id)).content
    later(6 * DAY_MS)
    expect(await status(before)).toBe(200)
    later(2 * DAY_MS)
    expect(await status(before)).toBe(404)
    expect(await status((await read('owner', 'member', id)).content)).toBe(200)
  })

  it('has a signed address in cards, quotes and edits, and none in a text', async () => {
    const [old, fresh] = [await picture('bot'), await picture('bot')]
    const id = await send('bot', 'member', 10, card(old))
    const shown = (of: string) => read('bot', 'member', of)
    const src = async () =>
      (JSON.parse((await shown(id)).content) as { modules: { elements: { src: string }[] }[] }[])[0]!
        .modules[0]!.elements[0]!.src
    expect([await status(old), await status(await src())]).toEqual([404, 200])
    await by('bot').call(updatePrivate, { msg_id: id, content: card(fresh) })
    expect([await status(fresh), await status(await src())]).toEqual([404, 200])
    const quoting = await by('bot').call(createPrivate, {
      target_id: server.idOf('member'),
      type: 9,
      content: `see ${old}`,
      quote: id,
    })
    const quoted = await shown(quoting.msg_id)
    expect((quoted.quote as Message | null)?.content).toContain('?e=')
    expect(quoted.content).not.toContain('?e=')
  })

  it('is not shown to others by a card that has its address', async () => {
    const url = await picture()
    await send('member', 'owner', 2, url)
    expect(await refusalOf(say('bot', 10, card(url)))).toBe('asset.unknown')
  })

  it('is readable by its address again once its owner shows it in a guild', async () => {
    const url = await picture()
    await send('member', 'owner', 2, url)
    await say('member', 2, url)
    expect(await status(url)).toBe(200)
  })

  it('goes with its message', async () => {
    const url = await picture()
    const id = await send('member', 'owner', 2, url)
    const { content } = await read('owner', 'member', id)
    await by('member').call(deletePrivate, { msg_id: id })
    expect([await status(content), await status(url)]).toEqual([404, 404])
  })
})

it('a guild gets so many MB of new files within a day; files that it has already do not count', async () => {
  const { db } = server.database
  const [known, fresh] = [await picture(), await picture()]
  await say('member', 2, known)
  await sql`update attempt set spent = ${GUILD_FILES_MB_PER_DAY * 1024} where name = 'file KB by guild'`.execute(
    db,
  )
  expect(await refusalOf(say('member', 2, fresh))).toBe('asset.guild_daily_limit')
  await say('member', 2, known)
  await sql`delete from attempt where name = 'file KB by guild'`.execute(db)
  await say('member', 2, fresh)
})

it.skipIf(process.platform === 'win32')('no other account of the machine reads uploads', async () => {
  const uploads = path.join(server.dataDir, 'uploads')
  const url = await picture()
  for (const at of [
    uploads,
    path.join(uploads, 'incoming'),
    path.dirname(path.join(uploads, assetKey(url)!)),
  ])
    expect([at, (await stat(at)).mode & 0o077]).toEqual([at, 0])
  expect((await stat(path.join(uploads, assetKey(url)!))).mode & 0o177).toBe(0)
  expect(await readdir(path.join(uploads, 'incoming'))).toEqual([])
})

it('the migration finds which files the stored messages show', async () => {
  const { db } = server.database
  await say('member', 2, await picture())
  await say('bot', 10, card(await picture('bot'), await picture('bot')))
  const shown = async () =>
    (
      await sql<{ key: string; message_id: string; guild_id: string | null }>`
        select key, message_id, guild_id from asset_use
        where message_id not in (select id from message where kind in ('text', 'kmarkdown'))
        order by key, message_id`.execute(db)
    ).rows
  const before = await shown()
  expect(before.length).toBeGreaterThan(5)
  const migration = await readFile(
    path.join(import.meta.dirname, '../../migrations/0020-asset-uses.sql'),
    'utf8',
  )
  await sql`delete from asset_use`.execute(db)
  await sql.raw(migration.slice(migration.indexOf('with shown'))).execute(db)
  expect(await shown()).toEqual(before)
})
