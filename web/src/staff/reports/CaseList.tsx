import { REPORT_CATEGORIES, REPORT_KINDS } from '@guildhall/wire/report/report.ts'
import { CASE_STATES, listReports, type ReportCase } from '@guildhall/wire/staff/reports.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { ReportsDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import { Choice, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { sectionText, text } from '../text.ts'
import styles from './reports.module.css'
import { reportsText } from './reportsText.ts'

const STATE_TAGS = { open: 'wait', dismissed: 'plain', acted: 'bad' } as const

/** Cases of one state: open ones the oldest first, closed ones the newest first. */
export function CaseList() {
  const t = useText(reportsText)
  const common = useText(text)
  const names = useText(sectionText)
  const searched = useSearched()
  const state = CASE_STATES.find((each) => each === searched.state) ?? 'open'
  const kind = REPORT_KINDS.find((each) => each === searched.kind)
  const isOpen = state === 'open'
  const rows = useStaffPages(listReports, { state, ...(kind && { kind }) }, ({ id }) =>
    isOpen ? { after: Number(id) } : { before: Number(id) },
  )
  return (
    <SectionPage title={names.reports} lead={t.lead}>
      <div className={styles.choices}>
        <Choice
          name="state"
          label={t.state}
          options={CASE_STATES.map((each) => [each === 'open' ? '' : each, t[each]] as const)}
        />
        <Choice
          name="kind"
          label={t.kind}
          options={[['', common.all], ...REPORT_KINDS.map((each) => [each, t[each]] as const)]}
        />
      </div>
      <DataTable
        caption={t[state]}
        columns={useCaseColumns(isOpen)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={{
          icon: <ReportsDrawing />,
          title: isOpen ? t.none : t.noneClosed,
          message: isOpen ? t.noneWhy : t.noneClosedWhy,
        }}
      />
    </SectionPage>
  )
}

/** The columns of a table of cases. */
export function useCaseColumns(isOpen: boolean): readonly Column<ReportCase>[] {
  const t = useText(reportsText)
  const target: Column<ReportCase> = {
    title: t.target,
    cell: (it) => <Link to={`/staff/reports/${it.id}`}>{nameOf(t, it)}</Link>,
  }
  const kind: Column<ReportCase> = { title: t.kind, cell: (it) => <Tag>{t[it.kind]}</Tag> }
  const reports: Column<ReportCase> = { title: t.reports, isNumber: true, cell: (it) => it.reports }
  const categories: Column<ReportCase> = { title: t.categories, cell: (it) => <Categories of={it} /> }
  const opened: Column<ReportCase> = { title: t.opened, cell: ({ opened_at }) => <Moment at={opened_at} /> }
  if (isOpen)
    return [
      target,
      kind,
      reports,
      categories,
      opened,
      { title: t.reported, cell: ({ reported_at }) => <Moment at={reported_at} /> },
    ]
  return [
    target,
    kind,
    reports,
    categories,
    opened,
    { title: t.state, cell: (it) => <State of={it} /> },
    { title: t.reason, cell: ({ reason }) => reason },
    { title: t.decidedBy, cell: (it) => <StaffName id={it.decided_by} name={it.decided_by_name} /> },
    { title: t.decidedAt, cell: ({ decided_at }) => decided_at !== null && <Moment at={decided_at} /> },
  ]
}

/** What a case is about, in words. */
export const nameOf = (t: Texts, { kind, name, target_id, user_id }: ReportCase): string =>
  kind === 'message' ? t.messageOf(name || user_id) : name || target_id
type Texts = (typeof reportsText)['zh-CN']

export function State({ of: { state } }: { of: ReportCase }) {
  const t = useText(reportsText)
  return <Tag kind={STATE_TAGS[state]}>{t[state]}</Tag>
}

/** For what it was reported, and how often. */
export function Categories({ of: { categories } }: { of: ReportCase }) {
  const t = useText(reportsText)
  return (
    <span className={styles.tags}>
      {REPORT_CATEGORIES.map((category) => [category, categories[category] ?? 0] as const)
        .filter(([, count]) => count > 0)
        .map(([category, count]) => (
          <Tag key={category} kind={category === 'minors' ? 'bad' : 'plain'}>
            {t[category]}
            {count > 1 && ` ${count}`}
          </Tag>
        ))}
    </span>
  )
}
