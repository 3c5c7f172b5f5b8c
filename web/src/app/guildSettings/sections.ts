/**
 * The sections of a guild's settings: each with the rights of which any opens it. A section with a `Part` is
 * shown beside the list, one with a `page` leads to a page of its own.
 */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { ComponentType, ReactNode } from 'react'
import { lazy } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import type { text } from './text.ts'

/** What a section gets. */
export interface SectionProps {
  readonly guild: Guild
}

interface Entry {
  /** The last part of its address. */
  readonly path: string
  /** Its name in the texts. */
  readonly name: keyof (typeof text)['zh-CN']
  /** Any of these rights opens it. */
  readonly rights: readonly number[]
  /** The owner alone opens it. */
  readonly isOwners?: boolean
}
export type Section =
  | (Entry & { readonly Part: ComponentType<SectionProps> })
  | (Entry & { readonly page: (guild: Guild) => string })

const part = (load: () => Promise<{ default: (props: SectionProps) => ReactNode }>) =>
  lazy(() => loadPart(load))

export const SECTIONS: readonly Section[] = [
  {
    path: 'overview',
    name: 'overview',
    rights: [permission.manage_guild],
    Part: part(() => import('../../profile/OverviewSettings.tsx')),
  },
  {
    path: 'members',
    name: 'members',
    rights: [
      permission.remove_member,
      permission.ban_member,
      permission.mute_member,
      permission.manage_role,
      permission.manage_nickname,
      // For what was done to each.
      permission.view_log,
    ],
    Part: part(() => import('./about/MembersSection.tsx')),
  },
  {
    path: 'channels',
    name: 'channels',
    rights: [permission.manage_channel, permission.manage_role],
    Part: part(() => import('../../channel/ChannelsSettings.tsx')),
  },
  {
    path: 'roles',
    name: 'roles',
    rights: [permission.manage_role],
    Part: part(() => import('../../role/RolesSettings.tsx')),
  },
  {
    path: 'invites',
    name: 'invites',
    rights: [permission.manage_invite],
    Part: part(() => import('../../invite/settings/InvitesSettings.tsx')),
  },
  {
    path: 'bans',
    name: 'bans',
    rights: [permission.ban_member],
    Part: part(() => import('../../member/BansSettings.tsx')),
  },
  {
    path: 'mutes',
    name: 'mutes',
    rights: [permission.mute_member, permission.deafen_member],
    Part: part(() => import('../../member/MutesSettings.tsx')),
  },
  {
    path: 'emoji',
    name: 'emoji',
    rights: [permission.manage_emoji],
    Part: part(() => import('../../emoji/settings/EmojiSettings.tsx')),
  },
  {
    path: 'onboarding',
    name: 'onboarding',
    rights: [permission.manage_guild],
    Part: part(() => import('../../onboarding/OnboardingSettings.tsx')),
  },
  {
    path: 'moderation',
    name: 'moderation',
    rights: [permission.manage_guild, permission.manage_message],
    Part: part(() => import('../../moderation/ModerationSettings.tsx')),
  },
  {
    path: 'bots',
    name: 'bots',
    rights: [permission.manage_guild],
    Part: part(() => import('../../bot/BotsSettings.tsx')),
  },
  {
    path: 'audit',
    name: 'audit',
    rights: [permission.view_log],
    Part: part(() => import('./audit/AuditSettings.tsx')),
  },
  {
    path: 'boosts',
    name: 'boosts',
    rights: [permission.manage_guild],
    page: ({ id }) => `/guild/boost-status/${id}`,
  },
  {
    path: 'growth',
    name: 'growth',
    rights: [permission.manage_guild],
    Part: part(() => import('../../growth/GrowthSettings.tsx')),
  },
  {
    path: 'danger',
    name: 'danger',
    rights: [],
    isOwners: true,
    Part: part(() => import('../../channel/owner/DangerSettings.tsx')),
  },
]

/** Where a guild's settings are; each section below it. */
export const settingsOf = (guildId: GuildId): string => `/guild/settings/${guildId}`

export const addressOf = (guild: Guild, section: Section): string =>
  'page' in section ? section.page(guild) : `${settingsOf(guild.id)}/${section.path}`

/** Those that somebody may open, in their order. */
export const sectionsFor = ({
  permissions,
  is_master,
}: Pick<Guild, 'permissions' | 'is_master'>): readonly Section[] =>
  SECTIONS.filter(({ rights, isOwners }) =>
    isOwners ? is_master : rights.some((right) => (permissions & right) !== 0),
  )
