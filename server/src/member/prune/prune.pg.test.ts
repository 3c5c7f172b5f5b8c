/** Silent members are removed together: who is one, who may, and what is said of it. Decision 120. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { useBoosts } from '@guildhall/wire/boost/boost.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { previewPrune, pruneMembers, viewPrune } from '@guildhall/wire/member/prune.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { givePacks } from '../../boost/boost.ts'
import { commit } from '../../kit/events/events.ts'
import { addRole, giveRole } from '../../role/role.ts'
import { type Newcomer, refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { join, leave, Rosters } from '../member.ts'
import { runPrune, startPrune } from './prune.ts'

let world: TestWorld
let guild_id: GuildId
/** Who may remove members, and nothing else; their role stands between the two others. */
let mod: Newcomer
const roles = { high: 0, mod: 0, low: 0 }
const look = { color: 0, hoist: 0, mentionable: 0, permissions: 0 }

beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[1]!.id
  mod = await world.newcomer()
  await commit(world.app.appContext, async (tx, emit) => {
    await join(tx, emit, guild_id, mod.id)
    for (const name of ['high', 'mod', 'low'] as const) {
      const permissions = name === 'mod' ? permission.remove_member : 0
      roles[name] = (await addRole(tx, guild_id, { ...look, name, permissions }, emit)).role_id
    }
    await giveRole(tx, emit, guild_id, mod.id, roles.mod)
  })
})
afterAll(() => world.close())
afterEach(() =>
  commit(world.app.appContext, async (tx, emit) => {
    for (const { id } of came.splice(0)) await leave(tx, emit, guild_id, id)
  }),
)

const came: Newcomer[] = []
/** Members who joined, and were last seen, so many days ago. */
async function silentFor(days: number, count = 1, roleId?: number): Promise<Newcomer[]> {
  const all: Newcomer[] = []
  for (let n = 0; n < count; n += 1) all.push(await world.newcomer())
  came.push(...all)
  await commit(world.app.appContext, async (tx, emit) => {
    for (const { id } of all) {
      await join(tx, emit, guild_id, id)
      if (roleId !== undefined) await giveRole(tx, emit, guild_id, id, roleId)
      const at = Date.now() - days * DAY_MS
      await sql`update membership set joined_at = ${at} where guild_id = ${guild_id} and user_id = ${id}`.execute(
        tx,
      )
      await sql`update session set seen_at = ${at} where user_id = ${id}`.execute(tx)
    }
  })
  return all
}
const owner = () => world.as('owner')
const preview = (input: object = {}, as: Pick<Newcomer, 'call'> = owner()) =>
  as.call(previewPrune, { guild_id, silent_days: 30, ...input })
const prune = (input: object = {}, as: Pick<Newcomer, 'call'> = owner()) =>
  as.call(pruneMembers, { guild_id, silent_days: 30, ...input })
const isMember = async ({ call }: Newcomer) => (await refusalOf(call(viewGuild, { id: guild_id }))) === 'none'
/** Of a removal that no job goes on with. */
const depsOf = () => {
  const { appContext } = world.app
  const jobs = { send: () => Promise.resolve(), wake: () => undefined }
  return { appContext, rosters: new Rosters(appContext), jobs }
}
const forgetPrune = () => sql`delete from guild_prune`.execute(world.database.db)
const over = () =>
  expect
    .poll(async () => (await owner().call(viewPrune, { guild_id })).is_running, { timeout: 20_000 })
    .toBe(false)

describe('is refused', () => {
  it('to guests, outsiders and members without the right', async () => {
    const [plain] = await silentFor(0)
    const asked = async (as: Pick<Newcomer, 'refusal'>) => [
      await as.refusal(previewPrune, { guild_id, silent_days: 7 }),
      await as.refusal(pruneMembers, { guild_id, silent_days: 7 }),
      await as.refusal(viewPrune, { guild_id }),
    ]
    expect(await asked(world.as(null))).toEqual(Array(3).fill('not_logged_in'))
    expect(await asked(world.as('outsider'))).toEqual(Array(3).fill('forbidden'))
    expect(await asked(plain!)).toEqual(Array(3).fill('member.no_right'))
  })

  it('for no days', async () => {
    expect(await owner().refusal(pruneMembers, { guild_id, silent_days: 0 })).toBe('bad_input')
  })

  it('while another one runs: of two at once one is', async () => {
    await silentFor(60, 2)
    const deps = { ...depsOf(), boostersOf: async () => new Set<UserId>() }
    const asked = { guildId: guild_id, silentDays: 30, roleIds: [] }
    const by = [world.people.owner.id, mod.id].map((id) => refusalOf(startPrune(deps, id, asked)))
    expect((await Promise.all(by)).toSorted()).toEqual(['none', 'prune.running'])
    deps.rosters.close()
    expect(await owner().refusal(pruneMembers, { guild_id, silent_days: 30 })).toBe('prune.running')
    await forgetPrune()
  })
})

