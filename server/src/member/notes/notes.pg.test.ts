/** Notes of moderators on members: who reads, writes, changes and deletes them. Decision 120. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createBan, deleteBan } from '@guildhall/wire/member/moderation.ts'
import { createNote, deleteNote, listNotes, NOTES_MAX, updateNote } from '@guildhall/wire/member/note.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteAccount } from '../../account/account.ts'
import type { PersonName } from '../../demo/world.ts'
import { commit } from '../../kit/events/events.ts'
import { addRole, giveRole } from '../../role/role.ts'
import { type Newcomer, refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { join } from '../member.ts'

let world: TestWorld
let guild_id: GuildId
/** A moderator with nothing but the right to mute. */
let mod: Newcomer
let modRole: number
type Who = ReturnType<TestWorld['as']>
const idOf = (name: PersonName): UserId => world.people[name].id

beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
  mod = await world.newcomer()
  await commit(world.app.appContext, async (tx, emit) => {
    const look = { color: 0, hoist: 0, mentionable: 0 }
    const role = await addRole(tx, guild_id, { ...look, name: '看护', permissions: permission.mute_member })
    modRole = role.role_id
    await join(tx, emit, guild_id, mod.id)
    await giveRole(tx, emit, guild_id, mod.id, modRole)
  })
})
afterAll(() => world.close())
afterEach(() => sql`delete from guild_note`.execute(world.database.db))

const notesOn = async (user_id: UserId, as: Who = world.as('owner')) =>
  (await as.call(listNotes, { guild_id, user_id })).items
const write = (content: string, user_id = idOf('member'), as: Who = world.as('owner')) =>
  as.call(createNote, { guild_id, user_id, content })

describe('notes are refused', () => {
  it('to guests, outsiders, members, and who manages roles or sees the log and is no moderator', async () => {
    const { id } = await write('先观察')
    const set = (permissions: number) =>
      sql`update role set permissions = ${permissions} where guild_id = ${guild_id} and role_id = ${modRole}`.execute(
        world.database.db,
      )
    const asked = async (as: Who) => [
      await as.refusal(listNotes, { guild_id, user_id: idOf('member') }),
      await as.refusal(createNote, { guild_id, user_id: idOf('member'), content: '一' }),
      await as.refusal(updateNote, { guild_id, id, content: '一' }),
      await as.refusal(deleteNote, { guild_id, id }),
    ]
    expect(await asked(world.as(null))).toEqual(Array(4).fill('not_logged_in'))
    expect(await asked(world.as('outsider'))).toEqual(Array(4).fill('forbidden'))
    expect(await asked(world.as('muted'))).toEqual(Array(4).fill('member.no_right'))
    await set(permission.manage_role | permission.view_log | permission.manage_nickname)
    expect(await asked(mod)).toEqual(Array(4).fill('member.no_right'))
    await set(permission.mute_member)
    expect(await asked(mod)).toEqual(['none', 'none', 'note.not_yours', 'note.not_yours'])
  })

  it('to the one that they are about, whatever their rights', async () => {
    const { id } = await write('要小心', mod.id)
    const about = { guild_id, user_id: mod.id }
    expect(await mod.refusal(listNotes, about)).toBe('member.no_right')
    expect(await mod.refusal(createNote, { ...about, content: '我很好' })).toBe('member.no_right')
    expect(await mod.refusal(deleteNote, { guild_id, id })).toBe('note.unknown')
    expect(await mod.refusal(updateNote, { guild_id, id, content: '没事' })).toBe('note.unknown')
    await write('会长也要看着', idOf('owner'), mod)
    expect(await world.as('owner').refusal(listNotes, { guild_id, user_id: idOf('owner') })).toBe(
      'member.no_right',
    )
  })

  it('without words, with too many, on nobody, in another guild, and beyond their number', async () => {
    const refused = (content: string, user_id = idOf('member')) =>
      world.as('owner').refusal(createNote, { guild_id, user_id, content })
    expect([await refused(' \u200b'), await refused('长'.repeat(1_001))]).toEqual(['bad_input', 'bad_input'])
    expect(await refused('谁', '999999' as UserId)).toBe('user.unknown')
    const { id } = await write('在这里')
    const elsewhere = { guild_id: world.guilds[1]!.id, id }
    expect(await world.as('owner').refusal(deleteNote, elsewhere)).toBe('note.unknown')
    await sql`insert into guild_note (guild_id, user_id, author_id, content, created_at, updated_at)
      select ${guild_id}, ${idOf('member')}, ${idOf('owner')}, 'n', 1, 1
      from generate_series(3, ${NOTES_MAX})`.execute(world.database.db)
    // Two at once, and there is room for one.
    const both = await Promise.all([write('一'), write('二')].map(refusalOf))
    expect(both.toSorted()).toEqual(['none', 'note.full'])
    expect(await notesOn(idOf('member'))).toHaveLength(NOTES_MAX)
  })
})

