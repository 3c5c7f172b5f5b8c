/** What members are notified of. `channelId` `"0"`: the guild. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database/db.ts'

interface Location {
  readonly userId: UserId
  readonly guildId: GuildId
  readonly channelId: string
}

/** False when it was set so before. */
export async function set(
  tx: Tx,
  { userId, guildId, channelId, type }: Location & { readonly type: number },
) {
  const { rows } = await sql`
    insert into notify_setting as it (user_id, guild_id, channel_id, notify_type)
    values (${userId}, ${guildId}, ${channelId}, ${type})
    on conflict (user_id, guild_id, channel_id) do update set notify_type = excluded.notify_type
    where it.notify_type <> excluded.notify_type returning 1`.execute(tx)
  return rows.length > 0
}

/** False when there was no setting. */
export async function remove(tx: Tx, { userId, guildId, channelId }: Location) {
  const { rows } = await sql`
    delete from notify_setting
    where user_id = ${userId} and guild_id = ${guildId} and channel_id = ${channelId} returning 1`.execute(tx)
  return rows.length > 0
}

/** All settings of a person. */
export async function ofPerson(
  db: Db,
  userId: UserId,
): Promise<{ readonly guild_id: GuildId; readonly channel_id: string; readonly notify_type: number }[]> {
  return db
    .selectFrom('notify_setting')
    .select(['guild_id', 'channel_id', 'notify_type'])
    .where('user_id', '=', userId)
    .orderBy('guild_id')
    .orderBy('channel_id')
    .execute()
}
