import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { type Discoverable, joinDiscoverable, listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import { useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { categoryText } from '../categoryText.ts'
import { discoverText } from './discoverText.ts'
import styles from './GuildCard.module.css'
import { GuildCover } from './GuildCover.tsx'

/** A recommended guild, and its button: join, or open it for who is in. */
export function GuildCard({ guild }: { guild: Discoverable }) {
  const t = useText(discoverText)
  const navigate = useNavigate()
  const joining = useCall(joinDiscoverable)
  const enter = () => void navigate(paths.guild(guild.id))
  const join = async () => {
    if (!(await joining.run({ guild_id: guild.id }, ({ message }) => toast(message)))) return
    invalidateRoute(listGuilds)
    invalidateRoute(listDiscoverables)
    enter()
  }
  const categories: Readonly<Record<string, string>> = useText(categoryText)
  const category = categories[guild.category]
  return (
    <article className={styles.card} aria-label={guild.name}>
      <GuildCover id={guild.id} name={guild.name} icon={guild.icon} banner={guild.banner} />
      <div className={styles.body}>
        <div className={styles.head}>
          <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={52} className={styles.icon} />
          {category && <span className={styles.category}>{category}</span>}
        </div>
        <h2 className={styles.name}>{guild.name}</h2>
        <p className={styles.desc}>{guild.desc || t.noDesc}</p>
        <p className={styles.counts}>
          {guild.online > 0 && (
            <span className={styles.online}>
              <span className={styles.dot} aria-hidden="true" />
              {t.online(guild.online)}
            </span>
          )}
          <span>{t.members(guild.members)}</span>
          <span className={styles.level}>{t.level(guild.level)}</span>
        </p>
        <Button
          block
          kind={guild.is_member ? 'quiet' : 'soft'}
          busy={joining.status === 'busy'}
          aria-label={guild.is_member ? t.enterOf(guild.name) : t.joinOf(guild.name)}
          onPress={guild.is_member ? enter : () => void join()}
        >
          {guild.is_member ? t.enter : t.join}
        </Button>
      </div>
    </article>
  )
}

/** The size of a card. */
export const CardSkeleton = () => (
  <div className={styles.card}>
    <Skeleton className={styles.coverSkeleton} />
    <div className={styles.body}>
      <div className={styles.head}>
        <Skeleton className={`${styles.icon} ${styles.iconSkeleton}`} />
      </div>
      <div className={styles.name}>
        <Skeleton width="55%" height={20} />
      </div>
      <div className={styles.desc}>
        <Skeleton width="90%" />
        <Skeleton width="60%" />
      </div>
      <div className={styles.counts}>
        <Skeleton width="45%" />
      </div>
      <Skeleton className={styles.buttonSkeleton} />
    </div>
  </div>
)
