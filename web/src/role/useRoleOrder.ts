import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { moveRole } from '@guildhall/wire/role/role.ts'
import { guildChanged } from '../guild/guild.ts'
import { CallFailure, call } from '../kit/call.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { useWaiting } from '../kit/useWaiting.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { withMoved } from '../ui/sortable/landing.ts'

interface Move {
  readonly role_id: number
  /** From 0. */
  readonly to: number
}

/** Shows the roles of a guild as a call answered them, before its events come. */
export const keepRoles = (guildId: GuildId, change: (roles: Guild['roles']) => Guild['roles']): void =>
  void cache.setQueryData<Guild>(
    queryKeyOf(viewGuild, { id: guildId }),
    (guild) => guild && { ...guild, roles: change(guild.roles) },
  )

const applied = (roles: readonly Role[], { role_id, to }: Move): readonly Role[] =>
  withMoved(
    roles,
    roles.findIndex((it) => it.role_id === role_id),
    to,
  )

function refused(failure: unknown): null {
  if (!(failure instanceof CallFailure)) throw failure
  toast(failure.message)
  return null
}

/**
 * The order of a guild's roles with the moves that the server has not answered yet; several of one role
 * become one.
 */
export function useRoleOrder(guild: Guild) {
  const { waiting, add } = useWaiting<Move>(
    async ({ role_id, to }) => {
      const answer = await call(moveRole, { guild_id: guild.id, role_id, position: to + 1 }).catch(refused)
      if (answer) keepRoles(guild.id, () => answer.items)
      else guildChanged(guild.id)
      return answer !== null
    },
    (later, earlier) => later.role_id === earlier.role_id,
  )
  const move = (role_id: number, to: number) => add({ role_id, to })
  return { roles: waiting.reduce(applied, guild.roles), move }
}
