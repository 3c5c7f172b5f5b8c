import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import type { Reader } from '../kmarkdown/reader.ts'
import { colorsOf, type NameColors } from '../ui/picture/nameLook.ts'

/** What a message is drawn with: the reader, and the guild's names and colours as far as they are loaded. */
export interface MessageContext {
  readonly me: Self
  readonly guild: Guild | null
}

/** The reader, as far as mentions in a text need them. */
export const readerOf = ({ me, guild }: MessageContext): Reader => ({
  id: me.id,
  roles: guild?.my_roles ?? [],
})

const NONE: NameColors = { color: 0 }

/** The colours of a member's name: those of their highest role that has one. protocol.md §5.1. */
export function roleColors(roles: readonly number[], guild: Guild | null): NameColors {
  const own = guild?.roles.filter((role) => role.color !== 0 && roles.includes(role.role_id)) ?? []
  const [shown] = own.sort((a, b) => a.position - b.position)
  return shown ? colorsOf(shown) : NONE
}
