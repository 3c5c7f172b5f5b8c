/** What changes while a search stands between the index and the messages that it answers. */
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import type { ChannelId, RoleId } from '@guildhall/wire/id.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { revokeRole } from '@guildhall/wire/role/role.ts'
import { searchMessages } from '@guildhall/wire/search/search.ts'
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel, HIDDEN_FROM_EVERYONE, setRule } from '../channel/channel.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { join } from '../member/member.ts'
import { addRole, giveRole } from '../role/role.ts'
import type { Newcomer, Person } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

const WORD = '口令'
let world: TestWorld
let asker: Newcomer
let channel: ChannelId
let message: string
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  asker = await world.newcomer()
  await change((tx, emit) => join(tx, emit, world.guildId, asker.id))
  channel = await change((tx, emit) =>
    createChannel(tx, emit, { guildId: world.guildId, name: '竞', type: 1 }),
  )
  message = (await world.as('owner').say(channel, `今晚的${WORD}`)).id
})

const change = <T>(work: Parameters<typeof commit<T>>[1]): Promise<T> => commit(world.app.appContext, work)
const hide = () => change((tx, emit) => setRule(tx, emit, channel, HIDDEN_FROM_EVERYONE))
const found = async (who: Person, where: object = { channel_id: channel }) =>
  (await who.call(searchMessages, { q: WORD, ...where })).items.map((it) => it.message.content)

/**
 * Starts a search, waits until it has hits and wants to read a table that only the reading of messages needs,
 * changes something, and lets it go on.
 */
async function meanwhile<T>(table: string, ask: () => Promise<T>, work: (tx: Tx) => Promise<unknown>) {
  const { db } = world.database
  let running: Promise<T> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    let isAnswered = false
    running = ask().finally(() => {
      isAnswered = true
    })
    for (let isWaiting = false; !isWaiting && !isAnswered; ) {
      const { rows } = await sql`
        select from pg_locks where relation = ${table}::regclass and not granted`.execute(db)
      isWaiting = rows.length > 0
    }
    expect(isAnswered).toBe(false)
    await work(tx)
  })
  return running as Promise<T>
}

const remove = (tx: Tx) =>
  sql`update message set deleted_at = 1, content = '' where id = ${message}`.execute(tx)
const edit = (tx: Tx) =>
  sql`update message set content = '别的话', updated_at = 1, kmarkdown = '{"raw_content": "别的话"}'
      where id = ${message}`.execute(tx)

describe('of what changes while a search runs', () => {
  it('nothing changes: it finds the message', async () => {
    expect(
      await meanwhile(
        'reaction',
        () => found(asker),
        async () => undefined,
      ),
    ).toEqual([`今晚的${WORD}`])
  })

  it.each([
    ['deleted', remove],
    ['edited', edit],
  ])('a message that is %s is not answered, neither to a member nor to staff', async (_, work) => {
    const report = { kind: 'message', id: message, category: 'spam', words: '' }
    await asker.call(createReport, report)
    expect(await meanwhile('reaction', () => found(asker), work)).toEqual([])
    message = (await world.as('owner').say(channel, `明晚的${WORD}`)).id
    const asked = { q: WORD, reason: '核实举报', channel_id: channel }
    const ask = () => world.as('staff').call(searchReported, asked)
    expect((await meanwhile('reaction', ask, work)).items).toEqual([])
  })

  it('a message of a private conversation that is deleted or edited is not answered', async () => {
    for (const set of [sql`deleted_at = 1`, sql`updated_at = 1, content = '别的话'`]) {
      const said = { target_id: asker.id, content: `私下的${WORD}` }
      const { msg_id } = await world.as('owner').call(createPrivate, said)
      const ask = () => found(asker, {})
      expect(await ask()).toContain(said.content)
      const work = (tx: Tx) => sql`update private_message set ${set} where id = ${msg_id}`.execute(tx)
      const shown = await meanwhile('private_reaction', ask, work)
      expect(shown.filter((it) => it === said.content || it === '别的话')).toEqual([])
    }
  })
})

// Also when the messages were read already.
describe.each(['reaction', 'read_mark'])(
  'who may view it no longer when a search has waited for %s',
  (table) => {
    const ask = () => found(asker)

    it('is who was kicked out', async () => {
      const kick = { guild_id: world.guildId, target_id: asker.id }
      expect(await meanwhile(table, ask, () => world.as('owner').call(kickOut, kick))).toEqual([])
    })

    it('is everybody from whom the channel is hidden', async () => {
      expect(await meanwhile(table, ask, hide)).toEqual([])
      await world.as('owner').say(channel, `还是${WORD}`)
      expect(await found(world.as('owner'))).toHaveLength(2)
    })

    it('is who lost the role for it', async () => {
      await hide()
      const role_id = await change(async (tx, emit) => {
        const role = { name: '知情', permissions: 0 }
        const { role_id } = await addRole(tx, world.guildId, role as never, emit)
        await setRule(tx, emit, channel, { role_id, allow: permission.view_channel, deny: 0 })
        await giveRole(tx, emit, world.guildId, asker.id, role_id)
        return role_id as RoleId
      })
      expect(await found(asker)).toHaveLength(1)
      const taken = { guild_id: world.guildId, user_id: asker.id, role_id }
      expect(await meanwhile(table, ask, () => world.as('owner').call(revokeRole, taken))).toEqual([])
    })
  },
)
