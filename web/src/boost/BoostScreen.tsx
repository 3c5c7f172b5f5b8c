import { boostList } from '@guildhall/wire/boost/boost.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { dateLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { text as common } from '../kit/text.ts'
import { useOnShown } from '../native/shellPage.ts'
import festive from '../ui/Festive.module.css'
import { ChevronIcon } from '../ui/icon/icon.tsx'
import { RocketIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { FestivePage } from '../ui/page/FestivePage.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './Boost.module.css'
import { LevelBadge } from './level/LevelBadge.tsx'
import { LevelRights } from './level/LevelRights.tsx'
import { DaysPicture, GracePicture, StairsPicture } from './level/pictures.tsx'
import { packsText } from './packsText.ts'
import { BuySheets, UseSheet } from './sheets.ts'
import { text } from './text.ts'
import { reloadBoosts, useBuyingBoosts, useUnused } from './useBoosts.ts'

/**
 * /account/boost: the packs that one has, where they are used, and what they bring. commerce.md §2.
 * `?guild_id=`: a guild that was picked.
 */
export default function BoostScreen({ unpaid }: { unpaid?: ReactNode }) {
  const t = useText(packsText)
  const navigate = useNavigate()
  const unused = useUnused()
  const buying = useBuyingBoosts()
  const [isHelping, setHelping] = useState(false)
  const picked = usePicked()
  useOnShown(reloadBoosts)
  return (
    <FestivePage
      title={t.boosts}
      onBack={() => void navigate(paths.account())}
      actions={unpaid}
      className={styles.screen}
    >
      <Packs unused={unused} buying={buying} />
      <Benefits />
      <button type="button" className={styles.help} onClick={() => setHelping(true)}>
        {t.help}
      </button>
      <Boosted />
      <Rights />
      {isHelping && (
        <Dialog title={t.helpTitle} message={t.helpWords} confirm={t.ok} onClose={() => setHelping(false)} />
      )}
      <Suspense>
        {picked.guild && unused !== null && (
          <UseSheet guild={picked.guild} unused={unused} onClose={picked.forget} />
        )}
        {buying.isOpen && <BuySheets buying={buying} />}
      </Suspense>
    </FestivePage>
  )
}

function Benefits() {
  const t = useText(packsText)
  return (
    <section>
      <h2 className={styles.title}>{t.benefits}</h2>
      <ul className={styles.benefits}>
        {(
          [
            [t.benefit1, StairsPicture],
            [t.benefit2, DaysPicture],
            [t.benefit3, GracePicture],
          ] as const
        ).map(([content, Drawing]) => (
          <li key={content}>
            <span className={`${festive.ground} ${styles.drawing}`}>
              <Drawing />
            </span>
            <span className={styles.benefitWords}>{content}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How many packs one has, using them, and buying more. */
function Packs({ unused, buying }: { unused: number | null; buying: ReturnType<typeof useBuyingBoosts> }) {
  const t = useText(packsText)
  const tBoost = useText(text)
  const navigate = useNavigate()
  return (
    <section className={`${festive.ground} ${styles.head}`}>
      <span className={`${festive.mark} ${styles.mark}`}>
        <RocketIcon size={120} strokeWidth={1} />
      </span>
      <p className={styles.count} aria-live="polite">
        {unused ?? '…'}
      </p>
      <p>{t.unused}</p>
      <div className={styles.actions}>
        <button
          type="button"
          className={styles.gold}
          disabled={!unused}
          onClick={() =>
            void navigate(`/select-guild?from=${encodeURIComponent('/account/boost')}&action=use_boost`)
          }
        >
          {t.use}
        </button>
        <button
          type="button"
          className={styles.ghost}
          aria-disabled={buying.isBusy || undefined}
          onClick={() => buying.start()}
        >
          {tBoost.buy}
        </button>
      </div>
    </section>
  )
}

/** The guild that was picked for packs, by the page's address. */
function usePicked() {
  const [query, setQuery] = useSearchParams()
  const id = query.get('guild_id')
  const guilds = useRouteQuery(listGuilds, {}, id !== null)
  return {
    guild: guilds.answer?.find((it) => it.id === id) ?? null,
    forget: () => setQuery({}, { replace: true }),
  }
}

function Boosted() {
  const t = useText(packsText)
  const tBoost = useText(text)
  const locale = useLocale()
  const list = useRouteQuery(boostList, {})
  return (
    <section>
      <h2 className={styles.title}>{t.boosted}</h2>
      <Loaded of={list} title={tBoost.failed} wait={<Blank />}>
        {({ items }) =>
          items.length === 0 ? (
            <div className={styles.noneYet}>
              <span className={`${festive.sign} ${styles.noneSign}`}>
                <RocketIcon />
              </span>
              <p>{t.boostedNone}</p>
            </div>
          ) : (
            <ul className={styles.list}>
              {items.map((it) => (
                <li key={`${it.guild_id} ${it.boost_start_time}`}>
                  <Link to={`/guild/boost/${it.guild_id}`} className={styles.row}>
                    <GuildIcon id={it.guild_id} name={it.guild.name} src={it.guild.icon} size={44} />
                    <span className={styles.rowWords}>
                      <span className={styles.rowName}>{it.guild.name}</span>
                      <span className={styles.rowMore}>{t.ends(dateLabel(it.boost_end_time, locale))}</span>
                    </span>
                    <span className={styles.rowCount}>{tBoost.packs(it.use_boost_num)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** Every level, with what it needs and what it brings. */
function Rights() {
  const t = useText(text)
  const { answer } = useRouteQuery(settings, {})
  // The list above may be long: nothing below it is shown before it, and then moves.
  const above = useRouteQuery(boostList, {})
  if (!answer || above.status === 'loading') return null
  return (
    <section>
      <h2 className={styles.title}>{t.rights}</h2>
      {answer.guild_rights_view.map((each) => (
        <details key={each.level.value} className={styles.level}>
          <summary>
            <LevelBadge level={each.level.value} />
            <span className={styles.levelName}>{t.level(each.level.value)}</span>
            <span className={styles.levelNeeds}>{t.needs(each.boost_num.value)}</span>
            <ChevronIcon size={20} className={styles.chevron} />
          </summary>
          <LevelRights of={each} isOpen />
        </details>
      ))}
    </section>
  )
}

function Blank() {
  const t = useText(common)
  return (
    <div role="status" aria-label={t.loading}>
      <Skeleton className={styles.blank} />
    </div>
  )
}
