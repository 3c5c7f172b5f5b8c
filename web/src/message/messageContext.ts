import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Self } from '@guildhall/wire/user/user.ts'

/** What a message is drawn with: the reader, and the guild's names and colours as far as they are loaded. */
export interface MessageContext {
  readonly me: Self
  readonly guild: Guild | null
}

/** The colour of a member's name: that of their highest role that has one; 0: none. protocol.md §5.1. */
export function roleColor(roles: readonly number[], guild: Guild | null): number {
  const own = guild?.roles.filter((role) => role.color !== 0 && roles.includes(role.role_id)) ?? []
  return own.sort((a, b) => a.position - b.position)[0]?.color ?? 0
}
