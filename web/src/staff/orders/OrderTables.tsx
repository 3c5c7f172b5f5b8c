import { yuan } from '@guildhall/wire/money.ts'
import type { StaffOrder } from '@guildhall/wire/staff/orders.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import type { Column } from '../parts/DataTable.tsx'
import { FixedTable } from '../parts/FixedTable.tsx'
import { Card, Moment, momentLabel, Tag } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { Actor, Details, Way } from './orderParts.tsx'
import {
  causeText,
  entryText,
  grantText,
  mismatchText,
  orderStateText,
  orderStepText,
  ordersText,
  paymentStateText,
  productKindText,
  refundStateText,
} from './ordersText.ts'

type Part = { readonly of: StaffOrder }

/** A table in a card, below what is said of it. */
function TableCard<Row>(props: {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  empty: string
  children?: ReactNode
}) {
  return (
    <Card title={props.title}>
      {props.children}
      <FixedTable
        caption={props.title}
        columns={props.columns}
        items={props.rows}
        keyOf={props.keyOf}
        empty={props.empty}
      />
    </Card>
  )
}

/** A text by its name, or the name itself where a newer server has another one. */
const named = (texts: Readonly<Record<string, unknown>>, name: string): string =>
  String(Object.hasOwn(texts, name) ? texts[name] : name)

/** What was bought. */
export function Lines({ of }: Part) {
  const o = useText(ordersText)
  const kinds = useText(productKindText)
  return (
    <TableCard
      title={o.lines}
      rows={of.lines}
      keyOf={({ product_id, name }) => `${product_id} ${name}`}
      empty=""
      columns={[
        { title: o.what, cell: ({ name }) => name },
        { title: o.kind, cell: ({ kind }) => named(kinds, kind) },
        { title: o.product, cell: ({ product_id }) => product_id },
        { title: o.grants, cell: ({ details }) => <Details of={details} /> },
        { title: o.each, isNumber: true, cell: ({ price }) => yuan(price) },
        { title: o.count, isNumber: true, cell: ({ count }) => count },
        { title: o.sum, isNumber: true, cell: ({ fee }) => yuan(fee) },
      ]}
    />
  )
}

/** What was granted, and what became of it. */
export function Granted({ of }: Part) {
  const o = useText(ordersText)
  const names = useText(grantText)
  return (
    <TableCard
      title={o.granted}
      rows={of.granted}
      keyOf={({ what, granted_at }) => `${what} ${granted_at}`}
      empty={o.noGranted}
      columns={[
        { title: o.what, cell: ({ what }) => named(names, what) },
        { title: o.length, cell: ({ length }) => (length === 0 ? '–' : o.days(Math.round(length / DAY_MS))) },
        {
          title: o.packs,
          isNumber: true,
          cell: ({ count, used }) => (count === 0 ? '–' : `${count} (${o.used} ${used})`),
        },
        { title: o.grantedAt, cell: ({ granted_at }) => <Moment at={granted_at} /> },
        {
          title: o.standing,
          cell: ({ revoked_at }) =>
            revoked_at === 0 ? <Tag kind="good">{o.counts}</Tag> : o.revoked(momentLabel(revoked_at)),
        },
      ]}
    />
  )
}

/** Each step: who, when, why. */
export function Steps({ of }: Part) {
  const o = useText(ordersText)
  const steps = useText(orderStepText)
  const states = useText(orderStateText)
  return (
    <TableCard
      title={o.steps}
      rows={of.steps.map((it, index) => ({ ...it, index }))}
      keyOf={({ index }) => String(index)}
      empty={states.placed}
      columns={[
        { title: o.at, cell: ({ at }) => <Moment at={at} /> },
        { title: o.step, cell: ({ step }) => steps[step] },
        {
          title: o.fromTo,
          cell: ({ from, to }) => (from === to ? states[to] : `${states[from]} → ${states[to]}`),
        },
        { title: o.who, cell: ({ actor }) => <Actor of={actor} /> },
        { title: o.note, cell: ({ note }) => note || '–' },
      ]}
    />
  )
}

const PAYMENT_TAGS = { begun: 'wait', paid: 'good', closed: 'plain' } as const

