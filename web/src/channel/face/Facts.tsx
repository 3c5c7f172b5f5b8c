import { LEVEL_BOOSTS } from '@guildhall/wire/boost/levels.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { type CSSProperties, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Suspense } from '../../kit/lazy/lazy.tsx'
import { paths } from '../../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { PlusIcon } from '../../ui/icon/channelIcons.tsx'
import { RocketIcon } from '../../ui/icon/payIcons.tsx'
import { SearchIcon } from '../../ui/icon/searchIcon.tsx'
import { usePresenceRefresh } from '../../ui/usePresenceRefresh.ts'
import { faceText } from './faceText.ts'
import styles from './GuildFace.module.css'
import type { InviteFriendsSheet } from './later.ts'

/**
 * The way to the search, who is online, the way to invite, and the guild's level with the way to boost it.
 */
export default function Facts({ guild, InviteFriends }: { guild: Guild; InviteFriends: InviteFriendsSheet }) {
  const t = useText(faceText)
  const [isInviting, setInviting] = useState(false)
  const mayInvite = has(guild.permissions, permission.create_invite)
  return (
    <>
      <Link className={styles.find} to={`/search?guild=${guild.id}`} aria-label={t.search} title={t.search}>
        <SearchIcon />
      </Link>
      <Online guild={guild} />
      {mayInvite && (
        <button type="button" className={styles.invite} onClick={() => setInviting(true)}>
          <span>
            <PlusIcon size={16} />
            {t.invite}
          </span>
        </button>
      )}
      <Level guild={guild} />
      {isInviting && (
        <Suspense>
          <InviteFriends guildId={guild.id} guildName={guild.name} onClose={() => setInviting(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Leads to the members, and says how many of them are online. */
function Online({ guild: { id } }: { guild: Guild }) {
  const t = useText(faceText)
  const count = useRouteQuery(viewActivity, { guild_id: id }).answer?.online_count
  usePresenceRefresh(useCallback(() => invalidateRoute(viewActivity, { guild_id: id }), [id]))
  return (
    <Link className={styles.online} to={paths.members(id)} state={{ from: 'guild' }} title={t.members}>
      <span className={styles.dot} data-some={(count ?? 0) > 0 || undefined} />
      {count === undefined ? (
        t.members
      ) : (
        <>
          <span className="unseen">{t.members}</span>
          {t.online(count)}
        </>
      )}
    </Link>
  )
}

/** The level, how far it is to the next one, and the way to what each brings. */
function Level({ guild: { id, level, boost_num: boosts } }: { guild: Guild }) {
  const t = useText(faceText)
  const next = LEVEL_BOOSTS[level + 1]
  const part = next === undefined ? 1 : Math.min(1, boosts / next)
  return (
    <Link className={styles.level} to={`/guild/boost/${id}`} title={t.boost}>
      <RocketIcon size={16} />
      <span className={styles.rank}>{t.level(level)}</span>
      <span className={styles.line} style={{ '--part': part } as CSSProperties} aria-hidden="true" />
      <span className={styles.count}>
        {next === undefined ? t.highest : `${boosts}/${next}`}
        <span className="unseen">{t.boost}</span>
      </span>
    </Link>
  )
}
