import type { ReactNode } from 'react'
import { AlertIcon, ClockIcon } from '../ui/icon/icons.tsx'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import styles from './PayPages.module.css'

type StateKind = 'good' | 'wait' | 'bad'

const ICONS = { good: CheckIcon, wait: ClockIcon, bad: AlertIcon } as const

/** The state of a payment in large words, with the one sum, and below it what can be done. */
export function StateText(props: {
  kind: StateKind
  title: string
  message?: string | undefined
  sum?: string
  /** The screen has no other heading. */
  top?: boolean
  /** A moment to enjoy: a short motion, for who wants motion. */
  isFestive?: boolean
  /** More, below the message. */
  children?: ReactNode
}) {
  const Icon = ICONS[props.kind]
  const Title = props.top ? 'h1' : 'h3'
  return (
    <div className={styles.state} role={props.kind === 'bad' ? 'alert' : 'status'}>
      <span className={styles.art} data-kind={props.kind} data-festive={props.isFestive || undefined}>
        <Icon size={36} strokeWidth={props.kind === 'good' ? 2.5 : 2} />
      </span>
      <Title className={styles.title}>{props.title}</Title>
      {props.sum && <p className={styles.sum}>{props.sum}</p>}
      {props.message && <p className={styles.message}>{props.message}</p>}
      {props.children}
    </div>
  )
}