/** Attempts to pay it. */
export function Payments({ of }: Part) {
  const t = useText(text)
  const o = useText(ordersText)
  const states = useText(paymentStateText)
  return (
    <TableCard
      title={o.payments}
      rows={of.payments}
      keyOf={({ trade_no }) => trade_no}
      empty={o.noPayments}
      columns={[
        { title: o.trade, cell: ({ trade_no }) => trade_no },
        { title: o.way, cell: ({ way, scene }) => <WayAndScene way={way} scene={scene} /> },
        { title: o.state, cell: ({ state }) => <Tag kind={PAYMENT_TAGS[state]}>{states[state]}</Tag> },
        { title: o.sum, isNumber: true, cell: ({ fee }) => yuan(fee) },
        { title: o.providerNo, cell: ({ provider_no }) => provider_no || '–' },
        { title: o.paidAt, cell: ({ paid_at }) => (paid_at === 0 ? '–' : <Moment at={paid_at} />) },
        { title: o.main, cell: ({ is_main }) => (is_main ? t.yes : t.no) },
        { title: o.asked, cell: ({ queries }) => o.times(queries) },
      ]}
    />
  )
}

const WayAndScene = (paid: { way: StaffOrder['payments'][number]['way']; scene: string }) => (
  <>
    <Way of={paid.way} /> · {paid.scene}
  </>
)

const REFUND_TAGS = { waiting: 'wait', done: 'good', stuck: 'bad' } as const

/** Money that went back, or should. */
export function Refunds({ of }: Part) {
  const o = useText(ordersText)
  const states = useText(refundStateText)
  const causes = useText(causeText)
  return (
    <TableCard
      title={o.refunds}
      rows={of.refunds}
      keyOf={({ refund_no }) => refund_no}
      empty={o.noRefunds}
      columns={[
        { title: o.refundNo, cell: ({ refund_no }) => refund_no },
        { title: o.state, cell: ({ state }) => <Tag kind={REFUND_TAGS[state]}>{states[state]}</Tag> },
        { title: o.sum, isNumber: true, cell: ({ fee }) => yuan(fee) },
        { title: o.cause, cell: ({ cause }) => causes[cause] },
        { title: o.reason, cell: ({ reason }) => reason || '–' },
        { title: o.who, cell: ({ actor }) => <Actor of={actor} /> },
        { title: o.providerNo, cell: ({ provider_no }) => provider_no || '–' },
        { title: o.why, cell: ({ why }) => why || '–' },
        { title: o.at, cell: ({ created_at }) => <Moment at={created_at} /> },
        { title: o.doneAt, cell: ({ done_at }) => (done_at === 0 ? '–' : <Moment at={done_at} />) },
      ]}
    />
  )
}

/** What providers said of its payments that does not fit. */
export function Mismatches({ of }: Part) {
  const o = useText(ordersText)
  const whys = useText(mismatchText)
  return (
    <TableCard
      title={o.doubts}
      rows={of.doubts}
      keyOf={({ trade_no, provider_no, why }) => `${trade_no} ${provider_no} ${why}`}
      empty=""
      columns={[
        { title: o.at, cell: ({ at }) => <Moment at={at} /> },
        { title: o.doubt, cell: ({ why }) => named(whys, why) },
        { title: o.way, cell: ({ way }) => <Way of={way} /> },
        { title: o.trade, cell: ({ trade_no }) => trade_no },
        { title: o.providerNo, cell: ({ provider_no }) => provider_no },
        { title: o.count, isNumber: true, cell: ({ times }) => times },
      ]}
    >
      <p>{o.mismatchesWhy}</p>
    </TableCard>
  )
}

/** Its entries in the ledger, line by line. */
export function Entries({ of }: Part) {
  const o = useText(ordersText)
  const kinds = useText(entryText)
  const rows = of.entries.flatMap(({ id, kind, ref, at, lines }) =>
    lines.map((line) => ({ id, kind, ref, at, ...line })),
  )
  return (
    <TableCard
      title={o.entries}
      rows={rows}
      keyOf={({ id, account }) => `${id} ${account}`}
      empty={o.noEntries}
      columns={[
        { title: o.at, cell: ({ at }) => <Moment at={at} /> },
        { title: o.entry, cell: ({ id, kind }) => `${named(kinds, kind)} (${id})` },
        { title: o.note, cell: ({ ref }) => ref },
        { title: o.account, cell: ({ account }) => account },
        { title: o.debit, isNumber: true, cell: ({ amount }) => (amount > 0 ? yuan(amount) : '–') },
        { title: o.credit, isNumber: true, cell: ({ amount }) => (amount < 0 ? yuan(-amount) : '–') },
      ]}
    />
  )
}
