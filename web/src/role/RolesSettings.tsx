import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { countRoleMembers, deleteRole } from '@guildhall/wire/role/role.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useListPosition } from '../kit/browser/useListPosition.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { GoneState } from '../ui/state/GoneState.tsx'
import type { Draft } from './draft.ts'
import { RoleGoneDrawing } from './goneDrawing.tsx'
import { RoleList } from './RoleList.tsx'
import { RolePage } from './RolePage.tsx'
import { text } from './text.ts'

/**
 * The roles of a guild in their order, and with `role` in the query the page of one. What is changed of roles
 * and not saved yet stays while the section is open.
 */
export default function RolesSettings({ guild }: { guild: Guild }) {
  const t = useText(text)
  const [query] = useSearchParams()
  const counts = useRouteQuery(countRoleMembers, { guild_id: guild.id })
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map())
  const chosen = query.get('role')
  const onOpen = useListPosition(chosen === null)
  // The event may take the page away before the answer leads back from it.
  const removal = useCall(deleteRole)
  const members = counts.answer && new Map(counts.answer.items.map((it) => [it.role_id, it.count]))
  if (chosen === null) return <RoleList guild={guild} members={members} onOpen={onOpen} />
  const role = guild.roles.find(({ role_id }) => String(role_id) === chosen)
  if (!role) return <GoneState icon={<RoleGoneDrawing />} title={t.gone} message={t.goneWhy} back={t.back} />
  return (
    <RolePage
      key={chosen}
      guild={guild}
      role={role}
      members={members && (members.get(role.role_id) ?? 0)}
      draft={drafts.get(role.role_id)}
      removal={removal}
      onDraft={(draft) =>
        setDrafts((all) => {
          const next = new Map(all)
          if (draft) next.set(role.role_id, draft)
          else next.delete(role.role_id)
          return next
        })
      }
    />
  )
}
