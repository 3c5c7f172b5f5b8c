/** Where a member opens the roles that a guild offers: its channels, with these roles above them. */
import type { GuildId } from '../id.ts'

/** Behind the address of a guild. */
export const ROLES_SEARCH = '?roles'

/** The path of the roles of a guild. */
export const rolesPath = (guildId: GuildId): string => `/channels/${guildId}${ROLES_SEARCH}`

/** The guild whose roles an address of this site opens; null: it opens something else. */
export function rolesGuildIn({
  pathname,
  search,
}: {
  readonly pathname: string
  readonly search: string
}): GuildId | null {
  const id = /^\/channels\/(\d+)$/.exec(pathname)?.[1]
  return id && search === ROLES_SEARCH ? (id as GuildId) : null
}
