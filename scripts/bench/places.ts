// The places benchmark: opening a guild with 500 roles and 500 channels, and changing a role that 100 000
// members have.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { audienceFacts, viewGuild } from '../../server/src/channel/channel.ts'
import { viewChanges } from '../../server/src/gateway/visibility.ts'
import type { Db } from '../../server/src/kit/database/db.ts'
import { openStore } from '../../server/src/kit/database/store.ts'
import { noopBus } from '../../server/src/kit/events/bus.ts'
import { commit } from '../../server/src/kit/events/events.ts'
import { emptyPresence } from '../../server/src/kit/events/presence.ts'
import { createGuild } from '../../server/src/member/member.ts'
import { changeRole } from '../../server/src/role/role.ts'
import { register } from '../../server/src/user/user.ts'

const MEMBERS = 100_000
const ROLES = 500
const CHANNELS = 500
const ROUNDS = 30

export async function run(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  try {
    await measure(store.database.db)
  } finally {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function timed(name: string, rounds: number, work: (round: number) => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work(round)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(part * (rounds - 1))]!.toFixed(1)
  console.log(`${name}: ${at(0.5)} ms (slowest ${at(1)}) over ${rounds}`)
}

async function measure(db: Db): Promise<void> {
  const appContext = { db, bus: noopBus, presence: emptyPresence, publicUrl: '' }
  const it = { prefix: '86', mobile: '13900000000', verified: true, makeName: () => 'owner' }
  const owner = (await commit(appContext, (tx) => register(tx, it))).user.id
  const guildId = await commit(appContext, (tx, emit) =>
    createGuild(tx, emit, { name: '大公会', ownerId: owner }),
  )
  await sql`insert into role (guild_id, name, position, permissions)
    select ${guildId}, '角色' || n, n, 0 from generate_series(1, ${ROLES} - 1) n`.execute(db)
  const { rows: roles } = await sql<{ role_id: number }>`
    select role_id from role where guild_id = ${guildId} and role_id > 0 order by position`.execute(db)
  const shared = roles.at(-1)!.role_id
  await sql`insert into channel (guild_id, user_id, name, type, level, created_at)
    select ${guildId}, ${owner}, '频道' || n, 1, n, 0 from generate_series(1, ${CHANNELS}) n`.execute(db)
  // Each channel is hidden from everyone and shown by the shared role and two others.
  await sql`insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    select channel.id, ${guildId}, role.role_id, case when role.role_id = 0 then 0 else 2048 end,
      case when role.role_id = 0 then 2048 else 0 end
    from channel join role on role.guild_id = channel.guild_id and (role.role_id in (0, ${shared})
      or role.position in (channel.level % 499 + 1, channel.level % 97 + 1))
    where channel.guild_id = ${guildId}`.execute(db)
  await sql`with made as (
      insert into "user" (username, identify_num, created_at, mobile_verified)
      select 'u' || n, '0001', 0, true from generate_series(1, ${MEMBERS}) n returning id
    ), joined as (insert into membership (guild_id, user_id, joined_at) select ${guildId}, id, 0 from made)
    select 1`.execute(db)
  await sql`insert into membership_role (guild_id, user_id, role_id)
    select ${guildId}, user_id, ${shared} from membership where guild_id = ${guildId} and user_id <> ${owner}`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  const { rows } = await sql<{ id: string; roles: number[] }>`
    select user_id as id, array[${shared}::int] as roles from membership
    where guild_id = ${guildId} and user_id <> ${owner}`.execute(db)
  const members = rows.map(({ id, roles }) => ({ userId: id as typeof owner, roles }))
  const reader = members[0]!.userId

  await timed('open the guild as a member', ROUNDS, async () =>
    JSON.stringify(await viewGuild(appContext, reader, guildId)),
  )
  await timed('open the guild as its owner', ROUNDS, async () =>
    JSON.stringify(await viewGuild(appContext, owner, guildId)),
  )
  await timed('change the permissions of the role', ROUNDS, (round) =>
    changeRole(appContext, owner, {
      guildId,
      roleId: shared,
      change: { permissions: round % 2 === 0 ? permission.view_channel : 0 } as Parameters<
        typeof changeRole
      >[2]['change'],
    }),
  )
  await timed('read the rules of a node again', ROUNDS, () => audienceFacts(db, guildId))
  const before = (await audienceFacts(db, guildId))!
  const after = { ...before, roles: before.roles.filter(({ role_id }) => role_id !== shared) }
  const hidden = {
    ...after,
    channels: after.channels.map((each) => ({
      ...each,
      rules: each.rules.filter((rule) => rule.role_id !== shared),
    })),
  }
  await timed(`who lost what: ${MEMBERS} members of the role alone`, 5, async () =>
    viewChanges(before, hidden, members),
  )
  const mixed = members.map((member, index) => ({
    ...member,
    roles: [roles[index % 400]!.role_id, roles[(index * 7) % 450]!.role_id, shared],
  }))
  await timed(
    `the same with ${new Set(mixed.map(({ roles }) => roles.join())).size} sets of roles`,
    5,
    async () => viewChanges(before, hidden, mixed),
  )
}
