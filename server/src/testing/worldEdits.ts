/** Changes to a world that no call offers yet, for tests; each emits its events as the server does. */
import type { BodyOf, EventKind } from '@guildhall/wire/event.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { holderNotifier } from '../account/account.ts'
import { endNotifier } from '../app/payments.ts'
import { createChannel } from '../channel/channel.ts'
import { notifyEnds } from '../entitlement/entitlement.ts'
import { setBoosts } from '../guild/guild.ts'
import { noopBus } from '../kit/events/bus.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { createGuild, join, setNickname } from '../member/member.ts'
import { addRole, dropRole, giveRole, updateRole } from '../role/role.ts'
import type { TestDatabase } from './database/database.ts'

/**
 * Works like the command line beside a server: the server receives the events through the database.
 * `publicUrl`: the server's, where events have addresses.
 */
export function openWorldEdits(database: TestDatabase, publicUrl = '') {
  const appContext: AppContext = {
    db: database.db,
    bus: noopBus,
    presence: emptyPresence,
    publicUrl,
    announces: true,
  }
  return {
    /** Runs statements and emits an event to a guild, to the viewers of a channel, or to one person. */
    notify<E extends EventKind>(input: {
      readonly guildId?: GuildId
      readonly channelId?: ChannelId
      readonly userId?: UserId
      readonly sql: string
      readonly event: E
      readonly body: BodyOf<E>
    }): Promise<void> {
      return commit(appContext, async (tx, emit) => {
        for (const statement of input.sql.split(';')) await sql.raw(statement).execute(tx)
        if (input.userId) emit.person(input.userId, input.event, input.body)
        if (input.guildId) emit.guild(input.guildId, input.event, input.body, input.channelId)
      })
    },
    addRole: (guildId: GuildId, role: Parameters<typeof addRole>[2]) =>
      commit(appContext, async (tx, emit) => (await addRole(tx, guildId, role, emit)).role_id),
    setLevel: (guildId: GuildId, level: number) =>
      commit(appContext, (tx, emit) => setBoosts(tx, emit, guildId, { boost_num: 0, level })),
    renameRole: (guildId: GuildId, roleId: number, name: string) =>
      commit(appContext, (tx, emit) => updateRole(tx, emit, guildId, roleId, { name })),
    deleteRole: (guildId: GuildId, roleId: number) =>
      commit(appContext, (tx, emit) => dropRole(tx, emit, guildId, roleId)),
    giveRole: (guildId: GuildId, userId: UserId, roleId: number) =>
      commit(appContext, (tx, emit) => giveRole(tx, emit, guildId, userId, roleId)),
    setNickname: (guildId: GuildId, userId: UserId, nickname: string) =>
      commit(appContext, (tx, emit) => setNickname(tx, emit, guildId, userId, nickname)),
    join: (guildId: GuildId, userId: UserId) =>
      commit(appContext, (tx, emit) => join(tx, emit, guildId, userId)),
    addChannel: (guildId: GuildId, name: string) =>
      commit(appContext, (tx, emit) => createChannel(tx, emit, { guildId, name, type: 1 })),
    /** Creates a guild owned by this person. */
    newGuild: (name: string, ownerId: UserId) =>
      commit(appContext, (tx, emit) => createGuild(tx, emit, { name, ownerId })),
    /** What somebody was granted for a time is over, and is told as the work of every minute tells it. */
    async endGrants(userId: UserId): Promise<void> {
      await commit(appContext, async (tx) => {
        await sql`update entitlement set granted_at = 1, length = 1 where user_id = ${userId}`.execute(tx)
        await sql`update entitlement_end set at = 1 where user_id = ${userId}`.execute(tx)
        await sql`update "user" set vip_until = least(vip_until, 2) where id = ${userId}`.execute(tx)
      })
      await notifyEnds(
        appContext,
        endNotifier(holderNotifier({ appContext, jobs: { send: async () => undefined } })),
      )
    },
    async guildNamed(name: string): Promise<GuildId> {
      const { rows } = await sql<{ id: GuildId }>`select id from guild where name = ${name}`.execute(
        database.db,
      )
      return rows[0]!.id
    },
  }
}
export type WorldEdits = ReturnType<typeof openWorldEdits>
