import { rightTexts } from '@guildhall/wire/boost/levels.ts'
import { RIGHT_KEYS, type RightKey } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { type StaffGuild, staffViewGuild } from '@guildhall/wire/staff/guilds.ts'
import { useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { FixedTable } from '../parts/FixedTable.tsx'
import { NamedPerson } from '../parts/Named.tsx'
import { Loaded } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, SectionPage, Tag } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { GuildActs } from './GuildActs.tsx'
import { GuildTags } from './GuildTags.tsx'
import { guildsText } from './guildsText.ts'

const UNITS: Partial<Record<RightKey, string>> = { max_upload_size: ' MB', max_voice_quality: ' kbps' }
const STATUS_KINDS = ['wait', 'good', 'bad', 'plain'] as const

/** /staff/guilds/:id: one guild, and what may be done. */
export function GuildPage() {
  const { id = '' } = useParams()
  return (
    <Loaded route={staffViewGuild} input={{ guild_id: id as GuildId }} back="/staff/guilds">
      {(guild) => <Guild guild={guild} />}
    </Loaded>
  )
}

function Guild({ guild }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  const c = useText(text)
  return (
    <SectionPage title={guild.name} actions={<GuildActs guild={guild} />}>
      <div className={styles.identity}>
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={64} />
        <div>
          <GuildTags of={guild} />
          <p className={styles.note}>ID {guild.id}</p>
        </div>
      </div>
      {guild.state !== 'open' && <p className={styles.notice}>{goneWords(guild, t)}</p>}
      <Card title={t.facts}>
        {guild.banner && <img className={styles.banner} src={guild.banner} alt={t.banner} />}
        <Facts
          of={[
            [t.owner, <NamedPerson key="owner" {...guild.owner} />],
            [t.created, <Moment key="at" at={guild.created_at} />],
            [t.members, String(guild.members)],
            [t.channels, String(guild.channels)],
            [t.level, t.levelOf(guild.level)],
            [t.customId, guild.custom_id || c.none],
            [t.desc, guild.desc || t.noDesc],
          ]}
        />
      </Card>
      <Boosts guild={guild} />
      <Rights guild={guild} />
      <Revisions guild={guild} />
    </SectionPage>
  )
}

/** Since when a guild is gone, and until when it can be restored. */
function goneWords(guild: StaffGuild, t: (typeof guildsText)['zh-CN']): string {
  const isClosed = guild.state === 'closed'
  const since = (isClosed ? t.goneSince : t.deletedSince)(momentLabel(guild.gone_at))
  const restorable = isClosed ? t.restorable : t.ownRestorable
  const isOver = guild.restorable_until <= Date.now()
  return `${since} · ${isOver ? t.notRestorable : restorable(momentLabel(guild.restorable_until))}`
}

function Boosts({ guild }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  return (
    <Card title={t.boostsOf(guild.boost_num)}>
      <FixedTable
        caption={t.boosts}
        empty={t.noBoosts}
        items={guild.boosts}
        keyOf={({ user, end_at }) => `${user.id} ${end_at}`}
        columns={[
          { title: t.who, cell: ({ user }) => <NamedPerson {...user} /> },
          { title: t.count, cell: ({ count }) => count },
          { title: t.ends, cell: ({ end_at }) => <Moment at={end_at} /> },
        ]}
      />
    </Card>
  )
}

function Rights({ guild: { rights } }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  const names = useText(rightTexts)
  const shown = (key: RightKey) => {
    const value = rights[key]
    return typeof value === 'number' ? `${value}${UNITS[key] ?? ''}` : value ? t.yes : t.no
  }
  return (
    <Card title={t.rights}>
      <Facts of={RIGHT_KEYS.map((key) => [names[key], shown(key)] as const)} />
    </Card>
  )
}

function Revisions({ guild: { revisions, recommended } }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  const c = useText(text)
  if (!recommended && revisions.length === 0) return null
  return (
    <Card title={t.revisions}>
      <FixedTable
        caption={t.revisions}
        empty={t.noRevisions}
        items={revisions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t.state,
            cell: ({ status }) => <Tag kind={STATUS_KINDS[status] ?? 'plain'}>{t.statuses[status]}</Tag>,
          },
          { title: t.newName, cell: ({ name }) => name },
          { title: t.reason, cell: ({ reason }) => reason || c.none },
          { title: t.by, cell: ({ user_id }) => <NamedPerson id={user_id} username={user_id} /> },
          { title: t.at, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: t.decided,
            cell: ({ decided_at }) => (decided_at > 0 ? <Moment at={decided_at} /> : c.none),
          },
        ]}
      />
    </Card>
  )
}
