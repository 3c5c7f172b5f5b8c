import type { UserId } from '@guildhall/wire/id.ts'
import { listStaffLog, type STAFF_LOG_KINDS, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import { isStaffRole } from '@guildhall/wire/staff/roles.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { FileIcon } from '../../ui/icon/icons.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { PersonLink, StaffName } from '../parts/Links.tsx'
import styles from '../parts/parts.module.css'
import { Moment, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { useMay } from '../self.ts'
import { roleText, sectionText } from '../text.ts'
import { type About, aboutsOf, pageOf } from './about.ts'
import { aboutText, actText, logKindText, logText, lookText, requestText } from './logText.ts'

const TAGS = { login: 'good', call: 'plain', act: 'wait', refused: 'bad' } as const

/** Rows of the staff log: of an actor, of whom they concern, of a kind. */
export function LogTable(props: {
  actor?: string | undefined
  user?: string | undefined
  kind?: (typeof STAFF_LOG_KINDS)[number] | undefined
  /** They are all of one person, who is not named again. */
  isOfOne?: boolean
}) {
  const l = useText(logText)
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
  const whom: Column<StaffLogRow> = {
    title: l.whom,
    cell: ({ user_id, user_name }) => user_id !== '' && <PersonLink id={user_id} name={user_name} />,
  }
  const columns: readonly Column<StaffLogRow>[] = [
    { title: l.when, cell: ({ at }) => <Moment at={at} /> },
    { title: l.who, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} isFull /> },
    { title: l.what, cell: (row) => <What of={row} /> },
    ...(props.isOfOne ? [] : [whom]),
    { title: l.about, cell: (row) => <Abouts of={row} /> },
    { title: l.why, cell: ({ detail: { reason } }) => typeof reason === 'string' && reason },
    { title: l.detail, cell: (row) => <Detail of={row} /> },
  ]
  return (
    <DataTable
      caption={names.log}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      empty={{
        icon: <FileIcon size={32} />,
        title: props.isOfOne ? l.noneOfOne : l.none,
        message: props.isOfOne ? l.noneOfOneWhy : l.noneWhy,
      }}
    />
  )
}

/** What is said of an act or a call; the name of one that has no words. */
export function useActText(): (name: string) => string {
  const acts: Readonly<Record<string, string>> = useText(actText)
  const requests: Readonly<Record<string, string>> = useText(requestText)
  const looks: Readonly<Record<string, string>> = useText(lookText)
  return (name) => requests[name] ?? looks[name] ?? acts[name] ?? acts[name.replaceAll('-', ' ')] ?? name
}

/** What was done or looked at, and how a case ended. */
function What({ of: { kind, name, detail } }: { of: StaffLogRow }) {
  const l = useText(logText)
  const kinds = useText(logKindText)
  const looks = useText(lookText)
  const a = useText(aboutText)
  const say = useActText()
  const called = name in looks ? l.looked : l.asked
  const end = (['passed', 'rejected', 'dismissed', 'acted'] as const).find((it) => it === detail.outcome)
  return (
    <span>
      <Tag kind={TAGS[kind]}>{kind === 'call' ? called : kinds[kind]}</Tag> {say(name)}
      {end && ` · ${a[end]}`}
    </span>
  )
}

function Abouts({ of }: { of: StaffLogRow }) {
  const found = aboutsOf(of)
  if (found.length === 0) return null
  return (
    <ul>
      {found.map((about) => (
        <li key={`${about.of} ${about.id}`}>
          <AboutLink of={about} />
        </li>
      ))}
    </ul>
  )
}

/** A link for those who may look at it. */
function AboutLink({ of }: { of: About }) {
  const a = useText(aboutText)
  const roles = useText(roleText)
  const may = useMay()
  const page = pageOf(of)
  const content = a[of.of](of.of === 'role' && isStaffRole(of.id) ? roles[of.id] : of.id)
  return page && may(page.right) ? <Link to={page.path}>{content}</Link> : <span>{content}</span>
}

/** The row as it was written, folded: names and fields as programs have them. */
function Detail({ of: { name, target, place, detail } }: { of: StaffLogRow }) {
  const l = useText(logText)
  const entries = [
    [l.name, name],
    ...(target === '' ? [] : [[l.target, target]]),
    ...(place === '' ? [] : [[l.network, place]]),
    ...Object.entries(detail),
  ] as const
  return (
    <details className={styles.raw}>
      <summary>{l.showDetail}</summary>
      <ul className={styles.detail}>
        {entries.map(([field, value]) => (
          <li key={field}>
            {field}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </li>
        ))}
      </ul>
    </details>
  )
}
