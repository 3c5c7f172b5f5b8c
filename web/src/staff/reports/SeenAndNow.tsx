import type {
  Evidence,
  EvidenceGuild,
  EvidenceIdentity,
  EvidenceMessage,
} from '@guildhall/wire/report/evidence.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { TargetNow, viewReport } from '@guildhall/wire/staff/reports.ts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Facts, Moment, Tag } from '../parts/Section.tsx'
import { Shown } from '../parts/Shown.tsx'
import { TextDiff } from '../parts/TextDiff.tsx'
import { text } from '../text.ts'
import { MessageSeen } from './MessageSeen.tsx'
import styles from './reports.module.css'
import { reportsText } from './reportsText.ts'

/** The target as it was reported, beside how it is now. */
export function SeenAndNow({ of: { evidence, now } }: { of: AnswerOf<typeof viewReport> }) {
  const t = useText(reportsText)
  const [version, setVersion] = useState(0)
  const shown = evidence[version] ?? evidence[0]
  return (
    <div className={styles.sides}>
      <section className={styles.side} aria-label={t.seen}>
        <h2 className={styles.sideName}>
          {t.seen}
          {shown && <Moment at={shown.at} />}
        </h2>
        {evidence.length > 1 && (
          <label className={styles.versions}>
            <span>{t.versionsWhy}</span>
            <select
              aria-label={t.versions}
              value={version}
              onChange={({ currentTarget: { value } }) => setVersion(Number(value))}
            >
              {evidence.map(({ id }, at) => (
                <option key={id} value={at}>
                  {t.version(at + 1)}
                </option>
              ))}
            </select>
          </label>
        )}
        {shown ? <Seen of={shown.seen} /> : <p className={styles.note}>{t.gone}</p>}
      </section>
      <section className={styles.side} aria-label={t.now}>
        <h2 className={styles.sideName}>
          {t.now}
          <NowTag now={now} seen={shown?.seen ?? null} />
        </h2>
        <Now now={now} seen={shown?.seen ?? null} />
      </section>
    </div>
  )
}

function Seen({ of }: { of: Evidence }) {
  const t = useText(reportsText)
  if (of.kind === 'user') return <Person of={of.person} />
  if (of.kind === 'guild') return <Guild of={of.guild} />
  return (
    <ol className={styles.messages}>
      {of.before.map((each) => (
        <MessageSeen key={each.id} of={each} isAround />
      ))}
      <MessageSeen of={of.message} label={t.thisOne} />
      {of.after.map((each) => (
        <MessageSeen key={each.id} of={each} isAround />
      ))}
    </ol>
  )
}

/** How it is now, in a word. */
function NowTag({ now, seen }: { now: TargetNow; seen: Evidence | null }) {
  const t = useText(reportsText)
  if (now.kind === 'message') {
    // Where a message is, is not known any more.
    if (!seen) return null
    if (!now.message) return <Tag kind="bad">{t.deleted}</Tag>
    return isSame(now, seen) ? <Tag>{t.unchanged}</Tag> : <Tag kind="wait">{t.edited}</Tag>
  }
  if (now.kind === 'user' && now.state === 'deleted') return <Tag kind="bad">{t.personDeleted}</Tag>
  if (now.kind === 'user' && now.state === 'suspended') return <Tag kind="bad">{t.suspended}</Tag>
  if (now.kind === 'guild' && now.state === 'closed') return <Tag kind="bad">{t.closed}</Tag>
  if (!seen) return <Tag>{t.active}</Tag>
  return isSame(now, seen) ? <Tag>{t.unchanged}</Tag> : <Tag kind="wait">{t.edited}</Tag>
}

/** Whether what is there now is what was seen. Signatures of files differ by the day. */
function isSame(now: TargetNow, seen: Evidence): boolean {
  if (now.kind === 'message' && seen.kind === 'message')
    return now.message?.updated_at === seen.message.updated_at
  if (now.kind === 'user' && seen.kind === 'user') return plain(now.person) === plain(seen.person)
  return now.kind === 'guild' && seen.kind === 'guild' && plain(now.guild) === plain(seen.guild)
}
const plain = (it: object | null): string => JSON.stringify(it).replaceAll(/\?e=\d+&s=[\w-]+/g, '')

function Now({ now, seen }: { now: TargetNow; seen: Evidence | null }) {
  const t = useText(reportsText)
  if (now.kind === 'user')
    return now.person ? (
      <Person of={now.person} before={seen?.kind === 'user' ? seen.person : null} />
    ) : (
      <p className={styles.note}>{t.personDeleted}</p>
    )
  if (now.kind === 'guild')
    return now.guild ? <Guild of={now.guild} before={seen?.kind === 'guild' ? seen.guild : null} /> : null
  if (!now.message) return <p className={styles.note}>{seen ? t.deleted : t.gone}</p>
  const before: EvidenceMessage | null = seen?.kind === 'message' ? seen.message : null
  return (
    <ol className={styles.messages}>
      <MessageSeen of={now.message} before={before} label={t.now} />
    </ol>
  )
}

/** A text; with what it was before, what is new in it is marked. */
const changed = (before: string | undefined, now: string): ReactNode =>
  before === undefined ? now : <TextDiff before={before} after={now} side="after" />

function Person({ of, before = null }: { of: EvidenceIdentity; before?: EvidenceIdentity | null }) {
  const t = useText(reportsText)
  const tag = (it: EvidenceIdentity) => `${it.username}#${it.identify_num}`
  return (
    <>
      <Facts
        of={[
          [t.number, changed(before ? tag(before) : undefined, tag(of))],
          ...(of.bot ? [[t.kind, t.bot] as const] : []),
        ]}
      />
      <div className={styles.pictures}>
        <figure>
          <figcaption>{t.avatar}</figcaption>
          <Shown src={of.avatar} alt={t.avatar} shape="icon" />
        </figure>
        {of.vip_avatar !== '' && (
          <figure>
            <figcaption>{t.movingAvatar}</figcaption>
            <Shown src={of.vip_avatar} alt={t.movingAvatar} shape="icon" />
          </figure>
        )}
      </div>
    </>
  )
}

function Guild({ of, before = null }: { of: EvidenceGuild; before?: EvidenceGuild | null }) {
  const t = useText(reportsText)
  const common = useText(text)
  return (
    <>
      <Facts
        of={[
          [t.name, changed(before?.name, of.name)],
          [t.desc, changed(before?.desc, of.desc)],
          [t.customId, of.custom_id || common.none],
        ]}
      />
      <div className={styles.pictures}>
        <figure>
          <figcaption>{t.icon}</figcaption>
          <Shown src={of.icon} alt={t.icon} shape="icon" />
        </figure>
        <figure>
          <figcaption>{t.banner}</figcaption>
          <Shown src={of.banner} alt={t.banner} shape="banner" />
        </figure>
      </div>
    </>
  )
}
