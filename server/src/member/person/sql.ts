/** What is in common between two people: guilds and friends. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { type Identity, identityColumns } from '../../user/user.ts'

/** Some rows, and how many there are of all. */
interface Counted<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

const counted = <Row extends { readonly total: number }>(rows: readonly Row[]): Counted<Row> => ({
  total: rows[0]?.total ?? 0,
  rows,
})

/** The guilds that both are in, by their names. */
export async function commonGuilds(
  db: Db,
  userId: UserId,
  otherId: UserId,
  limit: number,
): Promise<Counted<{ readonly id: GuildId; readonly name: string; readonly icon: string }>> {
  const { rows } = await sql<{ id: GuildId; name: string; icon: string; total: number }>`
    select guild.id::text as id, guild.name, guild.icon, count(*) over ()::int as total
    from membership mine
    join membership theirs on theirs.guild_id = mine.guild_id and theirs.user_id = ${otherId}
    join guild on guild.id = mine.guild_id and guild.deleted_at is null
    where mine.user_id = ${userId}
    order by guild.name, guild.id limit ${limit}`.execute(db)
  return counted(rows)
}

/** Those who are friends of both, by their names. */
export async function commonFriends(
  db: Db,
  userId: UserId,
  otherId: UserId,
  limit: number,
): Promise<Counted<Identity>> {
  const friendsOf = (id: UserId) => sql`
    select case when low_id = ${id} then high_id else low_id end as id
    from friendship where (low_id = ${id} or high_id = ${id}) and accepted_at is not null`
  const { rows } = await sql<Identity & { total: number }>`
    select "user".id, ${identityColumns}, count(*) over ()::int as total
    from (${friendsOf(userId)} intersect ${friendsOf(otherId)}) it
    join "user" on "user".id = it.id
    order by username, "user".id limit ${limit}`.execute(db)
  return counted(rows)
}
