import { boostTrend } from '@guildhall/wire/boost/boost.ts'
import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { levelOf } from '@guildhall/wire/boost/trend.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { guildPermissions, has, permission } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage, useOnShown } from '../native/shellPage.ts'
import { Button } from '../ui/Button.tsx'
import festive from '../ui/Festive.module.css'
import { RocketIcon } from '../ui/icon/payIcons.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { GuildNotLoaded } from '../ui/state/GuildNotLoaded.tsx'
import { both, Loaded } from '../ui/state/Loaded.tsx'
import styles from './Boost.module.css'
import { BuySheets, UseSheet } from './BoostSheets.tsx'
import { Grace } from './Grace.tsx'
import { rightValue } from './rightText.ts'
import { text } from './text.ts'
import { reloadBoosts, useBuyingBoosts, useUnused } from './useBoosts.ts'

/** /guild/boost/{guildId}: a guild's level, what each level brings, and boosting it. commerce.md §2. */
export default function GuildBoostScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const levels = useRouteQuery(settings, {})
  useOnShown(reloadBoosts)
  return (
    <TitledPage title={t.boostThis} onBack={() => void leavePage()}>
      <main className={`${festive.page} ${styles.screen}`}>
        <Loaded
          of={both(guild, levels)}
          title={t.failed}
          failed={(failure, retry) => <GuildNotLoaded title={t.failed} failure={failure} onRetry={retry} />}
        >
          {([shown, { guild_rights_view }]) => <GuildBoost guild={shown} levels={guild_rights_view} />}
        </Loaded>
      </main>
    </TitledPage>
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
      <BuySheets buying={buying} />
    </>
  )
}

/** How many packs are wanted, and how far that is: `isReach`: for the level that they bring. */
interface Asks {
  readonly wanted: number
  readonly step: 'choose' | 'use'
  readonly isReach?: boolean
}

function Head(props: { guild: Guild; levels: readonly GuildRightsView[]; onBoost: () => void }) {
  const { guild, levels } = props
  const t = useText(text)
  const roles = { is_master: guild.is_master, roles: guild.my_roles }
  const manages = has(guildPermissions(roles, guild.roles), permission.manage_guild)
  return (
    <section className={`${festive.ground} ${styles.head}`}>
      <span className={`${festive.mark} ${styles.mark}`}>
        <RocketIcon size={140} strokeWidth={1} />
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

/** Packs that one has, or packs that are bought. */
function ChooseSheet(props: {
  asks: Asks
  unused: number | null
  onUse: () => void
  onBuy: () => void
  onClose: () => void
}) {
  const t = useText(text)
  return (
    <Sheet title={props.asks.isReach ? t.reach : t.boostThis} onClose={props.onClose}>
      <div className={styles.choose}>
        <Button block disabled={!props.unused} onPress={props.onUse}>
          {`${t.usePacks} · ${t.have(props.unused ?? 0)}`}
        </Button>
        <Button block kind="soft" onPress={props.onBuy}>
          {t.buy}
        </Button>
      </div>
    </Sheet>
  )
}

/** The packs are too few for the guild's level, which a grace keeps. */
function GuildGrace({ guildId }: { guildId: GuildId }) {
  const { answer } = useRouteQuery(boostTrend, { guild_id: guildId })
  const today = answer?.items.find(({ date }) => date === answer.today)
  return today ? <Grace day={today} /> : null
}

/** How far apart two levels are. commerce.md §9. */
const LEVEL_REM = 2.95

/** The levels on a line that is filled up to where the guild is. */
function LevelLine(props: { boosts: number; level: number; levels: readonly GuildRightsView[] }) {
  const t = useText(text)
  const { boosts, level, levels } = props
  const thresholds = [0, ...levels.map(({ boost_num }) => boost_num.value)]
  const reached = thresholds.findLastIndex((least) => least <= boosts)
  const from = thresholds[reached] ?? 0
  const to = thresholds[reached + 1]
  const part = to === undefined ? 0 : (boosts - from) / (to - from)
  const most = thresholds.length - 1
  return (
    <div
      className={styles.line}
      style={{ width: `${most * LEVEL_REM}rem` }}
      role="progressbar"
      aria-label={t.line}
      aria-valuemin={0}
      aria-valuemax={thresholds.at(-1)}
      aria-valuenow={Math.min(boosts, thresholds.at(-1) ?? 0)}
      aria-valuetext={`${t.level(level)}, ${t.packs(boosts)}`}
    >
      <span className={styles.lineFill} style={{ width: `${(reached + part) * LEVEL_REM}rem` }} />
      {thresholds.map((least, at) => (
        <span
          key={least}
          className={styles.lineStop}
          style={{ left: `${at * LEVEL_REM}rem` }}
          data-on={at <= level || undefined}
        >
          {at}
        </span>
      ))}
    </div>
  )
}

/** One card per level, side by side; the guild's next one is shown first. */
function LevelSwiper(props: {
  boosts: number
  level: number
  levels: readonly GuildRightsView[]
  onReach: (missing: number) => void
}) {
  const t = useText(text)
  const { boosts, level, levels } = props
  const box = useRef<HTMLUListElement>(null)
  const first = Math.min(level, levels.length - 1)
  useEffect(() => {
    const card = box.current?.children[first]
    if (card instanceof HTMLElement) box.current?.scrollTo({ left: card.offsetLeft - 16 })
  }, [first])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <ul className={styles.swiper} ref={box} tabIndex={0} aria-label={t.rights}>
      {levels.map(({ level: { value }, boost_num, rights }) => {
        const missing = boost_num.value - boosts
        return (
          <li key={value} className={styles.slide} data-on={value <= level || undefined}>
            <h2>{t.rightsOf(value)}</h2>
            <p className={styles.slideNeeds}>
              {missing <= 0 ? t.reached : `${t.needs(boost_num.value)} · ${t.missing(missing)}`}
            </p>
            <dl className={styles.rights}>
              {rights.map((it) => (
                <div key={it.key}>
                  <dt>{it.name}</dt>
                  <dd>{rightValue(it, value, t)}</dd>
                </div>
              ))}
            </dl>
            {missing > 0 && (
              <button type="button" className={styles.gold} onClick={() => props.onReach(missing)}>
                {t.reach}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
