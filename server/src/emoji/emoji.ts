/**
 * A guild's own emoji: adding, renaming and removing them, and who may use them. protocol.md §4.4, decision
 * 22.
 */
import { EMOJI_COPY_SIDE } from '@guildhall/wire/asset/pictureSize.ts'
import { beijingDay } from '@guildhall/wire/beijing.ts'
import {
  emojiAdded,
  emojiDeleted,
  emojiPicture,
  emojiRemoved,
  emojiType,
  emojiUpdated,
  GUILD_EMOJI_MAX,
  type GuildEmoji,
  guildEmojiParts,
} from '@guildhall/wire/emoji/emoji.ts'
import { EMOJI_MAX_BYTES, EMOJI_SIDE_MAX, isEmojiName } from '@guildhall/wire/emoji/manage.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { type Bytes, DAY_MS } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { type Assets, discard } from '../asset/asset.ts'
import { type AuditTarget, writeAudit } from '../audit/audit.ts'
import { guildsWithNickname, requirePrivilege } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { deleteDaysBefore } from '../kit/database/days.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import type { Servable } from '../kit/files/file.ts'
import type { Received } from '../kit/files/spool.ts'
import { ids } from '../kit/ids.ts'
import { requireAllowed } from '../kit/screening.ts'
import { guildAccess } from '../role/role.ts'
import { findUser, hasBuff, identityOf } from '../user/user.ts'
import { emojiNamed } from './shortcode.ts'
import * as rows from './sql.ts'

export { emojiNamed } from './shortcode.ts'

const HASH_LENGTH = 16
/** Length of the generated name of an emoji that was uploaded without one. */
const RANDOM_NAME_LENGTH = 8
const FORMATS = ['png', 'gif']

/** What an emoji's `uses` are of, ms. */
const USES_OF_MS = 30 * DAY_MS

type Listed = GuildEmoji & {
  readonly uses: number
  readonly user_info: ReturnType<typeof publicUser<ReturnType<typeof identityOf>>>
  readonly is_shortcode?: true
}

/** An emoji as the list shows it: with its author, and whether its name is also a Unicode shortcode. */
const listed = (emoji: GuildEmoji, uses: number, identity: ReturnType<typeof identityOf>): Listed => ({
  ...emoji,
  uses,
  ...(emojiNamed(emoji.name) !== null && { is_shortcode: true }),
  user_info: publicUser(identity),
})

/**
 * A page of a guild's emoji, the oldest first.
 * @throws Failure forbidden for a person who is not a member
 */
