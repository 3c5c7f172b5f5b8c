import { texts } from '@guildhall/wire/locale.ts'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useText } from '../kit/i18n.ts'
import styles from './ActionRow.module.css'
import { Button } from './Button.tsx'

const text = texts({
  'zh-CN': { more: '加载更多' },
  en: { more: 'Load more' },
})

/** A card of rows, with a button for what is not loaded yet. */
export function ActionRows(props: {
  label: string
  hasMore?: boolean
  isLoadingMore?: boolean
  onMore?: () => void
  children: ReactNode
}) {
  const t = useText(text)
  return (
    <>
      <ul className={styles.rows} aria-label={props.label}>
        {props.children}
      </ul>
      {props.hasMore && (
        <div className={styles.more}>
          <Button kind="quiet" busy={props.isLoadingMore === true} onPress={() => props.onMore?.()}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}

function TitleLink({ to, children }: { to: string; children: string }) {
  const { pathname, search } = useLocation()
  return (
    <Link className={styles.link} to={to} state={{ back: pathname + search }}>
      {children}
    </Link>
  )
}

/** Somebody or something with what is known of it, and the thing that can be done about it. */
export function ActionRow(props: {
  picture?: ReactNode
  title: string
  /** The path of the page about it; its way back leads here. */
  to?: string
  /** Lines below the title; empty ones are left out. */
  facts: readonly string[]
  action: string
  /** The action's name for who does not see its row. */
  actionLabel: string
  isBusy?: boolean
  /** Without it the row has no button. */
  onAction?: (() => void) | undefined
  /** What the action opens. */
  children?: ReactNode
}) {
  return (
    <li className={styles.row}>
      {props.picture}
      <div className={styles.text}>
        <p className={styles.title}>
          {props.to === undefined ? props.title : <TitleLink to={props.to}>{props.title}</TitleLink>}
        </p>
        {props.facts.filter(Boolean).map((fact) => (
          <p key={fact} className={styles.fact}>
            {fact}
          </p>
        ))}
      </div>
      {props.onAction && (
        <Button
          kind="plain"
          aria-label={props.actionLabel}
          busy={props.isBusy === true}
          onPress={props.onAction}
        >
          {props.action}
        </Button>
      )}
      {props.children}
    </li>
  )
}
