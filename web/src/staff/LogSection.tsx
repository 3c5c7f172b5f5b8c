import type { UserId } from '@guildhall/wire/id.ts'
import { listStaffLog, STAFF_LOG_KINDS, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import { useText } from '../kit/i18n.ts'
import { type Column, DataTable } from './parts/DataTable.tsx'
import styles from './parts/parts.module.css'
import { Choice, SearchForm, useSearched } from './parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from './parts/Section.tsx'
import { useStaffPages } from './parts/useStaffPages.ts'
import { logKindText, logText, sectionText, text } from './text.ts'

const TAGS = { login: 'good', call: 'plain', act: 'wait', refused: 'bad' } as const

/** /staff/log: who looked at what and did what. */
export default function LogSection() {
  const t = useText(text)
  const l = useText(logText)
  const kinds = useText(logKindText)
  const names = useText(sectionText)
  const searched = useSearched()
  const kind = STAFF_LOG_KINDS.find((each) => each === searched.kind)
  const rows = useStaffPages(
    listStaffLog,
    {
      ...(searched.actor && { actor: searched.actor }),
      ...(searched.user && { user_id: searched.user as UserId }),
      ...(kind && { kind }),
    },
    ({ id }) => ({ before: Number(id) }),
  )
  const columns: readonly Column<StaffLogRow>[] = [
    { key: 'at', title: l.when, cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'actor',
      title: l.who,
      cell: ({ actor, actor_name }) => (actor === 'operator' ? l.operator : `${actor_name} (${actor})`),
    },
    { key: 'kind', title: l.kind, cell: ({ kind }) => <Tag kind={TAGS[kind]}>{kinds[kind]}</Tag> },
    { key: 'name', title: l.what, cell: ({ name }) => name },
    { key: 'user', title: l.whom, cell: ({ user_id }) => user_id || t.none },
    { key: 'target', title: l.target, cell: ({ target }) => target || t.none },
    { key: 'detail', title: l.detail, cell: ({ detail }) => <Detail of={detail} /> },
    { key: 'place', title: l.place, cell: ({ place }) => place || t.none },
  ]
  return (
    <SectionPage title={names.log} lead={l.lead}>
      <SearchForm
        fields={[
          { name: 'actor', label: l.actor },
          { name: 'user', label: l.user },
        ]}
      >
        <Choice
          name="kind"
          label={l.kind}
          options={[['', t.all], ...STAFF_LOG_KINDS.map((each) => [each, kinds[each]] as const)]}
        />
      </SearchForm>
      <DataTable caption={names.log} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </SectionPage>
  )
}

/** Fields and values, as they were written. */
function Detail({ of }: { of: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(of)
  if (entries.length === 0) return null
  return (
    <ul className={styles.detail}>
      {entries.map(([name, value]) => (
        <li key={name}>
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  )
}
