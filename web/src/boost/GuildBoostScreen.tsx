import { boostTrend } from '@guildhall/wire/boost/boost.ts'
import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { levelOf } from '@guildhall/wire/boost/trend.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { guildPermissions, has, permission } from '@guildhall/wire/permission/permission.ts'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage, useOnShown } from '../native/shellPage.ts'
import festive from '../ui/Festive.module.css'
import { RocketIcon } from '../ui/icon/payIcons.tsx'
import { FestivePage } from '../ui/page/FestivePage.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { GuildNotLoaded } from '../ui/state/GuildNotLoaded.tsx'
import { both, Loaded } from '../ui/state/Loaded.tsx'
import styles from './Boost.module.css'
import type { Asks } from './BoostSheets.tsx'
import { BoostSkeleton } from './BoostSkeleton.tsx'
import { Grace } from './Grace.tsx'
import { LevelLine } from './level/LevelLine.tsx'
import { LevelSwiper } from './level/LevelSwiper.tsx'
import { BuySheets, ChooseSheet, UseSheet } from './sheets.ts'
import { text } from './text.ts'
import { reloadBoosts, useBuyingBoosts, useUnused } from './useBoosts.ts'

/** /guild/boost/{guildId}: a guild's level, what each level brings, and boosting it. commerce.md §2. */
export default function GuildBoostScreen(props: { guildId: GuildId; unpaid?: ReactNode }) {
  const { guildId, unpaid } = props
  const t = useText(text)
  const navigate = useNavigate()
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const levels = useRouteQuery(settings, {})
  useOnShown(reloadBoosts)
  return (
    <FestivePage
      title={t.boostThis}
      onBack={() => void leavePage(() => void navigate(paths.guild(guildId), { replace: true }))}
      actions={unpaid}
      className={styles.screen}
    >
      <Loaded
        of={both(guild, levels)}
        title={t.failed}
        wait={<BoostSkeleton />}
        failed={(failure, retry) => <GuildNotLoaded title={t.failed} failure={failure} onRetry={retry} />}
      >
        {([shown, { guild_rights_view }]) => <GuildBoost guild={shown} levels={guild_rights_view} />}
      </Loaded>
    </FestivePage>
  )
}

function GuildBoost({ guild, levels }: { guild: Guild; levels: readonly GuildRightsView[] }) {
  const unused = useUnused()
  const buying = useBuyingBoosts()
  const [asks, setAsks] = useState<Asks | null>(null)
  const stop = () => setAsks(null)
  /** Straight to a level: by the packs that one has, or by an order that uses them here at once. */
  const reach = (wanted: number) => {
    if (!unused) buying.start({ count: wanted, guild })
    else setAsks({ wanted, step: unused >= wanted ? 'use' : 'choose', isReach: true })
  }
  return (
    <>
      <Head guild={guild} levels={levels} onBoost={() => setAsks({ wanted: 1, step: 'choose' })} />
      <LevelSwiper boosts={guild.boost_num} level={guild.level} levels={levels} onReach={reach} />
      <Suspense>
        {asks?.step === 'choose' && (
          <ChooseSheet
            asks={asks}
            unused={unused}
            onUse={() => setAsks({ ...asks, step: 'use' })}
            onBuy={() => {
              stop()
              buying.start({ count: asks.wanted, guild: asks.isReach ? guild : null })
            }}
            onClose={stop}
          />
        )}
        {asks?.step === 'use' && unused !== null && (
          <UseSheet guild={guild} unused={unused} wanted={asks.wanted} onClose={stop} />
        )}
        {buying.isOpen && <BuySheets buying={buying} />}
      </Suspense>
    </>
  )
}

function Head(props: { guild: Guild; levels: readonly GuildRightsView[]; onBoost: () => void }) {
  const { guild, levels } = props
  const t = useText(text)
  const roles = { is_master: guild.is_master, roles: guild.my_roles }
  const manages = has(guildPermissions(roles, guild.roles), permission.manage_guild)
  return (
    <section className={`${festive.ground} ${styles.head}`}>
      <span className={`${festive.mark} ${styles.mark}`}>
        <RocketIcon size={120} strokeWidth={1} />
      </span>
      <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={64} />
      <p className={styles.guildName}>{guild.name}</p>
      <p className={styles.guildLevel}>
        <strong>{t.level(guild.level)}</strong> · {t.packs(guild.boost_num)}
      </p>
      {guild.level > levelOf(guild.boost_num) && <GuildGrace guildId={guild.id} />}
      <LevelLine boosts={guild.boost_num} level={guild.level} levels={levels} />
      <div className={styles.actions}>
        <button type="button" className={styles.gold} onClick={props.onBoost}>
          {t.boostThis}
        </button>
        {manages && (
          <Link className={styles.ghost} to={`/guild/boost-status/${guild.id}`}>
            {t.details}
          </Link>
        )}
      </div>
    </section>
  )
}

/** The packs are too few for the guild's level, which a grace keeps. */
function GuildGrace({ guildId }: { guildId: GuildId }) {
  const { answer } = useRouteQuery(boostTrend, { guild_id: guildId })
  const today = answer?.items.find(({ date }) => date === answer.today)
  return today ? <Grace day={today} /> : null
}
