import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { moveRole } from '@guildhall/wire/role/role.ts'
import { useRef, useState } from 'react'
import { guildChanged } from '../guild/guild.ts'
import { CallFailure, call } from '../kit/call.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
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
 * The order of a guild's roles with the moves that the server has not answered yet. They are sent one after
 * the other; several of one role become one. A refusal takes back all that wait.
 */
export function useRoleOrder(guild: Guild) {
  const waiting = useRef<readonly Move[]>([])
  const isSending = useRef(false)
  const [moves, setMoves] = useState<readonly Move[]>([])
  const show = (next: readonly Move[]) => {
    waiting.current = next
    setMoves(next)
  }
  const send = async () => {
    isSending.current = true
    for (let [next] = waiting.current; next; [next] = waiting.current) {
      const { role_id, to } = next
      const input = { guild_id: guild.id, role_id, position: to + 1 }
      // Whoever leaves the page meant their moves, too: they are not given up with it.
      const answer = await call(moveRole, input).catch(refused)
      if (answer) keepRoles(guild.id, () => answer.items)
      else guildChanged(guild.id)
      show(answer ? waiting.current.slice(1) : [])
    }
    isSending.current = false
  }
  const move = (role_id: number, to: number) => {
    // The first one is on its way.
    const last = waiting.current.length > 1 ? waiting.current.at(-1) : undefined
    const others = last?.role_id === role_id ? waiting.current.slice(0, -1) : waiting.current
    show([...others, { role_id, to }])
    if (!isSending.current) void send()
  }
  return { roles: moves.reduce(applied, guild.roles), move }
}
