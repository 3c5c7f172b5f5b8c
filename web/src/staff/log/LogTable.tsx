import type { UserId } from '@guildhall/wire/id.ts'
import { yuan } from '@guildhall/wire/money.ts'
import { listStaffLog, type STAFF_LOG_KINDS, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import { isStaffRole } from '@guildhall/wire/staff/roles.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { LogDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import partStyles from '../parts/parts.module.css'
import { Moment, momentLabel, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { useMay } from '../self.ts'
import { roleText, sectionText } from '../text.ts'
import { type About, aboutsOf, pageOf } from './about.ts'
import styles from './LogTable.module.css'
import { aboutText, actText, logKindText, logText, lookText, requestText } from './logText.ts'

const TAGS = { login: 'plain', call: 'plain', act: 'good', refused: 'bad' } as const

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
    cell: ({ user_id, user_name }) => user_id !== '' && <Person id={user_id} name={user_name} />,
  }
  const columns: readonly Column<StaffLogRow>[] = [
    { title: l.when, cell: ({ at }) => <Moment at={at} /> },
    { title: l.who, cell: ({ actor, actor_name }) => <Person id={actor} name={actor_name} /> },
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
        icon: <LogDrawing />,
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

/** Somebody by name, a link for those who may look people up. Ids stand in the raw row. */
function Person({ id, name }: { id: string; name: string }) {
  const may = useMay()
  const named = <StaffName id={id} name={name} />
  if (id === 'operator' || !may('people')) return <span className={styles.name}>{named}</span>
  return (
    <Link className={styles.name!} to={`/staff/people/${id}`}>
      {named}
    </Link>
  )
}

/** What was done or looked at, how much of it and until when, and how a case ended. */
function What({ of: { kind, name, detail } }: { of: StaffLogRow }) {
  const l = useText(logText)
  const kinds = useText(logKindText)
  const looks = useText(lookText)
  const a = useText(aboutText)
  const say = useActText()
  const called = name in looks ? l.looked : l.asked
  const { outcome, days, fee, until } = detail
  const end = (['passed', 'rejected', 'dismissed', 'acted'] as const).find((it) => it === outcome)
  const facts = [
    end && a[end],
    typeof days === 'number' && a.days(days),
    // Of an act in fen; what was asked for is as it was typed.
    kind === 'act' && typeof fee === 'number' && yuan(fee),
    kind === 'act' && typeof until === 'number' && until > 0 && a.until(momentLabel(until)),
  ].filter(Boolean)
  return (
    <span>
      <Tag kind={TAGS[kind]}>{kind === 'call' ? called : kinds[kind]}</Tag>{' '}
      {[say(name), ...facts].join(' · ')}
    </span>
  )
}

function Abouts({ of }: { of: StaffLogRow }) {
  const found = aboutsOf(of)
  if (found.length === 0) return null
  return (
    <ul className={styles.abouts}>
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
function Detail({ of: { name, actor, user_id, target, place, detail } }: { of: StaffLogRow }) {
  const l = useText(logText)
  const entries = [
    [l.name, name],
    [l.actor, actor],
    ...(user_id === '' ? [] : [[l.user, user_id]]),
    ...(target === '' ? [] : [[l.target, target]]),
    ...(place === '' ? [] : [[l.network, place]]),
    ...Object.entries(detail),
  ] as const
  return (
    <details className={partStyles.raw}>
      <summary>{l.showDetail}</summary>
      <ul className={partStyles.detail}>
        {entries.map(([field, value]) => (
          <li key={field}>
            {field}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </li>
        ))}
      </ul>
    </details>
  )
}
