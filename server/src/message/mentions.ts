/**
 * Mentions: the people, roles and channels that a message names, resolved to their present names. protocol.md
 * §6.4.
 */

import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { mentionsIn, parse, parseLegacy, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart, Message } from '@guildhall/wire/message/message.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { type ChannelAccess, visibleAmong } from '../channel/channel.ts'
import { usableEmoji } from '../emoji/emoji.ts'
import type { Db } from '../kit/database/db.ts'
import type { Live } from '../kit/events/events.ts'
import { membersByTag, type NamedMember, namedMembers } from '../member/member.ts'
import { rolesOf } from '../role/role.ts'
import { pictureOf } from '../user/user.ts'
import { cardNodes } from './card.ts'
import { previewText } from './content.ts'
import type { MessageRow } from './sql/message.ts'

/** Ids of one kind looked up in one message; further ones stay as typed. */
const MENTIONS_MAX = 100

/** The mentions that are stored with a message. */
export type ResolvedMentions = Pick<
  MessageRow,
  'mention' | 'mention_roles' | 'mention_all' | 'mention_here' | 'kmarkdown'
>

/** The mentions of a message without any; `raw`: its plain-text preview. */
export const noMentions = (raw: string): ResolvedMentions => ({
  mention: [],
  mention_roles: [],
  mention_all: false,
  mention_here: false,
  kmarkdown: { raw_content: raw, mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
})

/**
 * The mentions of a message, and the present names of its ids. Only members, roles that may be mentioned
 * by this author, and channels this author may view count; the rest stays as typed. protocol.md §6.4.
 * @throws Failure emoji.elsewhere
 */
export async function resolveMentions(
  live: Pick<Live, 'db' | 'publicUrl'>,
  userId: UserId,
  access: ChannelAccess,
  kind: MessageKind,
  content: string,
  /** The public address of the server; empty when unknown. */
  origin = '',
  /** What the message said before it was edited: its emoji may stay. */
  before = '',
): Promise<ResolvedMentions> {
  if (kind !== 'kmarkdown' && kind !== 'text' && kind !== 'card') return noMentions(content)
  const { db } = live
  const nodes = nodesOf(kind, content, origin)
  const ids = mentionsIn(nodes)
  const guildId = access.channel.guild_id
  const userIds = ids.users.filter(isStorableId).slice(0, MENTIONS_MAX)
  const channelIds = ids.channels.filter(isStorableId).slice(0, MENTIONS_MAX)
  const roleIds = new Set(ids.roles.slice(0, MENTIONS_MAX))

  const named = ids.named.slice(0, MENTIONS_MAX)
  const members = [
    ...(userIds.length > 0 ? await namedMembers(db, guildId, userIds) : []),
    ...(named.length > 0 ? await membersByTag(db, guildId, named) : []),
  ]
  const roles =
    roleIds.size > 0 ? (await rolesOf(db, guildId)).filter((role) => roleIds.has(role.role_id)) : []
  const channels = channelIds.length > 0 ? await visibleAmong(db, userId, access, channelIds) : []
  const emoji = await usableEmoji(db, userId, ids.emoji.slice(0, MENTIONS_MAX), {
    guildId,
    kept: before === '' ? [] : mentionsIn(nodesOf(kind, before, origin)).emoji,
  })
  const mayMentionAll = has(access.permissions, permission.mention_everyone)
  const mentionable = roles.filter((role) => role.mentionable === 1 || mayMentionAll)

  const memberById = new Map<string, NamedMember>(members.map((member) => [member.id, member]))
  const memberByTag = new Map(members.map((member) => [tagOf(member.username, member.identify_num), member]))
  // A match by name and number is more specific than a number that happens to be somebody's id.
  const byTag = named.filter((each) => memberByTag.has(tagOf(each.username, each.identify_num)))
  const mentioned = [
    ...inOrder(
      userIds.filter((id) => !byTag.some(({ identify_num }) => identify_num === id)),
      memberById,
    ),
    ...inOrder(
      byTag.map(({ username, identify_num }) => tagOf(username, identify_num)),
      memberByTag,
    ),
  ]
  const roleById = new Map(roles.map((role) => [role.role_id, role]))
  const channelById = new Map<string, (typeof channels)[number]>(
    channels.map((channel) => [channel.id, channel]),
  )
  const raw = plain(nodes, {
    user: (id, name = '') => (memberByTag.get(tagOf(name, id)) ?? memberById.get(id))?.nickname ?? null,
    role: (id) => roleById.get(id)?.name ?? null,
    channel: (id) => channelById.get(id)?.name ?? null,
    emojiName: (id) => emoji.get(id)?.name ?? null,
    words: mentionText[defaultLocale],
  })
  const kmarkdown: KmarkdownPart = {
    raw_content: previewText(kind, raw),
    mention_part: [...new Set(mentioned)].map((member) => ({
      ...mentionPartOf(member, live),
      ...(member.nickname !== member.username && { nickname: member.nickname }),
    })),
    mention_role_part: mentionable satisfies Role[],
    channel_part: inOrder(channelIds, channelById).map((channel) => ({
      id: channel.id,
      guild_id: guildId,
      name: channel.name,
    })),
    item_part: [],
    ...(emoji.size > 0 && { emoji_part: inOrder(ids.emoji, emoji) }),
  }
  return {
    mention: kmarkdown.mention_part.map(({ id }) => id),
    mention_roles: mentionable.map((role) => role.role_id),
    mention_all: ids.all && mayMentionAll,
    mention_here: ids.here && mayMentionAll,
    kmarkdown,
  }
}

/**
 * What a sent message mentions although its author may not: `all`, `here`, and ids of roles. They stay as
 * typed. protocol.md §6.4 "not_permissions_mention".
 */
export async function refusedMentions(
  db: Db,
  kind: MessageKind,
  message: Pick<Message, 'guild_id' | 'content' | 'mention_all' | 'mention_here' | 'mention_roles'>,
): Promise<string[]> {
  if (kind !== 'kmarkdown' && kind !== 'text' && kind !== 'card') return []
  const ids = mentionsIn(nodesOf(kind, message.content))
  const roleIds = ids.roles.slice(0, MENTIONS_MAX).filter((id) => !message.mention_roles.includes(id))
  const known = roleIds.length > 0 ? await rolesOf(db, message.guild_id) : []
  return [
    ...(ids.all && !message.mention_all ? ['all'] : []),
    ...(ids.here && !message.mention_here ? ['here'] : []),
    ...roleIds.filter((id) => known.some((role) => role.role_id === id)).map(String),
  ]
}

const nodesOf = (kind: MessageKind, content: string, origin = '') =>
  kind === 'card' ? cardNodes(content) : kind === 'text' ? parseLegacy(content) : parse(content, { origin })

/** A person or member as a message names them. */
export const mentionPartOf = (
  person: Pick<NamedMember, 'id' | 'username' | 'identify_num' | 'avatar'>,
  live: Pick<Live, 'publicUrl'>,
) => ({
  id: person.id,
  username: person.username,
  full_name: tagOf(person.username, person.identify_num),
  avatar: pictureOf(person, live),
})

/** The name that is unique: `ann#0049`. */
const tagOf = (username: string, identifyNum: string): string => `${username}#${identifyNum}`

/** Whether the database can hold an id; others name nothing. */
const isStorableId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id)

const inOrder = <T>(ids: readonly string[], byId: ReadonlyMap<string, T>): T[] =>
  ids.flatMap((id) => byId.get(id) ?? [])
