import { renameSelf, updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { findCallable } from '@guildhall/wire/message/mention.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discardUnused } from '../asset/sql.ts'
import { replaceClock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild, join } from '../member/member.ts'
import { refusalOf } from '../testing/calls.ts'
import { openConnection, type TestConnection } from '../testing/connection.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { setBuffEnd } from '../user/user.ts'
import { changeIdentity, notifyGuilds } from './identity.ts'

let world: TestWorld
let db: Db
let port: number
let files = 0
beforeAll(async () => {
  world = await openWorld()
  db = world.database.db
  port = Number(new URL(await world.app.listen()).port)
})
afterAll(() => world.close())

/** Somebody in the demo guild. */
async function newPerson() {
  const { id, session, call } = await world.newcomer()
  await call(joinGuild, { id: world.invite })
  return { id, user: session.user, call }
}
/** A file of a person that no message shows. */
async function fileOf(
  id: UserId,
  kind = 'image',
  size = 1,
  copies: readonly object[] = [],
): Promise<{ key: string; url: string }> {
  const key = `assets/2026-11/avatar${String(++files).padStart(4, '0')}0hs0hs.webp`
  await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at, check_at)
    values (${key}, ${id}, ${kind}, 'image/webp', 'x', ${size}, '\\x00', 1, 1)`.execute(db)
  await sql`update asset set copies = ${JSON.stringify(copies)}::jsonb where key = ${key}`.execute(db)
  return { key, url: `http://elsewhere.example/${key}` }
}
const isThere = async (key: string) => {
  await transaction(db, (tx) => discardUnused(tx, [key]))
  return (await sql`select 1 from asset where key = ${key}`.execute(db)).rows.length > 0
}
const connectionOf = async (call: Awaited<ReturnType<typeof newPerson>>['call']) =>
  openConnection((await call(userState)).gateway_url, port)
const eventOf = async (connection: TestConnection, type: string) =>
  (await connection.next(({ d }) => d.extra?.type === type)).d
const loggedFor = async (id: UserId) =>
  (
    await sql<{ kind: string }>`
      select kind from event_log where body->>'user_id' = ${id} and kind = 'updated_guild_user'`.execute(db)
  ).rows.length

describe('a picture is refused', () => {
  it('to guests, and when it is no picture of one’s own', async () => {
    const { id, call, user } = await newPerson()
    const other = await newPerson()
    const { url } = await fileOf(other.id)
    expect(await world.as(null).refusal(updateSelf, { avatar: url })).toBe('not_logged_in')
    expect(await refusalOf(call(updateSelf, { avatar: url }))).toBe('asset.unknown')
    expect(await refusalOf(call(updateSelf, { avatar: 'https://example.org/cat.png' }))).toBe('asset.unknown')
    expect(await refusalOf(call(updateSelf, { avatar: (await fileOf(id, 'video')).url }))).toBe(
      'asset.unknown',
    )
    expect((await call(userState)).user.avatar).toBe(user.avatar)
    expect(await loggedFor(id)).toBe(0)
  })

  it('when its file is larger than 2 MB, and its file is not kept', async () => {
    const { id, call } = await newPerson()
    const { key, url } = await fileOf(id, 'image', 2 * 1024 * 1024 + 1)
    expect(await refusalOf(call(updateSelf, { avatar: url }))).toBe('asset.too_large')
    expect(await isThere(key)).toBe(false)
  })

  it('the twenty-first time in a day', async () => {
    const { call } = await newPerson()
    for (let times = 0; times < 20; times++) await call(updateSelf, { avatar: '' })
    expect(await refusalOf(call(updateSelf, { avatar: '' }))).toBe('too_many')
  })
})

