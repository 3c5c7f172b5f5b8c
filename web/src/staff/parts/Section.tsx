import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import { usePageTitle } from '../../ui/page/usePageTitle.ts'
import { text } from '../text.ts'
import styles from './parts.module.css'

/**
 * A section of the console, or a page of one: its heading, one line that says what it is for, and its
 * content.
 */
export function SectionPage(props: {
  title: string
  lead?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const t = useText(text)
  usePageTitle(`${props.title} · ${t.title}`)
  return (
    <>
      <div className={styles.head}>
        <h1 className={styles.title}>{props.title}</h1>
        {props.actions && <div className={styles.actions}>{props.actions}</div>}
      </div>
      {props.lead && <p className={styles.lead}>{props.lead}</p>}
      {props.children}
    </>
  )
}

/** A part of a page in a card with its own heading. */
export function Card(props: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={props.title}>
      <div className={styles.head}>
        <h2 className={styles.subtitle}>{props.title}</h2>
        {props.actions && <div className={styles.actions}>{props.actions}</div>}
      </div>
      {props.children}
    </section>
  )
}

/** Facts by their names. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How something stands. `bad` and `wait` draw the eye. */
export function Tag({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'wait' | 'bad'
  children: ReactNode
}) {
  return (
    <span className={styles.tag} data-kind={kind}>
      {children}
    </span>
  )
}

/** A moment, ms, to the second: staff compare times. */
export function Moment({ at }: { at: number }) {
  const date = new Date(at)
  return (
    <time className={styles.moment} dateTime={date.toISOString()}>
      {momentLabel(at)}
    </time>
  )
}

const two = (n: number) => String(n).padStart(2, '0')

/** `2026-11-25 13:02:45`, local time. */
export function momentLabel(at: number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