export async function listEmoji(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly page: number; readonly size: number },
) {
  const { db } = appContext
  if (!(await guildAccess(db, userId, input.guildId))) throw fail('forbidden')
  const limit = Math.min(input.size, GUILD_EMOJI_MAX)
  const { items, total } = await rows.list(db, input.guildId, {
    limit,
    offset: (input.page - 1) * limit,
    usedFrom: beijingDay(clock.now() - USES_OF_MS),
  })
  return {
    items: items.map(({ emoji, uses, identity }) => listed(emoji, uses, identityOf(identity, appContext))),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

/** Counts how often emoji of guilds were used on a day of Beijing; `id` as they are written. */
export async function addEmojiUses(
  tx: Tx,
  day: string,
  used: readonly { readonly id: string; readonly uses: number }[],
): Promise<void> {
  const known = used.flatMap(({ id, uses }) => {
    const parts = guildEmojiParts(id)
    return parts ? [{ guildId: parts.guildId, hash: parts.hash, uses }] : []
  })
  if (known.length > 0) await rows.addUses(tx, day, known)
}

/** Deletes some of the counts of days before one. How many: 0 when none are left. */
export const trimEmojiUses = (db: Db, day: string): Promise<number> => deleteDaysBefore(db, 'emoji_day', day)

/**
 * A person's guilds with their emoji, or one of them. protocol.md §4.1.
 * @throws Failure forbidden (not a member of the guild)
 */
export async function indexGuilds(db: Db, userId: UserId, guildId: GuildId | undefined) {
  const guilds = await guildsWithNickname(db, userId, guildId)
  if (guildId !== undefined && guilds.length === 0) throw fail('forbidden')
  const all = await rows.ofGuilds(
    db,
    guilds.map(({ guild }) => guild.id),
  )
  return guilds.map(({ guild, nickname }) => ({
    ...guild,
    my_nickname: nickname,
    emojis: all.filter(({ guild_id }) => guild_id === guild.id).map(emojiOf),
  }))
}

/**
 * Checks that a person may upload an emoji now; returns its maximal size, bytes. Counts as an attempt.
 * @throws Failure too_many
 */
export async function admitEmoji(assets: Assets, userId: UserId): Promise<Bytes> {
  return Math.min(await assets.admit(userId), EMOJI_MAX_BYTES)
}

/**
 * Adds an emoji from a picture; without a name it gets a random one. Emits to the guild.
 * @throws Failure forbidden (not a member), emoji.no_right, emoji.full, emoji.name_wrong, emoji.not_image,
 *   guild.level (it moves, and the guild's level has no such emoji), asset.too_many_pixels, content.refused
 */
export async function createEmoji(
  appContext: AppContext,
  assets: Assets,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly name: string | undefined; readonly file: Received },
): Promise<Listed> {
  await requireMayAdd(appContext.db, userId, input.guildId)
  const typed = input.name === undefined || input.name === '' ? null : nameOf(input.name)
  if (typed !== null) await requireAllowed(appContext, { target: 'emoji', userId, texts: [typed] })
  const name = typed ?? randomName()
  const emoji = await storeEmoji(assets, userId, { ...input, name })
  await commit(appContext, async (tx, emit) => {
    await rows.lockGuild(tx, input.guildId)
    const level = await requireMayAdd(tx, userId, input.guildId)
    if (emoji.made.emoji_type === emojiType.animated) requirePrivilege('emoji_gif', level)
    await emoji.settle(tx, emit)
    await writeAudit(tx, {
      guildId: input.guildId,
      by: userId,
      type: 'emoji_created',
      target: targetOf(emoji.made),
    })
  })
  const maker = await findUser(appContext.db, userId)
  if (!maker) throw new Error(`person ${userId} is gone`)
  return listed(emoji.made, 0, identityOf(maker, appContext))
}

/**
 * Stores the picture of an emoji; the guild has the emoji once the transaction of `settle` commits. The
 * caller checks the limit of the guild.
 * @throws Failure emoji.not_image, asset.too_many_pixels
 */
export async function storeEmoji(
  assets: Assets,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly name: string; readonly file: Received },
): Promise<{ readonly made: GuildEmoji; settle(tx: Tx, emit: Emit): Promise<void> }> {
  const { guildId, name } = input
  const hash = ids.token().slice(0, HASH_LENGTH)
  const id = `${guildId}/${hash}`
  const file = { ...input.file, name: `${name}.png` }
  const picture = await assets.storePicture(userId, file, {
    key: keyOf(id),
    side: EMOJI_SIDE_MAX,
    copySides: [EMOJI_COPY_SIDE],
    formats: FORMATS,
  })
  if (!picture) throw fail('emoji.not_image')
  const type = picture.isMoving ? emojiType.animated : emojiType.static
  const made = { id, name, emoji_type: type }
  return {
    made,
    async settle(tx, emit) {
      await picture.complete(tx)
      await rows.add(tx, { guildId, hash, name, type, userId, now: clock.now() })
      emit.guild(guildId, emojiAdded, made)
    },
  }
}

/** Answers the level of the guild. @throws Failure forbidden, emoji.no_right, emoji.full */
async function requireMayAdd(db: Db, userId: UserId, guildId: GuildId): Promise<number> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  if (!has(inside.permissions, permission.manage_emoji)) throw fail('emoji.no_right')
  const { level } = inside.summary
  const most = amountAt('emoji', level)
  if ((await rows.count(db, guildId)) >= most) throw fail('emoji.full', { most })
  return level
}

/**
 * Renames an emoji. The same name changes nothing.
 * @throws Failure emoji.unknown (also for a person who is not a member of its guild), emoji.no_right,
 *   emoji.name_wrong, content.refused
 */
