/**
 * What the screens of a guild's settings ask for, in a guild of a hundred thousand with 500 roles, 500
 * channels and half a year of acts: each screen opens within 300 ms of the server's time.
 */
import { sql } from 'kysely'
import { pageOfAudit } from '../../server/src/audit/audit.ts'
import { viewGuild } from '../../server/src/channel/channel.ts'
import { listEmoji } from '../../server/src/emoji/emoji.ts'
import { growthOf } from '../../server/src/growth/growth.ts'
import { listInvites } from '../../server/src/invite/manage.ts'
import type { Db } from '../../server/src/kit/database/db.ts'
import { openBus } from '../../server/src/kit/events/bus.ts'
import { eventLogOf } from '../../server/src/kit/events/events.ts'
import { ALL_MEMBERS, Rosters, userList } from '../../server/src/member/member.ts'
import { listBans, listMutes } from '../../server/src/member/moderation.ts'
import { countRoleMembers } from '../../server/src/role/role.ts'
import { openFakePresence } from '../../server/src/testing/fakePresence.ts'
import { seed, timed, withDatabase } from './members.ts'

const TIMES = 20
const DAYS = 180

export const run = (): Promise<void> => withDatabase(({ db }) => measure(db))

async function measure(db: Db): Promise<void> {
  const { guildId, ids, channels } = await seed(db)
  const me = ids[0]!
  await seedHistory(db, guildId)
  const bus = openBus(eventLogOf(db))
  const presence = openFakePresence()
  for (let at = 0; at < ids.length; at += 5) presence.come(ids[at]!)
  const appContext = { db, bus, presence, publicUrl: 'http://bench' }
  const lists = { appContext, rosters: new Rosters(appContext) }
  const none = { ...ALL_MEMBERS, guildId }
  const log = { guild_id: guildId, page: 1, page_size: 50 }
  await timed('the guild', TIMES, () => viewGuild(appContext, me, guildId))
  await timed('members', TIMES, () => userList(lists, me, none))
  await timed('… silent for 30 days', TIMES, () => userList(lists, me, { ...none, silentDays: 30 }))
  await timed('… who joined within 7 days', TIMES, () => userList(lists, me, { ...none, joinedDays: 7 }))
  await timed('… muted, with a role', TIMES, () => userList(lists, me, { ...none, isMuted: true, roleId: 7 }))
  await timed('members of each role', TIMES, () => countRoleMembers(db, me, guildId))
  await timed('bans', TIMES, () => listBans(appContext, me, { guildId, page: 1, size: 50 }))
  await timed('mutes', TIMES, () => listMutes(appContext, me, guildId, true))
  await timed('invites', TIMES, () =>
    listInvites(appContext, me, {
      guild_id: guildId,
      page: 1,
      size: 50,
      origin: 'http://bench',
    }),
  )
  await timed('emoji', TIMES, () => listEmoji(appContext, me, { guildId, page: 1, size: 500 }))
  await timed('audit log', TIMES, () => pageOfAudit(db, log))
  await timed('… of one kind', TIMES, () => pageOfAudit(db, { ...log, type: 'member_banned' }))
  await timed(`growth of 90 days, ${channels.length} channels`, TIMES, () => growthOf(db, me, guildId, 90))
  lists.rosters.close()
  bus.close()
}

/** Bans, mutes, acts, counts and emoji of half a year. */
async function seedHistory(db: Db, guildId: string): Promise<void> {
  const now = Date.now()
  const day = sql`to_char(now() - n * interval '1 day', 'YYYY-MM-DD')`
  await sql`insert into ban (guild_id, user_id, operator_id, remark, created_at)
    select ${guildId}, user_id, user_id, '', ${now}::bigint from membership where joined_at % 50 = 1`.execute(
    db,
  )
  await sql`insert into guild_audit (guild_id, at, actor_kind, actor_id, type, target_kind, target_id, target_name, reason)
    select ${guildId}, ${now}::bigint - n * 1000, 'member', (select min(user_id) from membership),
      case when n % 9 = 0 then 'member_banned' else 'message_deleted' end, 'message', n::text, '', ''
    from generate_series(1, 100000) n`.execute(db)
  await sql`insert into member_day (guild_id, day, joins, leaves)
    select ${guildId}, ${day}, n, n from generate_series(0, ${DAYS}::int) n`.execute(db)
  await sql`insert into author_count (guild_id, day, people)
    select ${guildId}, ${day}, n from generate_series(0, ${DAYS}::int) n`.execute(db)
  await sql`insert into channel_day (guild_id, day, channel_id, messages)
    select ${guildId}, ${day}, channel.id, n from channel, generate_series(0, ${DAYS}::int) n`.execute(db)
  await sql`insert into guild_emoji (guild_id, hash, name, emoji_type, user_id, created_at)
    select ${guildId}, 'h' || n, 'e' || n, 1, (select min(user_id) from membership), n
    from generate_series(1, 500) n`.execute(db)
  await sql`insert into emoji_day (guild_id, hash, day, uses)
    select ${guildId}, hash, ${day}, n from guild_emoji, generate_series(0, ${DAYS}::int) n`.execute(db)
  await sql`analyze`.execute(db)
}