describe('a picture', () => {
  it('is shown by this server’s address, and its file stays as long as the account shows it', async () => {
    const { id, call } = await newPerson()
    const first = await fileOf(id)
    const { avatar } = await call(updateSelf, { avatar: first.url })
    expect(avatar).toBe(`${world.app.appContext.publicUrl}/${first.key}`)
    expect(await isThere(first.key)).toBe(true)
    // A message that showed it, too, is gone.
    await sql`insert into asset_use (key, message_id, guild_id) values (${first.key}, gen_random_uuid(), null)`.execute(
      db,
    )
    await sql`delete from asset_use where key = ${first.key}`.execute(db)
    expect(await isThere(first.key)).toBe(true)
    const second = await fileOf(id)
    await call(updateSelf, { avatar: second.url })
    const { rows } = await sql<{ isLater: boolean }>`
      select check_at > ${Date.now()} as "isLater" from asset where key = ${first.key}`.execute(db)
    expect(rows).toEqual([{ isLater: true }])
    expect(await isThere(first.key)).toBe(false)
    expect(await isThere(second.key)).toBe(true)
  })

  it('can be removed, after which the letters of the name are shown', async () => {
    const { id, call, user } = await newPerson()
    await call(updateSelf, { avatar: (await fileOf(id)).url })
    expect((await call(updateSelf, { avatar: '' })).avatar).toBe(user.avatar)
  })

  it('can be set again', async () => {
    const { id, call } = await newPerson()
    const { key, url } = await fileOf(id)
    await call(updateSelf, { avatar: url })
    await call(updateSelf, { avatar: url })
    expect(await isThere(key)).toBe(true)
    expect(await loggedFor(id)).toBe(1)
  })
})

describe('another name or picture', () => {
  it('is told once to each guild, to oneself, and to people with a conversation', async () => {
    const { id, call } = await newPerson()
    const friend = await newPerson()
    const stranger = await newPerson()
    await friend.call(createPrivate, { target_id: id, content: '在吗' })
    const [own, theirs, others] = await Promise.all([call, friend.call, stranger.call].map(connectionOf))
    const { avatar, identify_num } = await call(renameSelf, { username: '新的名字' })
    const identity = {
      user_id: id,
      username: '新的名字',
      identify_num,
      avatar,
      vip_avatar: avatar,
      is_vip: false,
      avatar_frame: '',
    }
    expect((await eventOf(own!, 'user_updated')).extra?.body).toEqual(identity)
    expect((await eventOf(theirs!, 'user_updated')).extra?.body).toEqual(identity)
    const received = await eventOf(others!, 'updated_guild_user')
    expect(received).toMatchObject({
      target_id: world.main.guild_id,
      extra: { body: { ...identity, nickname: '新的名字' } },
    })
    for (const connection of [own, theirs, others]) connection?.close()
    const { rows } = await sql`
      select 1 from person_event_log where user_id = ${stranger.id} and kind = 'user_updated'`.execute(db)
    expect(rows).toEqual([])
    expect(await loggedFor(id)).toBe(1)
  })

  it('is told to nobody when it is the old one', async () => {
    const { id, user, call } = await newPerson()
    await call(renameSelf, { username: user.username })
    expect(await loggedFor(id)).toBe(0)
  })

  it('keeps a member’s nickname, and is found by name and pinyin at once', async () => {
    const { id, call } = await newPerson()
    const guild_id = world.main.guild_id
    await sql`update membership set nickname = '外号' where user_id = ${id}`.execute(db)
    const connection = await connectionOf(call)
    await call(renameSelf, { username: '欧阳明月' })
    expect((await eventOf(connection, 'updated_guild_user')).extra?.body).toMatchObject({ nickname: '外号' })
    connection.close()
    for (const search of ['欧阳', 'ouyang', 'mingyue'])
      expect((await world.as('owner').call(findCallable, { guild_id, search })).items).toContainEqual(
        expect.objectContaining({ id }),
      )
  })

  it('is told to all of very many guilds, a batch at a time, and a member of each is found by it', async () => {
    const { id, call } = await newPerson()
    const guildIds: GuildId[] = []
    for (let n = 0; n < 205; n++) {
      const made = await commit(world.app.appContext, (tx, emit) =>
        createGuild(tx, emit, { name: `公会${n}`, ownerId: world.people.owner.id }),
      )
      guildIds.push(made)
      await commit(world.app.appContext, (tx, emit) => join(tx, emit, made, id))
    }
    const rest: GuildId[] = []
    const deps = {
      appContext: world.app.appContext,
      queueRest: async (_tx: Tx, _id: UserId, after: GuildId) => void rest.push(after),
    }
    await commit(world.app.appContext, (tx, emit) =>
      changeIdentity(tx, emit, deps, id, { username: '处处有名' }),
    )
    expect([await loggedFor(id), rest.length]).toEqual([100, 1])
    // Renamed once more before the rest is told: the rest is told the newest name.
    await call(renameSelf, { username: '处处又名' })
    await notifyGuilds(world.app.appContext, id, rest[0]!)
    const { rows } = await sql<{ username: string; known: number }>`
      select distinct on (guild_id) body->>'username' as username,
             (select count(*)::int from membership where user_id = ${id} and not is_keyed) as known
      from event_log where body->>'user_id' = ${id} and kind = 'updated_guild_user' order by guild_id, seq desc`.execute(
      db,
    )
    expect(rows.length).toBe(206)
    expect(new Set(rows.map(({ username }) => username))).toEqual(new Set(['处处又名']))
    expect(rows[0]?.known).toBe(0)
  })
})

