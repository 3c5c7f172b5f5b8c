import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { useState } from 'react'
import { useText } from '../../../kit/i18n.ts'
import { useRoutePages } from '../../../kit/useRoutePages.ts'
import acts from '../../../member/MemberActs.module.css'
import { Act } from '../../../member/MemberActs.tsx'
import { ActionRows } from '../../../ui/ActionRow.tsx'
import { SearchField } from '../../../ui/form/SearchField.tsx'
import { useSearch } from '../../../ui/form/useSearch.ts'
import { NextIcon } from '../../../ui/icon/icons.tsx'
import { Sheet } from '../../../ui/overlay/Sheet.tsx'
import { Loaded } from '../../../ui/state/Loaded.tsx'
import styles from './AuditSettings.module.css'
import { text } from './text.ts'

/** People by their id, with their names; an empty one: the account is deleted. */
export type People = ReadonlyMap<UserId, string>

interface Props {
  readonly guild: Guild
  readonly label: string
  /** Those who are offered without a search: they may have left the guild. */
  readonly seen: People
  /** Null: everybody. */
  readonly chosen: UserId | null
  readonly onChange: (chosen: UserId | null) => void
}

/** One person or everybody, chosen in a sheet among those seen in the log and any member by name. */
export function PersonFilter(props: Props) {
  const { label, chosen } = props
  const t = useText(text)
  const [isOpen, setOpen] = useState(false)
  /** The name of who was found by a search. */
  const [found, setFound] = useState<readonly [UserId, string] | null>(null)
  const known = chosen !== null && found?.[0] === chosen ? found[1] : chosen && props.seen.get(chosen)
  const name = chosen === null ? t.anybody : known || t.gone
  return (
    <>
      <div className={styles.person}>
        {label}
        <button type="button" aria-label={t.chosen(label, name)} onClick={() => setOpen(true)}>
          <span>{name}</span>
          <NextIcon />
        </button>
      </div>
      {isOpen && (
        <PersonSheet
          {...props}
          onClose={() => setOpen(false)}
          onChoose={(person) => {
            setOpen(false)
            setFound(person)
            props.onChange(person?.[0] ?? null)
          }}
        />
      )}
    </>
  )
}

interface SheetProps extends Props {
  readonly onChoose: (person: readonly [UserId, string] | null) => void
  readonly onClose: () => void
}

function PersonSheet(props: SheetProps) {
  const t = useText(text)
  const searched = useSearch()
  const { search } = searched
  return (
    <Sheet title={props.label} onClose={props.onClose}>
      <SearchField label={t.search} hint={t.searchHint} of={searched} />
      {search === '' ? (
        <ul className={acts.acts} aria-label={t.seen}>
          <Act onPress={() => props.onChoose(null)}>{t.anybody}</Act>
          {[...props.seen].map((it) => (
            <Act key={it[0]} onPress={() => props.onChoose(it)}>
              {it[1] || t.gone}
            </Act>
          ))}
        </ul>
      ) : (
        <Found {...props} search={search} />
      )}
    </Sheet>
  )
}

function Found({ guild, search, onChoose }: SheetProps & { search: string }) {
  const t = useText(text)
  const found = useRoutePages(userList, { guild_id: guild.id, search })
  return (
    <Loaded of={found} title={t.membersFailed}>
      {({ items }) =>
        items.length === 0 ? (
          <p role="status">{t.notFound}</p>
        ) : (
          <ActionRows
            label={t.found}
            hasMore={found.hasMore}
            isLoadingMore={found.isLoadingMore}
            onMore={found.loadMore}
          >
            {items.map(({ id, username, nickname }) => {
              const name = nickname || username
              return (
                <Act key={id} note={name === username ? '' : username} onPress={() => onChoose([id, name])}>
                  {name}
                </Act>
              )
            })}
          </ActionRows>
        )
      }
    </Loaded>
  )
}
