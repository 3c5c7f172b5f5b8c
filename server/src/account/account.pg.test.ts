import { deleteAccount, EXPORT_PAGE, exportAccount } from '@guildhall/wire/account/account.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { createPrivate, listChats, listPrivate } from '@guildhall/wire/chat/chat.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { listReports, viewReport } from '@guildhall/wire/staff/reports.ts'
import { listReviews } from '@guildhall/wire/staff/reviews.ts'
import { addWord } from '@guildhall/wire/staff/words.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../kit/database/db.ts'
import { refusalOf } from '../testing/calls.ts'
import { openConnection } from '../testing/connection.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let db: Db
let port: number
beforeAll(async () => {
  world = await openWorld()
  db = world.database.db
  port = Number(new URL(await world.app.listen()).port)
})
afterAll(() => world.close())

const holdMessagesWith = (word: string) =>
  world.as('staff').call(addWord, { word, action: 'hold', places: ['message'], note: '', reason: '测试' })

/** A new person in the demo guild who said something in its room and to the owner. */
async function newPerson() {
  const { id, mobile, session, call, askCode } = await world.newcomer()
  await call(joinGuild, { id: world.invite })
  const { msgId } = await call(sendToChannel, { id: world.main.id, content: '我来过', nonce: 'was-here' })
  await call(createPrivate, { target_id: world.people.owner.id, content: '悄悄说' })
  await sql`delete from phone_code where mobile = ${mobile}`.execute(db)
  return { id, mobile, token: session.token, call, askCode, msgId }
}
const authorsInRoom = async () =>
  new Map((await world.as('owner').call(history, { id: world.main.id })).map((it) => [it.id, it.author]))

describe('deleting one’s account is refused', () => {
  it('to guests, and without a password or a code', async () => {
    expect(await world.as(null).refusal(deleteAccount, {})).toBe('not_logged_in')
    const { call } = await newPerson()
    expect(await refusalOf(call(deleteAccount))).toBe('auth.code_required')
    expect(await world.as('member').refusal(deleteAccount)).toBe('auth.password_required')
  })

  it('with a wrong password or code, and after ten tries also with the right one', async () => {
    const { id, call, askCode } = await newPerson()
    expect(await refusalOf(call(deleteAccount, { code: '000000' }))).toBe('auth.code_expired')
    const code = await askCode()
    const wrong = code === '000000' ? '111111' : '000000'
    expect(await refusalOf(call(deleteAccount, { code: wrong }))).toBe('auth.code_wrong')
    for (let tries = 0; tries < 8; tries++)
      expect(await refusalOf(call(deleteAccount, { password: 'a guess' }))).toBe('auth.password_wrong')
    expect(await refusalOf(call(deleteAccount, { code }))).toBe('auth.too_many_tries')
    await world.app.security.flush()
    const { rows } = await sql<{ failure: string }>`
      select failure from security_event where kind = 'confirm' and user_id = ${id} order by id`.execute(db)
    expect(rows.map(({ failure }) => failure)).toEqual([
      'auth.code_expired',
      'auth.code_wrong',
      'auth.password_wrong',
      'auth.too_many_tries',
    ])
  })

  it('to the owner of guilds', async () => {
    const { password } = world.people.owner
    expect(await world.as('owner').refusal(deleteAccount, { password })).toBe('user.owns_guilds')
  })
})

