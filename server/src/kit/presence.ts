import type { GuildId, UserId } from '@guildhall/wire/id.ts'

/** Who has a line open right now. The gateway answers; before it is attached nobody has. */
export interface Presence {
  isOnline(userId: UserId): boolean
  /** Members of a guild with a line open. */
  onlineCount(guildId: GuildId): number
}

export const nobodyOnline: Presence = { isOnline: () => false, onlineCount: () => 0 }
