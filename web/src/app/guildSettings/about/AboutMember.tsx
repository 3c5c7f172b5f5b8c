import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { MODERATING } from '@guildhall/wire/permission/moderating.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useMe } from '../../../auth/auth.ts'
import { dateLabel } from '../../../kit/format/time.ts'
import { useLocale, useText } from '../../../kit/i18n.ts'
import { useRouteQuery } from '../../../kit/routeQuery.ts'
import { Avatar } from '../../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../../ui/picture/BuffMark.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { Loaded } from '../../../ui/state/Loaded.tsx'
import { AuditLog } from '../audit/AuditLog.tsx'
import styles from './About.module.css'
import { NotesDrawing } from './drawings.tsx'
import { Notes } from './Notes.tsx'
import { text } from './text.ts'

/**
 * What moderators know of a person, a member or not: their notes, what was done to the person in the guild,
 * and what the person did.
 */
export function AboutMember({ guild, userId }: { guild: Guild; userId: UserId }) {
  const seesNotes = useMe()?.id !== userId && (guild.permissions & MODERATING) !== 0
  return (
    <>
      <Head guild={guild} userId={userId} />
      {seesNotes && <Notes guild={guild} userId={userId} />}
      {has(guild.permissions, permission.view_log) && <History guild={guild} userId={userId} />}
    </>
  )
}

/** Who it is. Of somebody who is no member only what everybody sees is known. */
function Head({ guild, userId }: { guild: Guild; userId: UserId }) {
  const t = useText(text)
  const locale = useLocale()
  const inside = useRouteQuery(viewUser, { user_id: userId, guild_id: guild.id })
  const isGone = inside.failure?.name === 'user.unknown'
  const anywhere = useRouteQuery(viewUser, { user_id: userId }, isGone)
  return (
    <Loaded of={isGone ? anywhere : inside} title={t.failed}>
      {(it) => (
        <header className={styles.head}>
          <Avatar of={it} size={48} />
          <div className={styles.who}>
            <span className="named">
              <h2 className={styles.name}>{it.nickname || it.username}</h2>
              {it.is_vip && <BuffMark />}
            </span>
            <p className={styles.fact}>
              {`${it.username}#${it.identify_num}`} ·{' '}
              {isGone || it.joined_at === undefined ? t.notMember : t.joined(dateLabel(it.joined_at, locale))}
            </p>
          </div>
        </header>
      )}
    </Loaded>
  )
}

type Side = 'whom' | 'who'

function History({ guild, userId }: { guild: Guild; userId: UserId }) {
  const t = useText(text)
  const [side, setSide] = useState<Side>('whom')
  const filter = { who: null, whom: null, type: null, [side]: userId }
  return (
    <section>
      <h2 className={styles.heading}>{t.history}</h2>
      <fieldset className={styles.sides}>
        <legend className={styles.legend}>{t.history}</legend>
        {(['whom', 'who'] as const).map((each) => (
          <label key={each} className={styles.side}>
            <input type="radio" name="side" checked={side === each} onChange={() => setSide(each)} />
            {t[each]}
          </label>
        ))}
      </fieldset>
      <AuditLog key={side} guild={guild} filter={filter}>
        <EmptyState icon={<NotesDrawing />} title={t.nothing} message={t.nothingWhy} />
      </AuditLog>
    </section>
  )
}
