import type { UserId } from '@guildhall/wire/id.ts'
import { listStaffLog, type STAFF_LOG_KINDS, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import { useText } from '../../kit/i18n.ts'
import { logKindText, logText, sectionText, text } from '../text.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { StaffName } from './Links.tsx'
import styles from './parts.module.css'
import { Moment, Tag } from './Section.tsx'
import { useStaffPages } from './useStaffPages.ts'

const TAGS = { login: 'good', call: 'plain', act: 'wait', refused: 'bad' } as const

/** Rows of the staff log: of an actor, of whom they concern, of a kind. */
export function LogTable(props: {
  actor?: string | undefined
  user?: string | undefined
  kind?: (typeof STAFF_LOG_KINDS)[number] | undefined
  /** They are all of one person, who is not named again. */
  isOfOne?: boolean
}) {
  const t = useText(text)
  const l = useText(logText)
  const kinds = useText(logKindText)
  const names = useText(sectionText)
  const rows = useStaffPages(
    listStaffLog,
    {
      ...(props.actor && { actor: props.actor }),
      ...(props.user && { user_id: props.user as UserId }),
      ...(props.kind && { kind: props.kind }),
    },
    ({ id }) => ({ before: Number(id) }),
  )
  const columns: readonly Column<StaffLogRow>[] = [
    { title: l.when, cell: ({ at }) => <Moment at={at} /> },
    { title: l.who, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} isFull /> },
    { title: l.kind, cell: ({ kind }) => <Tag kind={TAGS[kind]}>{kinds[kind]}</Tag> },
    { title: l.what, cell: ({ name }) => name },
    ...(props.isOfOne ? [] : [{ title: l.whom, cell: ({ user_id }: StaffLogRow) => user_id || t.none }]),
    { title: l.target, cell: ({ target }) => target || t.none },
    { title: l.detail, cell: ({ detail }) => <Detail of={detail} /> },
    { title: l.network, cell: ({ place }) => place || t.none },
  ]
  return <DataTable caption={names.log} columns={columns} rows={rows} keyOf={({ id }) => id} />
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