describe('a person who deletes their account', () => {
  it('is logged out everywhere, and their words stay under the name of a deleted user', async () => {
    const { id, token, call, msgId, askCode } = await newPerson()
    const connection = await openConnection((await call(userState)).gateway_url, port)
    await call(deleteAccount, { code: await askCode() })
    expect(await connection.closed).toBe(4001)
    await expect.poll(() => world.as({ token }).refusal(me)).toBe('not_logged_in')
    const room = await authorsInRoom()
    expect(room.get(msgId)).toMatchObject({
      id,
      username: '已注销用户',
      avatar: expect.stringMatching(/\/avatars\/\d\/[^/]+\.svg$/),
    })
    // The guild's welcome named them.
    expect([...room.values()].filter((author) => author.id === id)).toHaveLength(1)
    const { items } = await world.as('owner').call(listChats)
    expect(items.map(({ target_info }) => target_info)).toContainEqual(
      expect.objectContaining({ id, username: '已注销用户' }),
    )
  })

  it('leaves no personal data in any table', async () => {
    const { id, mobile, call } = await newPerson()
    const { username } = await call(me)
    await sql`update "user" set username = '独一无二的名字' where id = ${id}`.execute(db)
    await world.command(`user password --user ${id} --password a-password1`)
    const { token } = await world.as(null).call(login, { mobile, password: 'a-password1' })
    expect(username).not.toBe('')
    await world.as({ token }).call(deleteAccount, { password: 'a-password1' })
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select it::text as row from ${sql.table(name)} it`.execute(
        db,
      )
      const found = rows.filter(({ row }) => row.includes(mobile) || row.includes('独一无二的名字'))
      expect([name, found]).toEqual([name, []])
    }
    for (const name of [
      'session',
      'credential',
      'membership',
      'read_mark',
      'member_key',
      'channel_user_rule',
    ]) {
      const { rows } = await sql`select 1 from ${sql.table(name)} where user_id = ${id}`.execute(db)
      expect([name, rows]).toEqual([name, []])
    }
  })

  it('takes what waits for staff along, and leaves their reports, under the name of a deleted user', async () => {
    await holdMessagesWith('群号')
    const { id, call, askCode } = await newPerson()
    const held = { id: world.main.id, content: '群号在此', nonce: 'held' }
    expect(await refusalOf(call(sendToChannel, held))).toBe('content.held')
    const key = 'attachments/2026-11/22/abcdefgh78.txt'
    await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at)
      values (${key}, ${id}, 'file', 'text/plain', 'x', 1, '\\x00', 1)`.execute(db)
    await sql`update held_content set input = jsonb_set(input, '{files}', ${JSON.stringify([key])}::jsonb)
      where author_id = ${id}`.execute(db)
    await call(createReport, { kind: 'user', id: world.people.admin.id, category: 'spam', words: '广告' })
    await call(deleteAccount, { code: await askCode() })
    const { items } = await world.as('staff').call(listReviews, { kind: 'message' })
    expect(items).toEqual([])
    const { rows } = await sql`select from held_content where author_id = ${id}`.execute(db)
    expect(rows).toEqual([])
    expect((await world.app.inject({ method: 'GET', url: `/${key}` })).status).toBe(404)
    const { rows: files } = await sql`select from asset where key = ${key}`.execute(db)
    expect(files).toEqual([])
    const { items: cases } = await world.as('staff').call(listReports, {})
    const about = cases.find(({ target_id }) => target_id === world.people.admin.id)
    const { reports } = await world.as('staff').call(viewReport, { id: Number(about?.id) })
    expect(reports).toMatchObject([{ reporter_id: id, reporter_name: '已注销用户', words: '广告' }])
  })

  it('with words takes their messages along, also private ones, and their files', async () => {
    const { id, call, msgId, askCode } = await newPerson()
    const key = 'attachments/2026-11/22/abcdefgh34.txt'
    await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at)
      values (${key}, ${id}, 'file', 'text/plain', 'x', 1, '\\x00', 1)`.execute(db)
    await call(deleteAccount, { code: await askCode(), words: true })
    await expect.poll(async () => (await authorsInRoom()).has(msgId)).toBe(false)
    const { items } = await world.as('owner').call(listChats)
    const chat = items.find(({ target_info }) => target_info.id === id)
    // The same job deletes them one kind after the other.
    await expect
      .poll(async () => (await world.as('owner').call(listPrivate, { chat_code: chat?.code })).items)
      .toEqual([])
    await expect
      .poll(async () => (await sql`select from asset where key = ${key}`.execute(db)).rows)
      .toEqual([])
    expect((await world.app.inject({ method: 'GET', url: `/${key}` })).status).toBe(404)
  })
})

describe('the copy of one’s data', () => {
  type Page = AnswerOf<typeof exportAccount>
  const whole = async (call: Awaited<ReturnType<typeof newPerson>>['call']): Promise<Page[]> => {
    const pages: Page[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next || null)
      pages.push(await call(exportAccount, { cursor }))
    return pages
  }

  it('is refused to guests and for a cursor of no export', async () => {
    expect(await world.as(null).refusal(exportAccount)).toBe('not_logged_in')
    for (const cursor of ['x', 'messages:1', "files:'--", 'private', 'held:x', 'reports:-1'])
      expect(await world.as('member').refusal(exportAccount, { cursor })).toBe('bad_input')
  })

  it('has profile, memberships, own messages and files, and nobody else’s', async () => {
    const { id, mobile, call, msgId } = await newPerson()
    await world.as('owner').call(createPrivate, { target_id: id, content: '别人的话' })
    const key = 'assets/2026-11/abcdefgh56.txt'
    await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at)
      values (${key}, ${id}, 'file', 'text/plain', '我的.txt', 7, '\\x00', 1)`.execute(db)
    const pages = await whole(call)
    expect(pages[0]).toMatchObject({ profile: { id, mobile, mobile_verified: true } })
    expect(pages[0]?.memberships).toMatchObject([{ guild_id: world.main.guild_id, nickname: '' }])
    expect(pages[0]?.sessions).toHaveLength(1)
    expect(pages[0]?.second_factor).toEqual({ on: false, since: 0, recovery_codes: 0 })
    expect(pages[0]?.referral).toEqual({ code: '', invited: 0, inviter_id: '', via: '', source: null })
    expect(pages.slice(1).every(({ profile }) => profile === undefined)).toBe(true)
    expect(pages.flatMap(({ messages }) => messages)).toMatchObject([
      { kind: 'welcome' },
      { id: msgId, channel_id: world.main.id, content: '我来过' },
      { target_id: world.people.owner.id, content: '悄悄说' },
    ])
    expect(pages.flatMap(({ files }) => files)).toMatchObject([
      { url: expect.stringMatching(new RegExp(`/${key}\\?e=`)), name: '我的.txt', size: 7 },
    ])
  })

  it('has own messages that wait for staff and own reports, and nobody else’s', async () => {
    await holdMessagesWith('微信')
    const [mine, other] = [await newPerson(), await newPerson()]
    for (const { call } of [mine, other])
      expect(
        await refusalOf(call(sendToChannel, { id: world.main.id, content: '加微信', nonce: 'held' })),
      ).toBe('content.held')
    const private_ = { target_id: world.people.owner.id, content: '私下加微信' }
    expect(await refusalOf(mine.call(createPrivate, private_))).toBe('content.held')
    await mine.call(createReport, { kind: 'user', id: other.id, category: 'spam', words: '总是广告' })
    await other.call(createReport, { kind: 'user', id: mine.id, category: 'abuse', words: '骂人' })
    const pages = await whole(mine.call)
    expect(pages.flatMap(({ held }) => held)).toMatchObject([
      { guild_id: world.main.guild_id, channel_id: world.main.id, content: '加微信', state: 'held' },
      { target_id: world.people.owner.id, content: '私下加微信', state: 'held', decided_at: 0 },
    ])
    expect(pages.flatMap(({ reports }) => reports)).toEqual([
      {
        kind: 'user',
        target_id: other.id,
        category: 'spam',
        words: '总是广告',
        state: 'open',
        created_at: expect.any(Number),
      },
    ])
  })

  it('has every message once, however many there are', async () => {
    const { id, call } = await newPerson()
    await sql`
      insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
      select gen_random_uuid(), ${world.main.guild_id}, ${world.main.id}, ${id}, 1000000 + n, 'text', n::text, '{}', 1
      from generate_series(1, ${EXPORT_PAGE * 2}) n`.execute(db)
    const messages = (await whole(call)).flatMap((page) => page.messages)
    expect(messages).toHaveLength(EXPORT_PAGE * 2 + 3)
    expect(new Set(messages.map((each) => each.id)).size).toBe(messages.length)
  })
})
