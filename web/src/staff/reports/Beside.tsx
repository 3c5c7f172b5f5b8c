import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { StaffLogRow } from '@guildhall/wire/staff/log.ts'
import type { Report, viewReport } from '@guildhall/wire/staff/reports.ts'
import { useText } from '../../kit/i18n.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { PersonLink } from '../parts/Links.tsx'
import { Card, Moment, Tag } from '../parts/Section.tsx'
import type { StaffPages } from '../parts/useStaffPages.ts'
import { reportsText } from '../reportsText.ts'
import { useCaseColumns } from './CaseList.tsx'
import styles from './reports.module.css'

/** Rows that are all there. */
const whole = <Row,>(items: readonly Row[]): StaffPages<Row> => ({
  items,
  failure: null,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => undefined,
  refetch: () => undefined,
})

/** What belongs to a case: its reports, other cases, and what staff did. */
export function Beside({ of }: { of: AnswerOf<typeof viewReport> }) {
  const t = useText(reportsText)
  const reports: readonly Column<Report>[] = [
    {
      key: 'who',
      title: t.reporter,
      cell: (it) => <PersonLink id={it.reporter_id} name={it.reporter_name} />,
    },
    {
      key: 'category',
      title: t.categories,
      cell: (it) => <Tag kind={it.category === 'minors' ? 'bad' : 'plain'}>{t[it.category]}</Tag>,
    },
    { key: 'words', title: t.words, cell: ({ words }) => words },
    { key: 'at', title: t.at, cell: ({ at }) => <Moment at={at} /> },
  ]
  const acts: readonly Column<StaffLogRow>[] = [
    { key: 'at', title: t.at, cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'who',
      title: t.who,
      cell: ({ actor, actor_name }) => (actor === 'operator' ? t.operator : actor_name || actor),
    },
    { key: 'act', title: t.act, cell: ({ name }) => name },
    {
      key: 'reason',
      title: t.reason,
      cell: ({ detail: { reason } }) => (typeof reason === 'string' ? reason : ''),
    },
  ]
  const cases = useCaseColumns(false)
  const isCut = of.reports.length < of.case.reports
  return (
    <>
      <Card title={t.list(of.case.reports)}>
        {isCut && of.reports.length > 0 && <p className={styles.note}>{t.firstOnes(of.reports.length)}</p>}
        <DataTable
          caption={t.list(of.case.reports)}
          columns={reports}
          rows={whole(of.reports)}
          keyOf={({ id }) => id}
          empty={t.gone}
        />
      </Card>
      <Card title={t.earlier}>
        {of.earlier.length === 0 ? (
          <p className={styles.note}>{t.noEarlier}</p>
        ) : (
          <DataTable caption={t.earlier} columns={cases} rows={whole(of.earlier)} keyOf={({ id }) => id} />
        )}
      </Card>
      <Card title={t.acts}>
        {of.acts.length === 0 ? (
          <p className={styles.note}>{t.noActs}</p>
        ) : (
          <DataTable caption={t.acts} columns={acts} rows={whole(of.acts)} keyOf={({ id }) => id} />
        )}
      </Card>
    </>
  )
}