describe('with BUFF', () => {
  const buffUntil = (id: UserId, until: number) =>
    commit(world.app.appContext, (tx) => setBuffEnd(tx, id, until))
  const DAY_MS = 86_400_000
  let now = 0
  let stopClock: () => void
  beforeEach(() => {
    now = Date.now()
    stopClock = replaceClock(() => now)
  })
  afterEach(() => stopClock())

  const seen = async (id: UserId) => {
    const admin = world.as('admin').call
    const viewed = await admin(viewUser, { user_id: id })
    const { data } = await admin(listMembers, { id: world.guilds[0]!.id, search: viewed.username })
    const inList = data.find((each) => each.id === id)
    const { avatar, vip_avatar, identify_num, is_vip, avatar_frame } = viewed
    const identity = { avatar, vip_avatar, identify_num, is_vip, avatar_frame }
    expect(inList).toMatchObject(identity)
    return identity
  }

  it('a picture that moves is shown moving; without it, its first frame is; it moves again on renewal', async () => {
    const { id, call } = await newPerson()
    const { key, url } = await fileOf(id, 'image', 1, [{ side: 0, bytes: 1, sha256: '00' }])
    await call(updateSelf, { avatar: url })
    const moving = `${world.app.appContext.publicUrl}/${key}`
    const still = `${moving}?still=1`
    expect(await seen(id)).toMatchObject({ avatar: still, vip_avatar: still, is_vip: false })
    await buffUntil(id, now + DAY_MS)
    expect(await seen(id)).toMatchObject({ avatar: still, vip_avatar: moving, is_vip: true })
    now += DAY_MS
    expect(await seen(id)).toMatchObject({ avatar: still, vip_avatar: still, is_vip: false })
    await buffUntil(id, now + DAY_MS)
    expect(await seen(id)).toMatchObject({ vip_avatar: moving })
    expect(await isThere(key)).toBe(true)
    const other = await fileOf(id)
    await call(updateSelf, { avatar: other.url })
    expect((await seen(id)).vip_avatar).toBe(`${world.app.appContext.publicUrl}/${other.key}`)
    expect(await isThere(key)).toBe(false)
  })

  it('a ring is not chosen without BUFF, nor one that there is not, nor without end; taking it off is', async () => {
    const { id, call } = await newPerson()
    expect(await refusalOf(call(updateSelf, { avatar_frame: 'gold' }))).toBe('user.needs_buff')
    await buffUntil(id, now + DAY_MS)
    for (const unknown of ['platinum', 'gold jade', 'Gold'])
      expect(await refusalOf(call(updateSelf, { avatar_frame: unknown as 'gold' }))).toBe('bad_input')
    await buffUntil(id, now)
    await call(updateSelf, { avatar_frame: '' })
    await buffUntil(id, now + DAY_MS)
    for (let n = 2; n < 60; n += 1) await call(updateSelf, { avatar_frame: n % 2 ? 'jade' : 'sky' })
    expect(await refusalOf(call(updateSelf, { avatar_frame: 'gold' }))).toBe('too_many')
  })

  it('a ring is shown to everybody at once, hides when BUFF ends, and is there again with the next one', async () => {
    const { id, call } = await newPerson()
    await buffUntil(id, now + DAY_MS)
    const before = await loggedFor(id)
    const connection = await connectionOf((await newPerson()).call)
    expect(await call(updateSelf, { avatar_frame: 'dusk' })).toMatchObject({ avatar_frame: 'dusk' })
    expect((await eventOf(connection, 'updated_guild_user')).extra?.body).toMatchObject({
      user_id: id,
      avatar_frame: 'dusk',
    })
    connection.close()
    expect((await seen(id)).avatar_frame).toBe('dusk')
    await call(updateSelf, { avatar_frame: 'dusk' })
    expect(await loggedFor(id)).toBe(before + 1)
    now += DAY_MS
    expect((await seen(id)).avatar_frame).toBe('')
    await buffUntil(id, now + DAY_MS)
    expect((await seen(id)).avatar_frame).toBe('dusk')
    await call(updateSelf, { avatar_frame: '' })
    expect((await seen(id)).avatar_frame).toBe('')
  })

  it('a number is not chosen without BUFF, in another form, or when somebody of the name has it or chose it', async () => {
    const { id, call, user } = await newPerson()
    expect(await refusalOf(call(updateSelf, { identify_num: '8888' }))).toBe('user.needs_buff')
    await buffUntil(id, now + DAY_MS)
    for (const wrong of ['888', '123456789', '88a8', '八八八八'])
      expect(await refusalOf(call(updateSelf, { identify_num: wrong }))).toBe('user.number_wrong')

    const other = await newPerson()
    await buffUntil(other.id, now + 2 * DAY_MS)
    await call(renameSelf, { username: '同名' })
    const mine = (await other.call(renameSelf, { username: '同名' })).identify_num
    expect(await refusalOf(call(updateSelf, { identify_num: mine }))).toBe('user.number_taken')
    await other.call(updateSelf, { identify_num: '6666' })
    expect(await refusalOf(call(updateSelf, { identify_num: '6666' }))).toBe('user.number_taken')
    // A chosen number stays somebody's when their membership is over.
    now += 3 * DAY_MS
    await buffUntil(id, now + DAY_MS)
    expect(await refusalOf(call(updateSelf, { identify_num: '6666' }))).toBe('user.number_taken')
    expect(user.id).toBe(id)
  })

  it('of two people who choose the same at once, one has it', async () => {
    const both = [await newPerson(), await newPerson()]
    for (const { id, call } of both) {
      await buffUntil(id, now + DAY_MS)
      await call(renameSelf, { username: '一起' })
    }
    const outcomes = await Promise.all(
      both.map(({ call }) => refusalOf(call(updateSelf, { identify_num: '1234' }))),
    )
    expect(outcomes.sort()).toEqual(['none', 'user.number_taken'])
  })

  it('a chosen number is shown and found; at expiry the given one is shown again, and the chosen one on renewal', async () => {
    const { id, call, user } = await newPerson()
    await buffUntil(id, now + DAY_MS)
    const { identify_num } = await call(updateSelf, { identify_num: '520520' })
    expect(identify_num).toBe('520520')
    expect((await seen(id)).identify_num).toBe('520520')
    const found = await world.as('admin').call(findCallable, {
      guild_id: world.guilds[0]!.id,
      search: `${user.username}#520520`,
    })
    expect(JSON.stringify(found)).toContain(id)
    const received = await sql<{ body: { identify_num: string } }>`
      select body from event_log where body->>'user_id' = ${id} and kind = 'updated_guild_user' order by seq desc limit 1`.execute(
      db,
    )
    expect(received.rows[0]?.body.identify_num).toBe('520520')
    now += DAY_MS
    expect((await seen(id)).identify_num).toBe(user.identify_num)
    await buffUntil(id, now + DAY_MS)
    expect((await seen(id)).identify_num).toBe('520520')
    await call(updateSelf, { identify_num: '' })
    expect((await seen(id)).identify_num).toBe(user.identify_num)
  })
})
