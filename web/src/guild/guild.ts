import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/reading.ts'
import { stale } from '../kit/ask.ts'

/** A guild, its roles or its channels changed: what is on screen of it is asked for again. */
export function guildChanged(guildId: string): void {
  stale(viewGuild, { id: guildId })
  stale(viewChannel)
  stale(listGuilds)
  // Which channels may be seen, and which roles are called on, decides what waits.
  stale(listUnread, { guild_id: guildId })
  stale(listWaiting)
}

/** The guilds I belong to changed, or nobody knows what did. */
export function guildsChanged(): void {
  stale(listGuilds)
  stale(viewGuild)
  stale(viewChannel)
  stale(listUnread)
  stale(listGuildEmoji)
  stale(listWaiting)
}

/** A guild has an emoji more, or less, or one is called by another name. */
export const emojiChanged = (guildId: string): void => stale(listGuildEmoji, { guild_id: guildId })
