import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../../kit/i18n.ts'
import { useRoutePages } from '../../kit/useRoutePages.ts'
import { RoleDot } from '../../role/role.ts'
import { ActionRow, ActionRows } from '../../ui/ActionRow.tsx'
import { SearchField } from '../../ui/form/SearchField.tsx'
import { useSearch } from '../../ui/form/useSearch.ts'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { keyOf, type Target } from './rules.ts'
import { mayChange, nameOf } from './targets.ts'
import { text } from './text.ts'

interface AddProps {
  readonly guild: Guild
  readonly title: string
  /** Those who are not offered. */
  readonly taken: readonly Target[]
  readonly onAdd: (target: Target) => void
  readonly onClose: () => void
}

/** Roles, and people who are found by a search. Those that are not below the reader say so. */
export function AddTargetSheet(props: AddProps) {
  const { guild } = props
  const t = useText(text)
  const searched = useSearch()
  const { search } = searched
  const taken = new Set(props.taken.map(keyOf))
  const roles = guild.roles.filter(
    ({ role_id }) => role_id !== EVERYONE && !taken.has(keyOf({ role: role_id })),
  )
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      <SearchField label={t.search} hint={t.searchHint} of={searched} />
      {search !== '' ? (
        <Found {...props} search={search} isTaken={(it) => taken.has(keyOf(it))} />
      ) : (
        <ActionRows label={t.roles}>
          {roles.map((role) => (
            <TargetRow
              key={role.role_id}
              {...props}
              target={{ role: role.role_id }}
              picture={<RoleDot role={role} />}
            />
          ))}
        </ActionRows>
      )}
    </Sheet>
  )
}

function Found(props: AddProps & { search: string; isTaken: (target: Target) => boolean }) {
  const { guild, search } = props
  const t = useText(text)
  const found = useRoutePages(userList, { guild_id: guild.id, search })
  return (
    <Loaded of={found} title={t.failed}>
      {({ items }) => {
        const others = items.filter((user) => !props.isTaken({ user }))
        if (others.length === 0) return <p>{t.notFound}</p>
        return (
          <ActionRows
            label={t.found}
            hasMore={found.hasMore}
            isLoadingMore={found.isLoadingMore}
            onMore={found.loadMore}
          >
            {others.map((user) => (
              <TargetRow
                key={user.id}
                {...props}
                target={{ user }}
                picture={<Avatar of={user} size={40} />}
              />
            ))}
          </ActionRows>
        )
      }}
    </Loaded>
  )
}

function TargetRow({
  guild,
  target,
  picture,
  onAdd,
}: AddProps & { target: Target; picture: React.ReactNode }) {
  const t = useText(text)
  const name = nameOf(guild, target)
  const isBelow = mayChange(guild, target)
  return (
    <ActionRow
      picture={picture}
      title={name}
      facts={[isBelow ? '' : t.above]}
      action={t.add}
      actionLabel={t.addOf(name)}
      onAction={isBelow ? () => onAdd(target) : undefined}
    />
  )
}
