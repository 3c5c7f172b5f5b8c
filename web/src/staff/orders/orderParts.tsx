import { wayText } from '@guildhall/wire/payWay.ts'
import type { StaffOrder, StaffOrderRow } from '@guildhall/wire/staff/orders.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import styles from '../parts/parts.module.css'
import { Tag } from '../parts/Section.tsx'
import { actorText, attentionText, orderStateText, ordersText } from './ordersText.ts'

const TAGS = {
  placed: 'plain',
  paying: 'plain',
  paid: 'wait',
  granted: 'good',
  closed: 'plain',
  refunding: 'wait',
  refunded: 'plain',
  stuck: 'bad',
} as const

/** How an order stands, and why somebody must look at it. */
export function StateTags({ of }: { of: Pick<StaffOrderRow, 'state' | 'trouble'> }) {
  const states = useText(orderStateText)
  const needingAttention = useText(attentionText)
  return (
    <span className={styles.tags}>
      <Tag kind={TAGS[of.state]}>{states[of.state]}</Tag>
      {of.trouble !== '' && of.trouble !== 'stuck' && <Tag kind="bad">{needingAttention[of.trouble]}</Tag>}
    </span>
  )
}

/** Somebody, linked to what they bought. */
export const Person = ({ of }: { of: StaffOrderRow['buyer'] }) => (
  <Link to={`/staff/orders?number=${of.id}`}>
    {of.username}#{of.identify_num} ({of.id})
  </Link>
)

export const OrderLink = ({ id }: { id: string }) => <Link to={`/staff/orders/${id}`}>{id}</Link>

/** A provider by its name. */
export function Way({ of }: { of: StaffOrderRow['way'] }) {
  const ways = useText(wayText)
  return of === '' ? null : ways[of]
}

/** Who made a step. */
export function Actor({ of }: { of: StaffOrder['steps'][number]['actor'] }) {
  const names = useText(actorText)
  const known = names[of.id as keyof typeof names]
  return known ?? `${of.name} (${of.id})`
}

/** Says what one of a product grants, in words where they are known. */
export function useDetailText(): (details: Readonly<Record<string, unknown>>) => string {
  const o = useText(ordersText)
  const wordsOf = (name: string, value: unknown): string => {
    if (name === 'days') return o.days(Number(value))
    if (name === 'packs') return o.packsEach(Number(value))
    if (value === 'normal' || value === 'pro') return o[value]
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  }
  return (details) =>
    Object.entries(details)
      .map(([name, value]) => wordsOf(name, value))
      .join(' · ')
}

export const Details = ({ of }: { of: Readonly<Record<string, unknown>> }) => useDetailText()(of)
