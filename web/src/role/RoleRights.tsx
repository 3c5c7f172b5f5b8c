import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { DANGEROUS } from '@guildhall/wire/permission/dangerous.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../kit/i18n.ts'
import { maySwitch } from './locks.ts'
import styles from './Roles.module.css'
import { RIGHT_GROUPS } from './rights.ts'
import { rightsText } from './rightsText.ts'
import { Toggle } from './Toggle.tsx'

const GROUPS = Object.keys(RIGHT_GROUPS) as (keyof typeof RIGHT_GROUPS)[]

/** The rights of a role in groups, each with a sentence. Those that the reader lacks are locked. */
export function RoleRights(props: {
  guild: Guild
  permissions: number
  isLocked: boolean
  onSwitch: (right: number, isOn: boolean) => void
}) {
  const t = useText(rightsText)
  return (
    <>
      {has(props.permissions, permission.manage) && <p className={styles.notice}>{t.implied}</p>}
      {GROUPS.map((group) => (
        <section key={group} className={styles.group} aria-label={t[group]}>
          <h3 className={styles.groupName}>{t[group]}</h3>
          <div className={styles.card}>
            {RIGHT_GROUPS[group].map((name) => {
              const [title = '', why = ''] = t[name]
              const right = permission[name]
              const lacks = !maySwitch(props.guild, right)
              return (
                <Toggle
                  key={name}
                  name={title}
                  why={why}
                  mark={DANGEROUS.has(name) && <span className={styles.danger}>{t.danger}</span>}
                  isOn={has(props.permissions, right)}
                  isLocked={props.isLocked || lacks}
                  reason={lacks && !props.isLocked ? t.lacking : undefined}
                  onChange={(isOn) => props.onSwitch(right, isOn)}
                />
              )
            })}
          </div>
        </section>
      ))}
    </>
  )
}
