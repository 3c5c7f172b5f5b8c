/** Parts of later nouns that the list of channels shows. */
import type { Channel } from '@guildhall/wire/channel/channel.ts'
import type { ComponentType } from 'react'

/** The sheet that invites friends to a guild. */
export type InviteFriendsSheet = ComponentType<{ guildId: string; guildName: string; onClose: () => void }>

/** What was said last in a channel. */
export type LastWordsLine = ComponentType<{ channel: Channel }>
