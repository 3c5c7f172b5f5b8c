import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { ROLE_MEMBERS_PATH } from '@guildhall/wire/role/event.ts'
import { grantRole, revokeRole } from '@guildhall/wire/role/role.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useRef, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateAnswers } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { type RoutePages, useRoutePages } from '../kit/useRoutePages.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { SearchField } from '../ui/form/SearchField.tsx'
import { useSearch } from '../ui/form/useSearch.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { RoleMembersDrawing } from './drawings.tsx'
import { isAbove, mayActOn, mayGrant } from './locks.ts'
import styles from './Roles.module.css'
import { sheetText, text } from './text.ts'

type Member = AnswerOf<typeof userList>['items'][number]

interface MembersProps {
  readonly guild: Guild
  readonly role: Role
  /** How many have the role; null: not known yet. */
  readonly count: number | null
  readonly onClose: () => void
}

/** Who has a role: each may be removed, and whoever is found by a search added. */
export function RoleMembersSheet({ guild, role, count, onClose }: MembersProps) {
  const t = useText(sheetText)
  const { membersOf } = useText(text)
  const searched = useSearch()
  const { search } = searched
  const isLocked = isAbove(guild, role)
  const which = search === '' ? { role_id: role.role_id } : { search }
  const found = useRoutePages(userList, { guild_id: guild.id, ...which })
  useAgainAt(count, found.refetch)
  return (
    <Sheet title={membersOf(role.name)} onClose={onClose}>
      {isLocked && <p className={styles.notice}>{t.above}</p>}
      {!isLocked && !mayGrant(guild, role) && <p className={styles.notice}>{t.noGrant}</p>}
      {!isLocked && <SearchField label={t.search} hint={t.searchHint} of={searched} />}
      <Loaded of={found} title={t.failed}>
        {() => (
          <div className={styles.found}>
            <Found guild={guild} role={role} found={found} isSearch={search !== ''} />
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

/** Asks again when a number is another one. */
function useAgainAt(count: number | null, refetch: () => void): void {
  const seen = useRef(count)
  const latest = useRef(refetch)
  latest.current = refetch
  useEffect(() => {
    if (seen.current !== null && seen.current !== count) latest.current()
    seen.current = count
  }, [count])
}

function Found(props: { guild: Guild; role: Role; found: RoutePages<Member>; isSearch: boolean }) {
  const { guild, role, found, isSearch } = props
  const t = useText(sheetText)
  const { membersOf } = useText(text)
  // Whoever was removed here stays to be added again.
  const [touched, setTouched] = useState<readonly Member[]>([])
  const items = found.answer?.items ?? []
  const gone = isSearch ? [] : touched.filter(({ id }) => !items.some((it) => it.id === id))
  const rows = [...gone, ...items]
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<RoleMembersDrawing />}
        title={isSearch ? t.notFound : t.nobody}
        {...(!isSearch && !isAbove(guild, role) && { message: t.nobodyWhy })}
      />
    )
  return (
    <ActionRows
      label={isSearch ? t.found : membersOf(role.name)}
      hasMore={found.hasMore}
      isLoadingMore={found.isLoadingMore}
      onMore={found.loadMore}
    >
      {rows.map((member) => (
        <MemberRow
          key={member.id}
          guild={guild}
          role={role}
          member={member}
          wasRemoved={gone.includes(member)}
          onTouched={() => setTouched((all) => [...all.filter(({ id }) => id !== member.id), member])}
        />
      ))}
    </ActionRows>
  )
}

/** A member with a button that gives them the role, or takes it: it shows at once, and back if refused. */
function MemberRow(props: {
  guild: Guild
  role: Role
  member: Member
  wasRemoved: boolean
  onTouched: () => void
}) {
  const { guild, role, member } = props
  const t = useText(sheetText)
  const [wanted, setWanted] = useState<boolean | null>(null)
  const granting = useCall(grantRole)
  const revoking = useCall(revokeRole)
  const has = wanted ?? (!props.wasRemoved && member.roles.includes(role.role_id))
  const isBelow = mayActOn(guild, member)
  const why = member.id === useMe()?.id ? t.self : t.outranked
  const mayAct = isBelow && !isAbove(guild, role) && (has || mayGrant(guild, role))
  const name = member.nickname || member.username
  const toggle = async () => {
    setWanted(!has)
    props.onTouched()
    const input = { guild_id: guild.id, user_id: member.id, role_id: role.role_id }
    const done = await (has ? revoking : granting).run(input, ({ message }) => toast(message))
    if (!done) setWanted(has)
    else invalidateAnswers({ queryKey: ['GET', ROLE_MEMBERS_PATH] })
  }
  return (
    <ActionRow
      picture={<Avatar of={member} size={40} />}
      title={name}
      facts={[name === member.username ? '' : member.username, isBelow ? '' : why]}
      action={has ? t.take : t.add}
      actionLabel={has ? t.takeFrom(name) : t.addTo(name)}
      isBusy={granting.status === 'busy' || revoking.status === 'busy'}
      onAction={mayAct ? () => void toggle() : undefined}
    />
  )
}
