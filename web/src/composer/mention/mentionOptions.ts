/** Options of the mention picker: from the loaded guild and from the members found. */

import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { type Locale, locales } from '@guildhall/wire/locale.ts'
import type { Callable } from '@guildhall/wire/message/mention.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { canMentionEveryone, canMentionRole, has, permission } from '@guildhall/wire/permission/permission.ts'
import { fits, folded } from '@guildhall/wire/user/nameSearch.ts'
import type { FoundEmoji } from '../../emoji/emoji.tsx'
import { findNamed } from '../../kit/find/findNamed.ts'
import { colorsOf, type NameColors } from '../../ui/picture/nameLook.ts'
import { inLine } from '../inLine.ts'

/** `label` is shown in the text, `token` is sent. */
export interface Option {
  readonly key: string
  readonly label: string
  readonly token: string
  /** Of a person: their name in messages. */
  readonly name?: string
  readonly of:
    | { readonly kind: 'member'; readonly member: Callable }
    | { readonly kind: 'role'; readonly colors: NameColors }
    | { readonly kind: 'all' | 'here' }
    | { readonly kind: 'channel'; readonly isVoice: boolean; readonly under: string }
    | { readonly kind: 'emoji'; readonly emoji: Emoji }
}

/** Emoji shown at most; a longer search finds the others. */
const EMOJI_MAX = 20
/** Channels shown at most; a longer search finds the others. */
const CHANNELS_MAX = 50
/** Members shown before the other options while nothing is searched. */
const OPEN_MEMBERS_MAX = 8
const VOICE = 2

const spelled = ({ spellings }: Pick<Guild, 'spellings'>, name: string): string =>
  spellings.find((it) => it.name === name)?.spelling ?? ''

/** The members that still match a search, in their order, until the page for it is loaded. */
export const stillMatching = (members: readonly Callable[], search: string): Callable[] => {
  const wanted = folded(search)
  if (wanted === '') return [...members]
  return members.filter(
    ({ nickname, username, identify_num, spellings: [nick = '', user = ''] }) =>
      fits(wanted, nickname, nick) !== null ||
      fits(wanted, username, user) !== null ||
      fits(wanted, `${username}#${identify_num}`, '') !== null,
  )
}

const memberOption = (member: Callable): Option => ({
  key: `met-${member.id}`,
  label: `@${inLine(member.nickname || member.username)}`,
  token: `(met)${member.id}(met)`,
  name: member.nickname || member.username,
  of: { kind: 'member', member },
})

const pinyin = { all: 'quan ti cheng yuan', here: 'zai xian cheng yuan' } as const

/**
 * Options for `@`: the members found (null: not loaded, then there are no options, as a tap could hit
 * everyone where a member appears a moment later), then everyone and those online if `permissions` of the
 * channel allow it, then the roles that may be mentioned. protocol.md §6.1.
 */
export function peopleOptions(
  search: string,
  members: readonly Callable[] | null,
  guild: Pick<Guild, 'roles' | 'spellings'>,
  permissions: number,
  locale: Locale,
): Option[] {
  const wanted = folded(search)
  if (members === null) return []
  const everyone = (['all', 'here'] as const).map((kind) => ({
    kind,
    label: mentionText[locale][kind],
    // Matched in every language, whatever the page's language.
    names: [
      ...locales.map(
        (each) => [mentionText[each][kind].slice(1), each === 'zh-CN' ? pinyin[kind] : ''] as const,
      ),
      [kind === 'all' ? 'everyone' : 'here', ''],
    ] as const,
  }))
  const groups = (canMentionEveryone(permissions) ? findNamed(everyone, wanted, (it) => it.names) : []).map(
    ({ kind, label }): Option => ({ key: kind, label, token: `(met)${kind}(met)`, of: { kind } }),
  )
  const roles = guild.roles.filter((role) => role.role_id !== 0 && canMentionRole(permissions, role))
  return [
    ...(wanted === '' ? members.slice(0, OPEN_MEMBERS_MAX) : members).map(memberOption),
    ...groups,
    ...findNamed(roles, wanted, ({ name }) => [[name, spelled(guild, name)]]).map(
      (role): Option => ({
        key: `rol-${role.role_id}`,
        label: `@${inLine(role.name)}`,
        token: `(rol)${role.role_id}(rol)`,
        of: { kind: 'role', colors: colorsOf(role) },
      }),
    ),
  ]
}

/** Options for `#`: the channels the user may view; those that begin with the search come first. */
export function channelOptions(search: string, guild: Pick<Guild, 'channels' | 'spellings'>): Option[] {
  const all = guild.channels.flatMap((top) =>
    top.is_category
      ? top.channels.map((channel) => ({ channel, under: top.name }))
      : [{ channel: top, under: '' }],
  )
  const visible = all.filter(({ channel }) => has(channel.permissions, permission.view_channel))
  return findNamed(visible, folded(search), ({ channel: { name } }) => [[name, spelled(guild, name)]])
    .slice(0, CHANNELS_MAX)
    .map(
      ({ channel: { id, name, type }, under }): Option => ({
        key: `chn-${id}`,
        label: `#${inLine(name)}`,
        token: `(chn)${id}(chn)`,
        of: { kind: 'channel', isVoice: type === VOICE, under },
      }),
    )
}

/** Options for `:`, of the emoji found. */
export const emojiOptions = (found: readonly FoundEmoji[]): Option[] =>
  found.slice(0, EMOJI_MAX).map(({ emoji, label }) => ({
    key: `emj-${emoji.id}`,
    label: `:${label}`,
    token: '',
    of: { kind: 'emoji', emoji },
  }))
