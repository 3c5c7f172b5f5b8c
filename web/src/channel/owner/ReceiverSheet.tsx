import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { SearchField } from '../../ui/form/SearchField.tsx'
import { useSearch } from '../../ui/form/useSearch.ts'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { MenuItem } from '../../ui/overlay/MenuItem.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { ReceiverDrawing } from './drawings.tsx'
import styles from './Owner.module.css'
import { ownerText } from './ownerText.ts'

const SHOWN_MAX = 50

/** Chooses a member who is no bot and does not own the guild. */
export function ReceiverSheet(props: {
  guild: Guild
  onChoose: (receiver: User) => void
  onClose: () => void
}) {
  const t = useText(ownerText)
  const { guild } = props
  const searched = useSearch()
  const { search } = searched
  const members = useRouteQuery(listMembers, {
    id: guild.id,
    perPage: SHOWN_MAX,
    ...(search && { search }),
  })
  return (
    <Sheet title={t.chooseReceiver} onClose={props.onClose}>
      <SearchField label={t.search} of={searched} />
      <div className={styles.people}>
        <Loaded of={members} title={t.membersFailed}>
          {({ data }) => {
            const people = data.filter(({ bot, is_master }) => !bot && !is_master)
            if (people.length === 0)
              return <EmptyState icon={<ReceiverDrawing />} title={t.noMember} message={t.noMemberWhy} />
            return (
              <div className={menuStyles.menu}>
                {people.map((it) => (
                  <MenuItem
                    key={it.id}
                    icon={<Avatar of={it} size={32} />}
                    label={`${it.username}#${it.identify_num}`}
                    onPress={() => props.onChoose(it)}
                  />
                ))}
              </div>
            )
          }}
        </Loaded>
      </div>
    </Sheet>
  )
}