export async function renameEmoji(
  appContext: AppContext,
  userId: UserId,
  input: { readonly id: string; readonly name: string },
): Promise<void> {
  await requireAllowed(appContext, { target: 'emoji', userId, texts: [input.name] })
  await commit(appContext, async (tx, emit) => {
    const { hash, row } = await lockOwn(tx, userId, input.id)
    const name = nameOf(input.name)
    if (name === row.name) return
    await rows.rename(tx, row.guild_id, hash, name)
    emit.guild(row.guild_id, emojiUpdated, { ...emojiOf(row), name })
    await writeAudit(tx, {
      guildId: row.guild_id,
      by: userId,
      type: 'emoji_renamed',
      target: targetOf(row),
      before: { name: row.name },
      after: { name },
    })
  })
}

/**
 * Removes an emoji and its picture; messages keep its name.
 * @throws Failure emoji.unknown (also for a person who is not a member of its guild), emoji.no_right
 */
export function removeEmoji(appContext: AppContext, userId: UserId, id: string): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const { hash, row } = await lockOwn(tx, userId, id)
    await rows.remove(tx, row.guild_id, hash)
    await discard(tx, keyOf(row.id))
    emit.guild(row.guild_id, emojiRemoved, emojiOf(row))
    emit.guild(row.guild_id, emojiDeleted, emojiOf(row))
    await writeAudit(tx, { guildId: row.guild_id, by: userId, type: 'emoji_deleted', target: targetOf(row) })
  })
}

/** Locks an emoji that this person may change. */
async function lockOwn(tx: Tx, userId: UserId, id: string) {
  const parts = guildEmojiParts(id)
  const row = parts && (await rows.lock(tx, parts.guildId, parts.hash))
  const inside = row && (await guildAccess(tx, userId, row.guild_id))
  if (!row || !inside) throw fail('emoji.unknown')
  if (!has(inside.permissions, permission.manage_emoji)) throw fail('emoji.no_right')
  return { hash: parts.hash, row }
}

const targetOf = ({ id, name }: GuildEmoji): AuditTarget => ({ kind: 'emoji', id, name })

const emojiOf = ({ id, name, emoji_type }: GuildEmoji): GuildEmoji => ({ id, name, emoji_type })

/** Where emoji are used. */
export interface EmojiLocation {
  /** Null: a private conversation. */
  readonly guildId: GuildId | null
  /** Ids that stand there already, as in a message that is edited. */
  readonly kept?: readonly string[]
}

/**
 * Which of some ids are emoji of this person's guilds, with their names. Other ids name nothing. Those of
 * another guild than the one of the location are for members of BUFF, and for bots. protocol.md §6.1 "custom
 * emoji", commerce.md §9.
 * @throws Failure emoji.elsewhere (detail.name)
 */
export async function usableEmoji(
  db: Db,
  userId: UserId,
  wanted: readonly string[],
  { guildId, kept = [] }: EmojiLocation,
): Promise<Map<string, { readonly id: string; readonly name: string }>> {
  const parts = wanted.flatMap((id) => guildEmojiParts(id) ?? [])
  if (parts.length === 0) return new Map()
  const found = await rows.usable(db, userId, parts)
  const refused = found.find(
    (it) => it.guild_id !== guildId && !it.bot && !hasBuff(it) && !kept.includes(it.id),
  )
  if (refused) throw fail('emoji.elsewhere', { name: refused.name })
  return new Map(found.map(({ id, name }) => [id, { id, name }]))
}

/** The picture at a path, readable by everybody; null when there is none. */
export async function findPicture(
  assets: Assets,
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<Servable | null> {
  const id = /^\/emojis\/(.+)\.png$/.exec(path)?.[1] ?? ''
  return guildEmojiParts(id) ? assets.at(keyOf(id), params) : null
}

const keyOf = (id: string): string => emojiPicture(id).slice(1)

function nameOf(name: string): string {
  if (!isEmojiName(name)) throw fail('emoji.name_wrong')
  return name
}

const randomName = (): string => ids.token().slice(0, RANDOM_NAME_LENGTH)
