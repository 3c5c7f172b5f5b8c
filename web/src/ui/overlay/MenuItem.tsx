import type { ReactNode } from 'react'
import menuStyles from './Menu.module.css'

/** A row of a menu. */
export function MenuItem(props: { icon: ReactNode; label: string; isDanger?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className={props.isDanger ? `${menuStyles.item} ${menuStyles.danger}` : menuStyles.item}
      data-part={props.isDanger ? 'danger-item' : undefined}
      onClick={props.onPress}
    >
      {props.icon}
      <span className={menuStyles.label}>{props.label}</span>
    </button>
  )
}
