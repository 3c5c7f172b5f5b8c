import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { grantable } from '@guildhall/wire/permission/hierarchy.ts'
import { grantRole, revokeRole } from '@guildhall/wire/role/role.ts'
import { useState } from 'react'
import { useTheme } from '../kit/browser/useTheme.ts'
import { useText } from '../kit/i18n.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { colorsOf, nameLook } from '../ui/picture/nameLook.ts'
import styles from './MemberActs.module.css'
import type { Target } from './target.ts'
import { text } from './text.ts'

/** Grants and revokes the roles of a member, each at once. `act` makes a call and says why it failed. */
export function RolesSheet(props: {
  guild: Guild
  target: Target
  act: (
    route: typeof grantRole | typeof revokeRole,
    input: { guild_id: Guild['id']; user_id: Target['id']; role_id: number },
  ) => Promise<boolean>
  onClose: () => void
}) {
  const { guild, target } = props
  const t = useText(text)
  const theme = useTheme()
  const [held, setHeld] = useState<ReadonlySet<number>>(new Set(target.roles))
  const [busy, setBusy] = useState<number | null>(null)
  const toggle = async (roleId: number) => {
    if (busy !== null) return
    const has = held.has(roleId)
    setBusy(roleId)
    const input = { guild_id: guild.id, user_id: target.id, role_id: roleId }
    const isDone = await props.act(has ? revokeRole : grantRole, input)
    setBusy(null)
    if (!isDone) return
    const next = new Set(held)
    if (has) next.delete(roleId)
    else next.add(roleId)
    setHeld(next)
  }
  return (
    <Sheet title={t.rolesOf(target.name)} onClose={props.onClose}>
      <fieldset className={styles.choice} aria-busy={busy !== null}>
        <legend className="unseen">{t.rolesOf(target.name)}</legend>
        {grantable(guild).map((role) => (
          <label key={role.role_id} className={styles.option}>
            <input
              type="checkbox"
              checked={held.has(role.role_id)}
              onChange={() => void toggle(role.role_id)}
            />
            <span {...nameLook(colorsOf(role), theme)}>
              <EmojiText>{role.name}</EmojiText>
            </span>
          </label>
        ))}
      </fieldset>
    </Sheet>
  )
}