it('notes say who wrote them and when, the newest first, in lines; their author alone changes them', async () => {
  const first = await write('先观察\n一周')
  const second = await write('又来了', idOf('member'), mod)
  expect(await notesOn(idOf('member'), mod)).toEqual([second, first])
  expect([first.content, first.author.id, first.updated_at]).toEqual([
    '先观察\n一周',
    idOf('owner'),
    first.created_at,
  ])
  expect(await world.as('owner').refusal(updateNote, { guild_id, id: second.id, content: '没有' })).toBe(
    'note.not_yours',
  )
  const changed = await mod.call(updateNote, { guild_id, id: second.id, content: '道歉了' })
  expect(changed).toMatchObject({ content: '道歉了', created_at: second.created_at, author: { id: mod.id } })
  expect(changed.updated_at).toBeGreaterThanOrEqual(second.updated_at)
})

it('their author deletes them, and who manages the guild deletes all; a second time there is none', async () => {
  const { id } = await write('一', idOf('member'), mod)
  await world.as('owner').call(deleteNote, { guild_id, id })
  expect(await mod.refusal(updateNote, { guild_id, id, content: '二' })).toBe('note.unknown')
  expect(await mod.refusal(deleteNote, { guild_id, id })).toBe('note.unknown')
  const own = await write('三', idOf('member'), mod)
  await mod.call(deleteNote, { guild_id, id: own.id })
  expect(await notesOn(idOf('member'))).toEqual([])
})

it('they stay when the member leaves and comes back, and go with the account', async () => {
  await write('广告号')
  await world.as('owner').call(createBan, { guild_id, target_id: idOf('member') })
  expect(await notesOn(idOf('member'))).toHaveLength(1)
  await world.as('owner').call(deleteBan, { guild_id, target_id: idOf('member') })
  await world.as('member').call(joinGuild, { id: world.invite } as never)
  expect(await notesOn(idOf('member'))).toMatchObject([{ content: '广告号' }])
  const { id } = await world.newcomer()
  await write('路过', id)
  await commit(world.app.appContext, (tx, emit) => deleteAccount(tx, emit, id))
  expect(await notesOn(id)).toEqual([])
})

it('no log tells of them, and an event that they changed says nothing of whom', async () => {
  const { bus } = world.app.appContext
  await bus.settled()
  const seen: unknown[] = []
  const end = bus.subscribe(({ kind, body }) => void seen.push([kind, body]))
  const { id } = await write('悄悄')
  await world.as('owner').call(updateNote, { guild_id, id, content: '再看' })
  await world.as('owner').call(deleteNote, { guild_id, id })
  expect(await world.as('owner').refusal(deleteNote, { guild_id, id })).toBe('note.unknown')
  await bus.settled()
  end?.()
  expect(seen).toEqual(Array(3).fill(['updated_notes', {}]))
  const { rows } = await sql`select 1 from guild_audit where person_id = ${idOf('member')}
    and type like 'note%'`.execute(world.database.db)
  expect(rows).toEqual([])
})
