import type { Out } from '@guildhall/wire/schema.ts'
import type { buffGrant, StaffPerson } from '@guildhall/wire/staff/people.ts'
import { takeBuff } from '@guildhall/wire/staff/people.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { FixedTable } from '../parts/FixedTable.tsx'
import { NamedGuild } from '../parts/Named.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, Tag } from '../parts/Section.tsx'
import { useMay } from '../self.ts'
import { peopleText } from './peopleText.ts'
import { personChanged } from './personChanged.ts'

type Grant = Out<typeof buffGrant>

/** What a person has: BUFF with its grants, boost packs, screen sharing, each with its end. */
export function Entitlements({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const end = (at: number) =>
    at === 0 ? t.never : at > Date.now() ? t.until(momentLabel(at)) : t.over(momentLabel(at))
  return (
    <>
      <Card title={t.rights}>
        <Facts
          of={[
            [t.buff, end(person.buff_until)],
            [t.boostUnused, String(person.boost_unused)],
            [t.goliveNormal, end(person.golive_normal)],
            [t.golivePro, end(person.golive_pro)],
          ]}
        />
        {person.boost_used.length > 0 && (
          <FixedTable
            caption={t.boostUsed}
            empty=""
            items={person.boost_used}
            keyOf={({ guild_id, end_at }) => `${guild_id} ${end_at}`}
            columns={[
              { title: t.boostUsed, cell: ({ guild_id, name }) => <NamedGuild id={guild_id} name={name} /> },
              { title: t.count, cell: ({ count }) => count },
              { title: t.ends, cell: ({ end_at }) => <Moment at={end_at} /> },
            ]}
          />
        )}
      </Card>
      <Grants person={person} />
    </>
  )
}

function Grants({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const may = useMay()
  const mayTake = may('gift') && !person.is_staff && person.state !== 'deleted'
  return (
    <Card title={t.grants}>
      {mayTake && <p className={styles.note}>{t.grantsWhy}</p>}
      <FixedTable
        caption={t.grants}
        empty={t.noGrants}
        items={person.buff_grants}
        keyOf={({ id }) => id}
        columns={[
          { title: t.granted, cell: ({ granted_at }) => <Moment at={granted_at} /> },
          { title: t.days, cell: ({ days }) => t.daysOf(Math.round(days * 10) / 10) },
          { title: t.source, cell: ({ order_id }) => <Source order={order_id} /> },
          {
            title: t.state,
            cell: ({ revoked_at }) =>
              revoked_at === 0 ? (
                <Tag kind="good">{t.counts}</Tag>
              ) : (
                <Tag>{t.revoked(momentLabel(revoked_at))}</Tag>
              ),
          },
          ...(mayTake ? [{ title: t.acts, cell: (it: Grant) => <Taking of={it} person={person} /> }] : []),
        ]}
      />
    </Card>
  )
}

/** Takes a grant back that was given and counts. */
function Taking({ of, person }: { of: Grant; person: StaffPerson }) {
  const t = useText(peopleText)
  if (of.order_id !== '' || of.revoked_at !== 0) return '—'
  const act: Act = {
    label: t.take,
    kind: 'quiet',
    dialog: (end) => (
      <ActDialog
        {...end}
        route={takeBuff}
        input={{ user_id: person.id, grant_id: of.id }}
        title={t.takeTitle}
        message={t.takeMessage(Math.round(of.days * 10) / 10)}
        confirm={t.take}
        danger
      />
    ),
  }
  return <Acts of={[act]} onDone={personChanged} />
}

function Source({ order }: { order: string }) {
  const t = useText(peopleText)
  const may = useMay()
  if (order === '') return t.given
  return may('order') ? <Link to={`/staff/orders/${order}`}>{t.bought(order)}</Link> : t.bought(order)
}
