import { blockPerson, unblockPerson } from '@guildhall/wire/friend/friend.ts'
import { PERSON_NOTE_MAX, PERSON_NOTES_MAX, writePersonNote } from '@guildhall/wire/friend/personNote.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteAccount, exportPage } from '../../account/account.ts'
import type { PersonName } from '../../demo/world.ts'
import type { LiveEvent } from '../../kit/events/bus.ts'
import { commit } from '../../kit/events/events.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  for (const table of ['friendship', 'friend_block', 'person_note'])
    await sql`delete from ${sql.table(table)}`.execute(world.database.db)
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const NOBODY = '4294967295' as never
const view = (from: PersonName, of: PersonName) =>
  world.as(from).call(viewPerson, { user_id: world.idOf(of) })
const write = (from: PersonName, of: PersonName, note: string) =>
  world.as(from).call(writePersonNote, { user_id: world.idOf(of), note })
const friendsSeen = async (from: PersonName, of: PersonName) => {
  const { total, items } = (await view(from, of)).friends
  return [total, items.map(({ id }) => id)]
}

describe('a note on a person is refused', () => {
  it('to guests, on oneself and on nobody', async () => {
    const input = { user_id: world.idOf('owner'), note: '同城' }
    expect(await world.as(null).refusal(writePersonNote, input)).toBe('not_logged_in')
    const refusal = (more: object) => world.as('member').refusal(writePersonNote, { ...input, ...more })
    expect(await refusal({ user_id: world.idOf('member') })).toBe('friend.self')
    expect(await refusal({ user_id: NOBODY })).toBe('user.unknown')
    expect(await refusal({ note: '长'.repeat(PERSON_NOTE_MAX + 1) })).toBe('bad_input')
  })

  it('when there are very many, which may still be changed', async () => {
    await write('member', 'owner', '一')
    await sql`
      insert into "user" (id, username, identify_num, avatar, created_at)
      select n, '路人' || n, '0000', '', 0 from generate_series(900001, ${900_000 + PERSON_NOTES_MAX - 1}::int) n`.execute(
      world.database.db,
    )
    await sql`
      insert into person_note (user_id, target_id, content, updated_at)
      select ${world.idOf('member')}, n, '路人', 0
      from generate_series(900001, ${900_000 + PERSON_NOTES_MAX - 1}::int) n`.execute(world.database.db)
    const input = { user_id: world.idOf('admin'), note: '二' }
    expect(await world.as('member').refusal(writePersonNote, input)).toBe('friend.notes_full')
    await write('member', 'owner', '三')
    expect((await view('member', 'owner')).note).toBe('三')
  })
})

describe('a note on a person', () => {
  it('is seen by its writer alone, who learns on all devices that it changed, but not its words', async () => {
    await write('member', 'owner', ' 会长，同城 ')
    await write('member', 'owner', '会长，同城')
    expect((await view('member', 'owner')).note).toBe('会长，同城')
    for (const other of ['owner', 'admin'] as const) expect((await view(other, 'owner')).note).toBe('')
    await write('member', 'owner', '')
    expect((await view('member', 'owner')).note).toBe('')
    await world.app.appContext.bus.settled()
    const seen = received.filter(({ kind }) => kind === 'updated_person_note')
    expect(seen).toEqual(
      Array(2).fill(
        expect.objectContaining({
          to: 'person',
          userId: world.idOf('member'),
          body: { user_id: world.idOf('owner') },
        }),
      ),
    )
  })

  it('is in its writer’s copy of their data, and in nobody else’s', async () => {
    await write('member', 'owner', '会长')
    const notesOf = async (name: PersonName) => {
      const input = {
        cursor: '',
        origin: '',
        addresses: world.app.appContext as never,
        ownReports: async () => [],
      }
      return (await exportPage(world.database.db, world.idOf(name), input)).person_notes
    }
    expect(await notesOf('member')).toEqual([
      { name: expect.stringMatching(/^.+#\d{4}$/), note: '会长', updated_at: expect.any(Number) },
    ])
    expect(await notesOf('owner')).toEqual([])
  })
})

describe('what is in common', () => {
  it('is told to people only, and of nobody who is not there', async () => {
    expect(await world.as(null).refusal(viewPerson, { user_id: world.idOf('owner') })).toBe('not_logged_in')
    expect(await world.as('member').refusal(viewPerson, { user_id: NOBODY })).toBe('user.unknown')
  })

  it('names no friends to a stranger, nor while one blocks the other, and then says the same', async () => {
    await world.befriend('outsider', 'owner')
    await world.befriend('member', 'owner')
    expect(await view('outsider', 'member')).toEqual({
      note: '',
      guilds: { total: 0, items: [] },
      friends: { total: 0, items: [] },
    })
    await world.befriend('admin', 'owner')
    expect(await friendsSeen('member', 'admin')).toEqual([1, [world.idOf('owner')]])
    await world.as('admin').call(blockPerson, { user_id: world.idOf('member') })
    for (const [from, of] of [
      ['member', 'admin'],
      ['admin', 'member'],
    ] as const)
      expect(await friendsSeen(from, of)).toEqual([0, []])
    await world.as('admin').call(unblockPerson, { user_id: world.idOf('member') })
    expect(await friendsSeen('admin', 'member')).toEqual([1, [world.idOf('owner')]])
  })

  it('is no guild that only one is in', async () => {
    expect((await view('owner', 'member')).guilds.total).toBeGreaterThan(1)
    const newcomer = await world.newcomer()
    const alone = await newcomer.call(viewPerson, { user_id: world.idOf('member') })
    expect(alone.guilds).toEqual({ total: 0, items: [] })
    await newcomer.call(joinGuild, { code: world.invite })
    const inside = await newcomer.call(viewPerson, { user_id: world.idOf('member') })
    expect(inside.guilds.items.map(({ id }) => id)).toEqual([world.guildId])
  })

  it('goes with a deleted account, and so do its notes and the notes on it', async () => {
    await write('outsider', 'member', '一')
    await write('member', 'outsider', '二')
    await commit(world.app.appContext, (tx, emit) => deleteAccount(tx, emit, world.idOf('outsider')))
    const input = { user_id: world.idOf('outsider') }
    expect(await world.as('member').refusal(viewPerson, input)).toBe('user.unknown')
    const { rows } = await sql`select 1 from person_note`.execute(world.database.db)
    expect(rows).toEqual([])
  })
})
