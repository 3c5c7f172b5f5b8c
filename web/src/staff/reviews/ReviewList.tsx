import { listReviews, type Review } from '@guildhall/wire/staff/reviews.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { PersonLink } from '../parts/Links.tsx'
import { Choice, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { reviewsText } from '../reviewsText.ts'
import { sectionText } from '../text.ts'
import { casePath, changedIn, useQueue } from './queue.ts'
import styles from './reviews.module.css'
import { Waited } from './Waited.tsx'

/** What waits, the oldest first; or what was decided, the newest first. */
export function ReviewList() {
  const t = useText(reviewsText)
  const names = useText(sectionText)
  const isDecided = useSearched().state === 'decided'
  return (
    <SectionPage title={names.reviews} lead={t.lead}>
      <div className={styles.choice}>
        <Choice
          name="state"
          label={t.show}
          options={[
            ['', t.waiting],
            ['decided', t.decided],
          ]}
        />
      </div>
      {isDecided ? <Decided /> : <Waiting />}
    </SectionPage>
  )
}

function Waiting() {
  const t = useText(reviewsText)
  const rows = useQueue()
  const columns: readonly Column<Review>[] = [
    { key: 'guild', title: t.guild, cell: (it) => <Link to={casePath(it)}>{it.guild_name}</Link> },
    {
      key: 'changes',
      title: t.changes,
      cell: (it) => (
        <span className={styles.tags}>
          {changedIn(it).map((field) => (
            <Tag key={field}>{t[field]}</Tag>
          ))}
        </span>
      ),
    },
    { key: 'by', title: t.by, cell: (it) => <PersonLink id={it.user_id} name={it.user_name} /> },
    { key: 'at', title: t.at, cell: ({ created_at }) => <Moment at={created_at} /> },
    { key: 'waited', title: t.waited, cell: (it) => <Waited of={it} /> },
  ]
  return (
    <DataTable
      caption={t.waiting}
      columns={columns}
      rows={rows}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      empty={t.noneWaiting}
    />
  )
}

function Decided() {
  const t = useText(reviewsText)
  const rows = useStaffPages(listReviews, { state: 'decided' }, ({ id }) => ({ before: Number(id) }))
  const columns: readonly Column<Review>[] = [
    { key: 'guild', title: t.guild, cell: (it) => <Link to={casePath(it)}>{it.guild_name}</Link> },
    { key: 'state', title: t.state, cell: (it) => <Outcome of={it} /> },
    { key: 'by', title: t.by, cell: (it) => <PersonLink id={it.user_id} name={it.user_name} /> },
    { key: 'decidedBy', title: t.decidedBy, cell: (it) => <Decider of={it} /> },
    {
      key: 'decidedAt',
      title: t.decidedAt,
      cell: ({ decided_at }) => decided_at !== null && <Moment at={decided_at} />,
    },
  ]
  return (
    <DataTable
      caption={t.decided}
      columns={columns}
      rows={rows}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      empty={t.noneDecided}
    />
  )
}

/** How a case was decided, and why. */
export function Outcome({ of: { state, reason } }: { of: Review }) {
  const t = useText(reviewsText)
  return (
    <span>
      <Tag kind={state === 'passed' ? 'good' : state === 'rejected' ? 'bad' : 'plain'}>{t[state]}</Tag>{' '}
      {reason}
    </span>
  )
}

export function Decider({ of }: { of: { readonly decided_by: string; readonly decided_by_name: string } }) {
  const t = useText(reviewsText)
  return <span>{of.decided_by === 'operator' ? t.operator : of.decided_by_name || of.decided_by}</span>
}
