import type { UserId } from '@guildhall/wire/id.ts'
import { SHOWN_MAX, type StaffPerson, staffViewPerson } from '@guildhall/wire/staff/people.ts'
import { isStaffRole } from '@guildhall/wire/staff/roles.ts'
import { Link, useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { LogTable } from '../log/LogTable.tsx'
import { FixedTable } from '../parts/FixedTable.tsx'
import { NamedGuild } from '../parts/Named.tsx'
import { Loaded } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, SectionPage, Tag } from '../parts/Section.tsx'
import { useMay } from '../self.ts'
import { roleText, text } from '../text.ts'
import { Entitlements } from './Entitlements.tsx'
import { shownContact } from './PeopleSearch.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonTags } from './PersonTags.tsx'
import { peopleText } from './peopleText.ts'

/** /staff/people/:id: one person, with what belongs to them and what may be done. */
export function PersonPage() {
  const { id = '' } = useParams()
  return (
    <Loaded route={staffViewPerson} input={{ user_id: id as UserId }} back="/staff/people">
      {(person) => <Person person={person} />}
    </Loaded>
  )
}

function Person({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const may = useMay()
  const { id, username, identify_num } = person
  return (
    <SectionPage title={`${username}#${identify_num}`} actions={<PersonActs person={person} />}>
      <div className={styles.identity}>
        <Avatar of={person} size={64} />
        <div>
          <PersonTags of={person} />
          <p className={styles.note}>ID {id}</p>
        </div>
      </div>
      {person.suspended_reason && <p className={styles.notice}>{t.why(person.suspended_reason)}</p>}
      {person.is_staff && <p className={styles.notice}>{t.onStaff}</p>}
      <Account person={person} />
      <Entitlements person={person} />
      <Sessions person={person} />
      <Guilds person={person} />
      {may('order') && (
        <Card title={t.orders}>
          <p className={styles.named}>
            <Link to={`/staff/orders?number=${id}`}>{t.openOrders}</Link>
          </p>
        </Card>
      )}
      {may('log') && (
        <Card title={t.log}>
          <LogTable user={id} kind="act" isOfOne />
          <p className={styles.named}>
            <Link to={`/staff/log?user=${id}`}>{t.openLog}</Link>
          </p>
        </Card>
      )}
    </SectionPage>
  )
}

function Account({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const c = useText(text)
  const roles = useText(roleText)
  const { staff_role, staff_rights } = person
  const contact = shownContact(person)
  return (
    <Card title={t.account}>
      <Facts
        of={[
          [
            t.mobile,
            contact ? `${contact} · ${person.mobile_verified ? t.verified : t.unverified}` : t.noMobile,
          ],
          [t.registered, <Moment key="at" at={person.created_at} />],
          [t.password, person.has_password ? t.passwordSet : t.passwordNone],
          [t.secondFactor, person.second_factor ? t.on : t.off],
          [
            t.realName,
            person.verified_at > 0 ? t.realNameSince(momentLabel(person.verified_at)) : t.realNameNone,
          ],
          ...(person.custom_num ? [[t.customNum, person.custom_num] as const] : []),
          ...(person.is_staff
            ? [
                [
                  t.staffRole,
                  <>
                    {isStaffRole(staff_role) ? roles[staff_role] : c.noRole}
                    <br />
                    <span className={styles.note}>{t.staffRights(staff_rights.join(', '))}</span>
                  </>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  )
}

function Sessions({ person: { sessions } }: { person: StaffPerson }) {
  const t = useText(peopleText)
  return (
    <Card title={t.sessions}>
      <FixedTable
        caption={t.sessions}
        empty={t.noSessions}
        items={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t.device,
            cell: ({ os, app }) => [os, app].filter(Boolean).join(' · ') || t.unknownDevice,
          },
          { title: t.network, cell: ({ network }) => network || '—' },
          { title: t.lastSeen, cell: ({ seen_at }) => <Moment at={seen_at} /> },
          { title: t.loggedIn, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Card>
  )
}

function Guilds({ person: { guilds } }: { person: StaffPerson }) {
  const t = useText(peopleText)
  return (
    <Card title={t.guilds}>
      {guilds.length === SHOWN_MAX && <p className={styles.note}>{t.firstGuilds(SHOWN_MAX)}</p>}
      <FixedTable
        caption={t.guilds}
        empty={t.noGuilds}
        items={guilds}
        keyOf={({ id }) => id}
        columns={[
          { title: t.guilds, cell: ({ id, name }) => <NamedGuild id={id} name={name} /> },
          {
            title: t.role,
            cell: ({ is_owner, is_gone }) => (
              <span className={styles.tags}>
                {is_owner ? <Tag kind="good">{t.owner}</Tag> : <Tag>{t.member}</Tag>}
                {is_gone && <Tag kind="bad">{t.gone}</Tag>}
              </span>
            ),
          },
          { title: t.joined, cell: ({ joined_at }) => <Moment at={joined_at} /> },
        ]}
      />
    </Card>
  )
}
