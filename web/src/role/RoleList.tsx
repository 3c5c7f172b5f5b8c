import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { EVERYONE, has, permission } from '@guildhall/wire/permission/permission.ts'
import { createRole } from '@guildhall/wire/role/role.ts'
import { Link, useSearchParams } from 'react-router'
import { guildChanged } from '../guild/guild.ts'
import { useTheme } from '../kit/browser/useTheme.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { colorsOf, markGround } from '../ui/picture/nameLook.ts'
import { SortableList } from '../ui/sortable/SortableList.tsx'
import { isAbove } from './locks.ts'
import styles from './Roles.module.css'
import { text } from './text.ts'
import { keepRoles, useRoleOrder } from './useRoleOrder.ts'

/** How many members have each role that anybody has; null: not known yet. */
export type Counts = ReadonlyMap<number, number> | null

/** The roles of a guild in their order, which changes by hand; those above the reader stay. */
export function RoleList(props: { guild: Guild; members: Counts; onOpen: () => void }) {
  const { guild } = props
  const t = useText(text)
  const [, setQuery] = useSearchParams()
  const creating = useCall(createRole)
  const { roles, move } = useRoleOrder(guild)
  const most = amountAt('max_role_num', guild.level)
  const isFull = roles.length >= most
  const items = roles.map((role) => ({
    key: String(role.role_id),
    name: role.name,
    isFixed: role.role_id === EVERYONE || isAbove(guild, role),
    role,
  }))
  const create = async () => {
    const input = { guild_id: guild.id, name: t.newName }
    const made = await creating.run(input, ({ message }) => toast(message))
    if (!made) return
    keepRoles(guild.id, (all) => withNew(all, made))
    guildChanged(guild.id)
    setQuery({ role: String(made.role_id) })
  }
  return (
    <>
      <div className={styles.make}>
        <Button block busy={creating.status === 'busy'} disabled={isFull} onPress={() => void create()}>
          {t.create}
        </Button>
        <p className={styles.note}>
          {t.count(roles.length, most)}
          {isFull && ` · ${t.full}`}
        </p>
      </div>
      <SortableList label={t.list} items={items} onMove={({ role }, to) => move(role.role_id, to)}>
        {({ role }, isLifted) => <RoleRow {...props} role={role} isLifted={isLifted} />}
      </SortableList>
      <p className={styles.note}>{t.order}</p>
    </>
  )
}

/** A new role stands above everyone's, whose event may have come before. */
export const withNew = (roles: readonly Role[], made: Role): Role[] => [
  ...roles.filter(({ role_id }) => role_id !== EVERYONE && role_id !== made.role_id),
  made,
  ...roles.filter(({ role_id }) => role_id === EVERYONE),
]

function RoleRow(props: {
  guild: Guild
  role: Role
  members: Counts
  isLifted: boolean
  onOpen: () => void
}) {
  const { role } = props
  const t = useText(text)
  const isEveryone = role.role_id === EVERYONE
  const facts = [
    isEveryone ? t.everybody : props.members && t.members(props.members.get(role.role_id) ?? 0),
    has(role.permissions, permission.manage) && t.admin,
    role.hoist === 1 && t.hoisted,
    role.mentionable === 1 && t.mentionable,
  ]
  return (
    <Link
      className={styles.row}
      to={{ search: `role=${role.role_id}` }}
      draggable={false}
      onClick={props.onOpen}
    >
      <RoleDot role={role} />
      <span className={styles.rowText}>
        <span className={styles.rowName} data-part="role-name">
          <EmojiText>{role.name}</EmojiText>
        </span>
        <span className={styles.fact}>{facts.filter(Boolean).join(' · ')}</span>
        {isAbove(props.guild, role) && <span className={styles.fact}>{t.above}</span>}
      </span>
      {!props.isLifted && <NextIcon size={20} />}
    </Link>
  )
}

/** The colours of a role. */
export function RoleDot({ role }: { role: Pick<Role, 'color' | 'color_map'> }) {
  const background = markGround(colorsOf(role), useTheme())
  return <span className={styles.dot} style={{ background }} aria-hidden="true" />
}
