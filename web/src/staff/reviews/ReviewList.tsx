import { REVIEW_KINDS, type Review } from '@guildhall/wire/staff/reviews.ts'
import { Link, useSearchParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { DecidedDrawing, WaitingDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { PersonLink, StaffName } from '../parts/Links.tsx'
import { Choice, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { sectionText, text } from '../text.ts'
import { CaseCell } from './CaseCell.tsx'
import { countOf, isNewer, isOlder, type Lists, queueOf, useDecided, useKind, useWaiting } from './queue.ts'
import styles from './reviews.module.css'
import { reviewsText } from './reviewsText.ts'
import { Waited } from './Waited.tsx'

/** What waits, of all kinds, the oldest first; or what was decided, the newest first. */
export function ReviewList() {
  const t = useText(reviewsText)
  const names = useText(sectionText)
  const isDecided = useSearched().state === 'decided'
  const waiting = useWaiting()
  return (
    <SectionPage title={names.reviews} lead={t.lead}>
      <div className={styles.choices}>
        <Kinds waiting={isDecided ? null : waiting} />
        <Choice
          name="state"
          label={t.show}
          options={[
            ['', t.waiting],
            ['decided', t.decided],
          ]}
        />
      </div>
      {isDecided ? <Decided /> : <Waiting lists={waiting} />}
    </SectionPage>
  )
}

/** Which kind is listed, each with how many wait. */
function Kinds({ waiting }: { waiting: Lists | null }) {
  const t = useText(reviewsText)
  const common = useText(text)
  const [query] = useSearchParams()
  const kind = useKind()
  const kinds = [null, ...REVIEW_KINDS]
  return (
    <nav className={styles.kinds} aria-label={t.kind}>
      {kinds.map((each) => {
        const to = new URLSearchParams(query)
        if (each) to.set('kind', each)
        else to.delete('kind')
        const rows = waiting && queueOf(waiting, each, isOlder)
        return (
          <Link
            key={each}
            className={styles.kind}
            to={{ search: String(to) }}
            aria-current={each === kind ? 'page' : undefined}
          >
            {each ? t.kindName(each) : common.all}
            {rows?.items && <span className={styles.count}>{countOf(rows)}</span>}
          </Link>
        )
      })}
    </nav>
  )
}

const keyOf = ({ kind, id }: Review) => `${kind} ${id}`

function Waiting({ lists }: { lists: Lists }) {
  const t = useText(reviewsText)
  const kind = useKind()
  const columns: readonly Column<Review>[] = [
    { title: t.case, cell: (it) => <CaseCell of={it} only={kind} /> },
    { title: t.by, cell: (it) => <PersonLink id={it.user_id} name={it.user_name} /> },
    { title: t.at, cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: t.waited, cell: (it) => <Waited of={it} /> },
  ]
  return (
    <DataTable
      caption={t.waiting}
      columns={columns}
      rows={queueOf(lists, kind, isOlder)}
      keyOf={keyOf}
      empty={{
        icon: <WaitingDrawing />,
        title: t.noneWaiting(kind ?? 'all'),
        message: t.noneWaitingWhy,
      }}
    />
  )
}

function Decided() {
  const t = useText(reviewsText)
  const kind = useKind()
  const rows = queueOf(useDecided(), kind, isNewer)
  const columns: readonly Column<Review>[] = [
    { title: t.case, cell: (it) => <CaseCell of={it} only={kind} /> },
    { title: t.state, cell: (it) => <Outcome of={it} /> },
    { title: t.by, cell: (it) => <PersonLink id={it.user_id} name={it.user_name} /> },
    { title: t.decidedBy, cell: (it) => <Decider of={it} /> },
    { title: t.decidedAt, cell: ({ decided_at }) => decided_at !== null && <Moment at={decided_at} /> },
  ]
  return (
    <DataTable
      caption={t.decided}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      empty={{
        icon: <DecidedDrawing />,
        title: t.noneDecided(kind ?? 'all'),
        message: t.noneDecidedWhy,
      }}
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
  return <StaffName id={of.decided_by} name={of.decided_by_name} />
}
