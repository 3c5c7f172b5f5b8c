import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { copyRole, type deleteRole } from '@guildhall/wire/role/role.ts'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { guildChanged } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { type Calling, useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import acts from '../ui/page/SettingActs.module.css'
import { isAbove } from './locks.ts'
import { withNew } from './RoleList.tsx'
import { RoleMembersSheet } from './RoleMembersSheet.tsx'
import styles from './Roles.module.css'
import { SeeAsSheet } from './SeeAsSheet.tsx'
import { text } from './text.ts'
import { keepRoles } from './useRoleOrder.ts'

interface RoleProps {
  readonly guild: Guild
  readonly role: Role
  readonly members: number | null
}
interface RemovableProps extends RoleProps {
  readonly removal: Calling<typeof deleteRole>
}

const refused = ({ message }: { message: string }) => void toast(message)

/**
 * What is done with a role, around what it is: its members and what they see above, copying and deleting
 * below. `shown`: the role with what is not saved yet.
 */
export function RoleActs(props: RemovableProps & { shown: Role; children: ReactNode }) {
  const { guild, role, shown, members } = props
  const t = useText(text)
  const [open, setOpen] = useState<'members' | 'seeAs' | null>(null)
  const isEveryone = role.role_id === EVERYONE
  return (
    <>
      <div className={styles.card}>
        {!isEveryone && (
          <button type="button" className={acts.act} onClick={() => setOpen('members')}>
            <span>{t.seeMembers}</span>
            <span className={styles.value}>{members !== null && t.members(members)}</span>
            <NextIcon size={20} />
          </button>
        )}
        <button type="button" className={acts.act} onClick={() => setOpen('seeAs')}>
          <span>{t.seeAs}</span>
          <NextIcon size={20} />
        </button>
      </div>
      {props.children}
      {!isEveryone && (
        <div className={acts.end}>
          <Copy guild={guild} role={role} />
          {!isAbove(guild, role) && <Removal {...props} />}
        </div>
      )}
      {open === 'members' && (
        <RoleMembersSheet guild={guild} role={role} count={members} onClose={() => setOpen(null)} />
      )}
      {open === 'seeAs' && (
        <SeeAsSheet guild={guild} role={shown} isDraft={shown !== role} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

/** A new role like this one, the lowest, with those of its rights that the reader has. */
function Copy({ guild, role }: Pick<RoleProps, 'guild' | 'role'>) {
  const t = useText(text)
  const [, setQuery] = useSearchParams()
  const copying = useCall(copyRole)
  const isFull = guild.roles.length >= amountAt('max_role_num', guild.level)
  const copy = async () => {
    const input = { guild_id: guild.id, role_id: role.role_id, name: t.copyName(role.name) }
    const made = await copying.run(input, refused)
    if (!made) return
    keepRoles(guild.id, (all) => withNew(all, made))
    guildChanged(guild.id)
    toast(made.permissions === role.permissions ? t.copied(made.name) : t.copyLeft)
    setQuery({ role: String(made.role_id) }, { replace: true })
  }
  return (
    <Button block kind="quiet" disabled={isFull} busy={copying.status === 'busy'} onPress={() => void copy()}>
      {isFull ? `${t.copy} · ${t.full}` : t.copy}
    </Button>
  )
}

function Removal({ guild, role, members, removal }: RemovableProps) {
  const t = useText(text)
  const [, setQuery] = useSearchParams()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    setAsked(false)
    if (!(await removal.run({ guild_id: guild.id, role_id: role.role_id }, refused))) return
    setQuery({}, { replace: true })
    keepRoles(guild.id, (all) => all.filter(({ role_id }) => role_id !== role.role_id))
    guildChanged(guild.id)
    toast(t.removed(role.name))
  }
  const losses = [members !== null && t.losesMembers(members), t.losesChannels]
  return (
    <>
      <div className={acts.remove}>
        <Button block kind="quiet" busy={removal.status === 'busy'} onPress={() => setAsked(true)}>
          {t.remove}
        </Button>
      </div>
      {isAsked && (
        <Dialog
          title={t.removeTitle(role.name)}
          message={losses.filter(Boolean).join(' ')}
          confirm={t.remove}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
