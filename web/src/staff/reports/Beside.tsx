import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { StaffLogRow } from '@guildhall/wire/staff/log.ts'
import type { Report, viewReport } from '@guildhall/wire/staff/reports.ts'
import { useText } from '../../kit/i18n.ts'
import { WithdrawnReportsDrawing } from '../drawings.tsx'
import { useActText } from '../log/LogTable.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { PersonLink, StaffName } from '../parts/Links.tsx'
import { Card, Moment, Tag } from '../parts/Section.tsx'
import { fixedRows } from '../parts/useStaffPages.ts'
import { useCaseColumns } from './CaseList.tsx'
import styles from './reports.module.css'
import { reportsText } from './reportsText.ts'

/** What belongs to a case: its reports, other cases, and what staff did. */
export function Beside({ of }: { of: AnswerOf<typeof viewReport> }) {
  const t = useText(reportsText)
  const reports: readonly Column<Report>[] = [
    { title: t.reporter, cell: (it) => <PersonLink id={it.reporter_id} name={it.reporter_name} /> },
    {
      title: t.categories,
      cell: (it) => <Tag kind={it.category === 'minors' ? 'bad' : 'plain'}>{t[it.category]}</Tag>,
    },
    { title: t.words, cell: ({ words: text }) => text },
    { title: t.at, cell: ({ at }) => <Moment at={at} /> },
  ]
  const say = useActText()
  const acts: readonly Column<StaffLogRow>[] = [
    { title: t.at, cell: ({ at }) => <Moment at={at} /> },
    { title: t.who, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} /> },
    { title: t.act, cell: ({ name }) => say(name) },
    { title: t.reason, cell: ({ detail: { reason } }) => (typeof reason === 'string' ? reason : '') },
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
          rows={fixedRows(of.reports)}
          keyOf={({ id }) => id}
          empty={{
            icon: <WithdrawnReportsDrawing />,
            title: t.gone,
          }}
        />
      </Card>
      <Card title={t.earlier}>
        {of.earlier.length === 0 ? (
          <p className={styles.note}>{t.noEarlier}</p>
        ) : (
          <DataTable
            caption={t.earlier}
            columns={cases}
            rows={fixedRows(of.earlier)}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      <Card title={t.acts}>
        {of.acts.length === 0 ? (
          <p className={styles.note}>{t.noActs}</p>
        ) : (
          <DataTable caption={t.acts} columns={acts} rows={fixedRows(of.acts)} keyOf={({ id }) => id} />
        )}
      </Card>
    </>
  )
}
