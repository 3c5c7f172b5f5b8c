/**
 * Mentions: the people, roles and channels that a message names, resolved to their present names. protocol.md
 * §6.4.
 */

import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { mentionsIn, parse, parseLegacy, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { KmNode } from '@guildhall/wire/kmarkdown/node.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart, Message } from '@guildhall/wire/message/message.ts'
import { canMentionEveryone, canMentionRole } from '@guildhall/wire/permission/permission.ts'
import { type ChannelAccess, visibleAmong } from '../../channel/channel.ts'
import { usableEmoji } from '../../emoji/emoji.ts'
import type { Db } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { membersByTag, type NamedMember, namedMembers } from '../../member/member.ts'
import { rolesOf } from '../../role/role.ts'
import { pictureOf } from '../../user/user.ts'
import { cardNodes } from '../card/card.ts'
import { previewText } from '../content.ts'
import type { MessageRow } from '../sql/message.ts'

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
  appContext: Pick<AppContext, 'db' | 'publicUrl'>,
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
  const nodes = nodesOf(kind, content, origin)
  const ids = idsIn(nodes)
  const kept = before === '' ? [] : mentionsIn(nodesOf(kind, before, origin)).emoji
  const names = await namesOf(appContext.db, userId, access, ids, kept)
  const mayMentionAll = canMentionEveryone(access.permissions)
  const mentionable = [...names.roles.values()].filter((role) => canMentionRole(access.permissions, role))
  const kmarkdown: KmarkdownPart = {
    raw_content: previewText(kind, plainWith(nodes, names)),
    mention_part: [...new Set(mentionedIn(ids, names))].map((member) => ({
      ...mentionPartOf(member, appContext),
      ...(member.nickname !== member.username && { nickname: member.nickname }),
    })),
    mention_role_part: mentionable satisfies Role[],
    channel_part: inOrder(ids.channels, names.channels).map((channel) => ({
      id: channel.id,
      guild_id: access.channel.guild_id,
      name: channel.name,
    })),
    item_part: [],
    ...(names.emoji.size > 0 && { emoji_part: inOrder(ids.allEmoji, names.emoji) }),
  }
  return {
    mention: kmarkdown.mention_part.map(({ id }) => id),
    mention_roles: mentionable.map((role) => role.role_id),
    mention_all: ids.all && mayMentionAll,
    mention_here: ids.here && mayMentionAll,
    kmarkdown,
  }
}

/** The ids in a message, as many as are looked up. */
function idsIn(nodes: readonly KmNode[]) {
  const { users, named, roles, channels, emoji, all, here } = mentionsIn(nodes)
  return {
    users: users.filter(isStorableId).slice(0, MENTIONS_MAX),
    /** By name and number. */
    named: named.slice(0, MENTIONS_MAX),
    roles: new Set(roles.slice(0, MENTIONS_MAX)),
    channels: channels.filter(isStorableId).slice(0, MENTIONS_MAX),
    emoji: emoji.slice(0, MENTIONS_MAX),
    allEmoji: emoji,
    all,
    here,
  }
}
type Ids = ReturnType<typeof idsIn>

/** What the ids of a message name now. */
type Names = Awaited<ReturnType<typeof namesOf>>

/** `kept`: emoji that may stay. @throws Failure emoji.elsewhere */
async function namesOf(db: Db, userId: UserId, access: ChannelAccess, ids: Ids, kept: readonly string[]) {
  const guildId = access.channel.guild_id
  const members = [
    ...(ids.users.length > 0 ? await namedMembers(db, guildId, ids.users) : []),
    ...(ids.named.length > 0 ? await membersByTag(db, guildId, ids.named) : []),
  ]
  const roles =
    ids.roles.size > 0 ? (await rolesOf(db, guildId)).filter((role) => ids.roles.has(role.role_id)) : []
  const channels = ids.channels.length > 0 ? await visibleAmong(db, userId, access, ids.channels) : []
  return {
    members: new Map<string, NamedMember>(members.map((member) => [member.id, member])),
    membersByTag: new Map(members.map((member) => [tagOf(member.username, member.identify_num), member])),
    roles: new Map(roles.map((role) => [role.role_id, role])),
    channels: new Map<string, (typeof channels)[number]>(channels.map((channel) => [channel.id, channel])),
    emoji: await usableEmoji(db, userId, ids.emoji, { guildId, kept }),
  }
}

/**
 * The members that a message mentions. A match by name and number is more specific than a number that happens
 * to be somebody's id.
 */
function mentionedIn(ids: Ids, names: Names): NamedMember[] {
  const byTag = ids.named.filter((each) => names.membersByTag.has(tagOf(each.username, each.identify_num)))
  const byId = ids.users.filter((id) => !byTag.some(({ identify_num }) => identify_num === id))
  const tags = byTag.map(({ username, identify_num }) => tagOf(username, identify_num))
  return [...inOrder(byId, names.members), ...inOrder(tags, names.membersByTag)]
}

/** A message as plain text, with names in place of ids. */
const plainWith = (nodes: readonly KmNode[], names: Names): string =>
  plain(nodes, {
    user: (id, name = '') =>
      (names.membersByTag.get(tagOf(name, id)) ?? names.members.get(id))?.nickname ?? null,
    role: (id) => names.roles.get(id)?.name ?? null,
    channel: (id) => names.channels.get(id)?.name ?? null,
    emojiName: (id) => names.emoji.get(id)?.name ?? null,
    words: mentionText[defaultLocale],
  })

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
  appContext: Pick<AppContext, 'publicUrl'>,
) => ({
  id: person.id,
  username: person.username,
  full_name: tagOf(person.username, person.identify_num),
  avatar: pictureOf(person, appContext),
})

/** The name that is unique: `ann#0049`. */
const tagOf = (username: string, identifyNum: string): string => `${username}#${identifyNum}`

/** Whether the database can hold an id; others name nothing. */
const isStorableId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id)

const inOrder = <T>(ids: readonly string[], byId: ReadonlyMap<string, T>): T[] =>
  ids.flatMap((id) => byId.get(id) ?? [])