it('counts those whom the filter finds, and shows the first: nobody seen lately, no bot, no role, no booster', async () => {
  await world.command(`bot create --name 老机器人 --guild ${guild_id}`)
  await sql`update membership set joined_at = 1 where guild_id = ${guild_id}
    and user_id in (select id from "user" where bot)`.execute(world.database.db)
  const silent = await silentFor(60, 12)
  await silentFor(10)
  await silentFor(60, 1, roles.low)
  const [booster] = await silentFor(60)
  await commit(world.app.appContext, (tx, emit) =>
    givePacks(tx, emit, booster!.id, { count: 1, orderId: null }),
  )
  await booster!.call(useBoosts, { guild_id, count: 1 })
  await sql`update session set seen_at = 1 where user_id = ${booster!.id}`.execute(world.database.db)
  const { count, items } = await preview()
  expect([count, items.length]).toEqual([12, 10])
  expect(silent.map(({ id }) => id)).toEqual(expect.arrayContaining(items.map(({ id }) => id)))
  const filtered = await owner().call(userList, { guild_id, silent_days: 30 })
  expect(filtered.meta.total).toBe(14)
  expect((await preview({ silent_days: 5 })).count).toBe(13)
  expect((await preview({ role_ids: [roles.low] })).count).toBe(13)
  expect((await preview({ role_ids: [roles.high] })).count).toBe(12)
})

it('leaves those who are not below whoever asks', async () => {
  await silentFor(60, 1, roles.high)
  await silentFor(60, 1, roles.low)
  const all = { role_ids: Object.values(roles) }
  expect([(await preview(all)).count, (await preview(all, mod)).count]).toEqual([2, 1])
})

it('removes them in pieces, tells how many, and the log says so once', async () => {
  const silent = await silentFor(60, 3)
  const [active] = await silentFor(1)
  await sql`delete from guild_audit`.execute(world.database.db)
  expect(await prune({}, mod)).toMatchObject({ is_running: true, total: 3 })
  await over()
  expect(await owner().call(viewPrune, { guild_id })).toEqual({ is_running: false, total: 3, removed: 3 })
  expect(await Promise.all([...silent, active!].map(isMember))).toEqual([false, false, false, true])
  const { items } = await owner().call(listAudit, { guild_id })
  expect(items).toMatchObject([
    {
      type: 'members_pruned',
      actor: { id: mod.id },
      target: { kind: 'guild' },
      after: { count: 3, silent_days: 30 },
    },
  ])
  expect((await preview()).count).toBe(0)
})

it('with nobody to remove it is over at once, and the log says nothing', async () => {
  await sql`delete from guild_audit`.execute(world.database.db)
  expect(await prune()).toEqual({ is_running: false, total: 0, removed: 0 })
  expect((await owner().call(listAudit, { guild_id })).items).toEqual([])
})

describe('what happens meanwhile', () => {
  /** Runs one that `mod` asked for; `meanwhile`: between the search and the first piece. */
  async function run(meanwhile: () => Promise<unknown>, signal = new AbortController().signal) {
    let looks = 0
    const started_at = Date.now()
    await forgetPrune()
    await sql`insert into guild_prune (guild_id, user_id, silent_days, role_ids, started_at, touched_at, total, removed)
      values (${guild_id}, ${mod.id}, 30, '{}', ${started_at}, ${started_at}, 2, 0)`.execute(
      world.database.db,
    )
    const boostersOf = async () => {
      looks += 1
      if (looks === 2) await meanwhile()
      return new Set<UserId>()
    }
    const deps = { ...depsOf(), boostersOf }
    const again = () => runPrune(deps, { guild_id, started_at }, new AbortController().signal)
    try {
      await runPrune(deps, { guild_id, started_at }, signal)
    } finally {
      deps.rosters.close()
    }
    return again
  }
  const right = (permissions: number) =>
    sql`update role set permissions = ${permissions} where guild_id = ${guild_id} and role_id = ${roles.mod}`.execute(
      world.database.db,
    )

  it('who came back, or got a role, stays', async () => {
    const [back, promoted, gone] = await silentFor(60, 3)
    await run(async () => {
      await sql`update session set seen_at = ${Date.now()} where user_id = ${back!.id}`.execute(
        world.database.db,
      )
      await commit(world.app.appContext, (tx, emit) => giveRole(tx, emit, guild_id, promoted!.id, roles.low))
    })
    expect(await Promise.all([back!, promoted!, gone!].map(isMember))).toEqual([true, true, false])
    expect(await owner().call(viewPrune, { guild_id })).toMatchObject({ is_running: false, removed: 1 })
  })

  it('nobody is removed by who has the right no more', async () => {
    const [one] = await silentFor(60)
    await right(0)
    await run(() => Promise.resolve())
    await right(permission.remove_member)
    expect(await isMember(one!)).toBe(true)
    expect(await owner().call(viewPrune, { guild_id })).toMatchObject({ is_running: false, removed: 0 })
  })

  it('one that was cut off goes on, and is written down once', async () => {
    await sql`delete from guild_audit`.execute(world.database.db)
    const [one] = await silentFor(60)
    await expect(run(() => Promise.resolve(), AbortSignal.abort())).rejects.toThrow()
    // Who is asked themselves is seen by it.
    expect((await preview()).count).toBe(1)
    const again = await run(() => Promise.resolve())
    expect(await isMember(one!)).toBe(false)
    await again()
    expect((await owner().call(listAudit, { guild_id })).items).toMatchObject([{ after: { count: 1 } }])
  })
})
