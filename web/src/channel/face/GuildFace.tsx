import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { letterGround } from '@guildhall/wire/user/letter.ts'
import type { CSSProperties } from 'react'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { MoreIcon } from '../../ui/icon/icons.tsx'
import { smallOf } from '../../ui/picture/AvatarImage.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { useLongPress } from '../../ui/useLongPress.ts'
import { text } from '../text.ts'
import styles from './GuildFace.module.css'
import type { InviteFriendsSheet } from './later.ts'

const Facts = lazy(() => loadPart(() => import('./Facts.tsx')))

/** The long side of the copy of a banner, px. */
const BANNER_SIDE = 800

/**
 * The head of a guild's channels: its banner, or its colour, its icon and its name. What is below them is
 * loaded later, in a place that is kept for it.
 */
export function GuildFace(props: { guild: Guild; InviteFriends: InviteFriendsSheet; onMenu: () => void }) {
  const { guild, onMenu } = props
  const t = useText(text)
  const holds = useLongPress(onMenu)
  const { id, name, icon, banner } = guild
  const { hasFailed, fail } = useFailedLoad(banner)
  return (
    <header
      {...holds}
      className={styles.face}
      data-tinted={guild.rights.guild_gradient === true || undefined}
      style={{ '--tint': letterGround(id, icon) } as CSSProperties}
    >
      <div className={styles.banner}>
        {/* One that does not load leaves the colour. */}
        {banner && !hasFailed && (
          <img key={banner} src={smallOf(banner, BANNER_SIDE)} alt="" onError={fail} />
        )}
      </div>
      <GuildIcon id={id} name={name} src={icon} size={56} className={styles.icon} />
      <h1 className={styles.name} title={name}>
        {name}
      </h1>
      <IconButton label={t.guildMenu} onPress={onMenu}>
        <MoreIcon />
      </IconButton>
      <div className={styles.facts}>
        <Suspense>
          <Facts guild={guild} InviteFriends={props.InviteFriends} />
        </Suspense>
      </div>
    </header>
  )
}
