import { type ReactNode, useRef } from 'react'
import type { usePickedIcon } from '../../kit/picture/usePickedIcon.ts'
import { EditIcon } from '../icon/channelIcons.tsx'
import styles from './IconPicker.module.css'

/** Opens the choice of a picture of 88 px; `empty` stands there without one. */
export function IconPicker(props: {
  label: string
  icon: Pick<ReturnType<typeof usePickedIcon>, 'url' | 'pick'>
  empty: ReactNode
}) {
  const { label, icon } = props
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={file}
        className={styles.file}
        type="file"
        accept="image/*"
        aria-label={label}
        tabIndex={-1}
        onChange={({ target }) => {
          void icon.pick(target.files?.[0])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <button type="button" className={styles.icon} aria-label={label} onClick={() => file.current?.click()}>
        {icon.url ? <img className={styles.picked} src={icon.url} alt="" /> : props.empty}
        <span className={styles.iconSign}>
          <EditIcon size={14} />
        </span>
      </button>
    </>
  )
}
