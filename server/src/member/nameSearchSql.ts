/** Members as a search finds them: by the keys of their names. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type Selectable, sql } from 'kysely'
import { type Db, preparedStatement } from '../kit/database/db.ts'
import type { MembershipTable } from '../kit/database/tables.ts'
import { type Identity, identityColumns } from '../user/user.ts'

/** A member as a list of members shows them. */
export interface FoundRow extends Identity {
  /** Empty: the username is shown. */
  readonly nickname: string
  readonly roles: number[]
  /** 0: a name begins with the search text. 1: a name contains it. */
  readonly place: number
  /** The first of the matching keys. */
  readonly key: string
}

const foundColumns = sql`"user".id, ${identityColumns}, membership.nickname,
  array(select role_id from membership_role it
        where it.guild_id = membership.guild_id and it.user_id = membership.user_id order by role_id) as roles`

/**
 * Members with a key from `from` up to, but not including, `before`; reads at most `most` keys, those of
 * names that begin with the search text before those of names that contain it. Each member once, in no order.
 */
export async function membersByKey(
  db: Db,
  guildId: GuildId,
  keys: { readonly from: string; readonly before: string; readonly most: number },
): Promise<FoundRow[]> {
  const { rows } = await membersByKeyQuery(guildId, keys).execute(db)
  return rows
}

/** The statement of `membersByKey`, so that a test can have it explained. */
export const membersByKeyQuery = (
  guildId: GuildId,
  { from, before, most }: { readonly from: string; readonly before: string; readonly most: number },
) => {
  const walk = (place: number) => sql`
    select user_id, place, key from member_key
    where guild_id = ${guildId} and place = ${sql.lit(place)} and key >= ${from} and key < ${before}
    order by key`
  return sql<FoundRow>`${preparedStatement}
    with begun as materialized (${walk(0)} limit ${sql.lit(most)}),
    hit as (
      select distinct on (user_id) user_id, place, key from (
        select * from begun
        union all (${walk(1)} limit (select ${sql.lit(most)} - count(*) from begun))
      ) it
      order by user_id, place, key
    )
    select ${foundColumns}, hit.place, hit.key
    from hit
    join membership on membership.guild_id = ${guildId} and membership.user_id = hit.user_id
    join "user" on "user".id = hit.user_id`
}

/**
 * The people whose username, username with number, or name in one of some guilds is this, whatever its
 * case; in no order. `id`: null for what is no id.
 */
export async function peopleCalled(
  db: Db,
  guildIds: readonly GuildId[],
  called: { readonly name: string; readonly key: string; readonly id: string | null },
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id::text from "user"
    where id = ${called.id}::bigint
      or (deleted_at is null and lower(username) collate "C" = lower(${called.name}) collate "C")
    union
    select user_id::text from member_key
    where guild_id = any(${guildIds}::bigint[]) and place = 0 and key = ${called.key}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Members by their ids, in the form of a search result; in no order. */
export async function membersById(
  db: Db,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<Omit<FoundRow, 'place' | 'key'>[]> {
  const { rows } = await sql<Omit<FoundRow, 'place' | 'key'>>`
    select ${foundColumns} from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id = any(${userIds}::bigint[])`.execute(db)
  return rows
}

export type UnkeyedRow = Readonly<
  Pick<Selectable<MembershipTable>, 'guild_id' | 'user_id' | 'nickname'> &
    Pick<Identity, 'username' | 'identify_num' | 'custom_num'>
>

/** Members without search keys, locked; a batch skips those that another process has locked. */
export async function lockUnkeyed(
  db: Db,
  which:
    | { readonly most: number; readonly userId?: UserId }
    | { readonly guildId: GuildId; readonly userId: UserId },
): Promise<UnkeyedRow[]> {
  const { rows } = await sql<UnkeyedRow>`
    select membership.guild_id, membership.user_id, nickname, username, identify_num, custom_num
    from membership join "user" on "user".id = membership.user_id
    where not is_keyed ${
      'most' in which
        ? sql`${which.userId ? sql`and membership.user_id = ${which.userId}` : sql``}
              order by membership.guild_id, membership.user_id limit ${which.most}
              for no key update of membership skip locked`
        : sql`and membership.guild_id = ${which.guildId} and membership.user_id = ${which.userId}
              for no key update of membership`
    }`.execute(db)
  return rows
}

/** Replaces the search keys of members. */
export async function setKeys(
  db: Db,
  members: readonly { readonly guild_id: string; readonly user_id: string }[],
  keys: readonly {
    readonly guild_id: string
    readonly user_id: string
    readonly place: number
    readonly key: string
  }[],
): Promise<void> {
  // The driver serialises a long array far slower than one text. Keys contain no space.
  const list = (all: readonly (string | number)[], type: 'bigint' | 'smallint' | 'text') =>
    sql`string_to_array(${all.join(' ')}, ' ')::${sql.raw(type)}[]`
  const those = sql`(select * from unnest(${list(
    members.map((it) => it.guild_id),
    'bigint',
  )}, ${list(
    members.map((it) => it.user_id),
    'bigint',
  )}))`
  await sql`delete from member_key where (guild_id, user_id) in ${those}`.execute(db)
  const column = (name: 'guild_id' | 'user_id' | 'place' | 'key') => keys.map((it) => it[name])
  await sql`
    insert into member_key (guild_id, user_id, place, key)
    select * from unnest(${list(column('guild_id'), 'bigint')}, ${list(column('user_id'), 'bigint')},
      ${list(column('place'), 'smallint')}, ${list(column('key'), 'text')})
    on conflict do nothing`.execute(db)
  await sql`update membership set is_keyed = true where (guild_id, user_id) in ${those}`.execute(db)
}
