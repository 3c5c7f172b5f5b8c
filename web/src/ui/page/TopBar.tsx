import { type ReactNode, useEffect } from 'react'
import { continueTopBar } from '../../kit/browser/theme.ts'
import { useText } from '../../kit/i18n.ts'
import { IconButton } from '../IconButton.tsx'
import { BackIcon } from '../icon/icons.tsx'
import styles from './TopBar.module.css'
import { topBarText } from './topBarText.ts'

/** The top bar of a screen. `title` is the page's heading. */
export function TopBar(props: {
  title: ReactNode
  icon?: ReactNode
  onBack?: (() => void) | undefined
  actions?: ReactNode
}) {
  const t = useText(topBarText)
  useEffect(continueTopBar, [])
  return (
    <header className={styles.bar} data-back={props.onBack && ''}>
      {props.onBack && (
        <IconButton label={t.back} onPress={props.onBack}>
          <BackIcon />
        </IconButton>
      )}
      <h1 className={styles.title}>
        {props.icon}
        <span>{props.title}</span>
      </h1>
      {props.actions}
    </header>
  )
}
