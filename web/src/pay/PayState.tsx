import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { canCloseHost, closeHost } from '../native/payBridge.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { AlertIcon, ClockIcon } from '../ui/icon/icons.tsx'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import { Page } from '../ui/page/Page.tsx'
import { boughtAt } from './boughtAt.ts'
import styles from './PayPages.module.css'
import { text } from './text.ts'

export type StateKind = 'good' | 'wait' | 'bad'

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

/** The same as a whole screen. */
export function PayState(props: Parameters<typeof StateText>[0] & { actions?: ReactNode }) {
  return (
    <Page>
      <main className={styles.page}>
        <StateText {...props} top />
        <div className={styles.actions}>{props.actions}</div>
      </main>
    </Page>
  )
}

/** Closes the page where the app around it can do that; elsewhere leads to the product. */
export function CloseHost({ isMain = false }: { isMain?: boolean }) {
  const t = useText(text)
  if (canCloseHost())
    return (
      <Button kind={isMain ? 'main' : 'quiet'} block onPress={closeHost}>
        {isMain ? t.done : t.closePage}
      </Button>
    )
  return (
    <Link
      className={buttonClass(isMain ? 'main' : 'quiet', true)}
      to={isLoggedIn() ? paths.channels() : paths.home()}
    >
      {t.toHome}
    </Link>
  )
}

/**
 * The ways on from a payment. `isMain`: there is nothing else to do. `guildId`: of the order; its page is where
 * the person came from, when this tab does not know.
 */
export function WaysOn({ isMain = true, guildId = '' }: { isMain?: boolean; guildId?: string }) {
  const t = useText(text)
  const from = isLoggedIn() ? (boughtAt() ?? (guildId && `/guild/boost/${guildId}`)) : null
  return (
    <>
      {from && (
        <Link className={buttonClass(isMain ? 'main' : 'quiet', true)} to={from} replace>
          {/^\/guild\//.test(from) ? t.toGuild : t.toBought}
        </Link>
      )}
      <CloseHost isMain={isMain && !from} />
      {isLoggedIn() && (
        <Link className={buttonClass('quiet', true)} to="/account/order-list" replace>
          {t.toBill}
        </Link>
      )}
    </>
  )
}
