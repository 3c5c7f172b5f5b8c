import { goliveGroup, goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { dateLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { shell } from '../native/shell.ts'
import { askShell } from '../native/shellPage.ts'
import { Gift, PaySheet, soldHere, useBuying, useGiving } from '../pay/pay.tsx'
import {
  BuyBar,
  marketHere,
  NoPackages,
  Packages,
  periodHere,
  RenewsLine,
  ShopLinks,
  ShopPage,
} from '../product/product.tsx'
import festive from '../ui/Festive.module.css'
import { ClarityIcon, MotionIcon, ShareIcon, SpeedIcon } from '../ui/icon/payIcons.tsx'
import { GoliveDrawing } from './drawings.tsx'
import styles from './GoliveScreen.module.css'
import { text } from './text.ts'

type Offer = AnswerOf<typeof goliveProducts>
type Version = keyof typeof goliveGroup

const VERSIONS: readonly Version[] = ['normal', 'pro']
const HERE = '/account/golive'

/** What the person has may be another than before. */
const reload = () => {
  invalidateRoute(goliveInfo)
  invalidateRoute(goliveProducts)
}

/**
 * /account/golive: screen sharing in its two versions, and buying one. `?version=&goodsId=` preselect.
 * commerce.md §2, §4.
 */
export default function GoliveScreen({ unpaid }: { unpaid?: ReactNode }) {
  const t = useText(text)
  const offer = useRouteQuery(goliveProducts, {
    market: marketHere(),
    period: shell() ? 0 : periodHere(),
  })
  return (
    <ShopPage
      title={t.title}
      head={<Status />}
      offer={offer}
      failed={t.failed}
      reload={reload}
      actions={unpaid}
    >
      {(answer) => <Shop offer={answer} />}
    </ShopPage>
  )
}

/** Which version they have, and until when. */
function Status() {
  const t = useText(text)
  const locale = useLocale()
  const { answer } = useRouteQuery(goliveInfo, {})
  const isOn = answer !== null && answer.type !== 'none'
  const content = answer ? { none: t.none, normal: t.normalOn, pro: t.proOn }[answer.type] : '…'
  return (
    <section
      className={`${festive.ground} ${festive.hero} ${styles.status}`}
      data-on={isOn || undefined}
      aria-live="polite"
    >
      <span className={`${festive.mark} ${styles.mark}`}>
        <ShareIcon size={132} strokeWidth={1} />
      </span>
      <span className={styles.sign}>
        <ShareIcon size={28} />
      </span>
      <div className={styles.words}>
        <p className={styles.state}>{content}</p>
        <p className={festive.until}>{isOn ? t.until(dateLabel(answer.expire_time, locale)) : t.statusWhy}</p>
        {answer?.has_renewal && <RenewsLine type="other" />}
      </div>
    </section>
  )
}

const hasPro = ({ items }: Offer) => (items[VERSIONS.indexOf('pro')]?.expire_time ?? 0) > 0

function Shop({ offer }: { offer: Offer }) {
  const t = useText(text)
  const { items: products, waysOf } = soldHere(offer.products, offer)
  const { version, chosen, items, setVersion, choose } = useChoice(offer, products)
  return (
    <>
      <Versions version={version} offer={offer} onChange={setVersion} />
      <div role="tabpanel" id="golive-packages" aria-labelledby={`golive-${version}`}>
        {chosen ? (
          <Packages items={items} chosen={chosen} onChoose={choose} />
        ) : (
          <NoPackages icon={<GoliveDrawing />} />
        )}
      </div>
      <Abilities offer={offer} />
      <Comparison offer={offer} version={version} />
      <Video video={offer.video} />
      <ShopLinks type="other" />
      {chosen && (
        <Buy
          chosen={chosen}
          ways={waysOf(chosen)}
          refusal={version === 'normal' && hasPro(offer) ? t.hasPro : undefined}
        />
      )}
      <Gift products={products} ways={offer.browser_ways} />
    </>
  )
}

/**
 * The version and the product that are chosen, at first those that the page's address names, else the version
 * that the person has, or the standard one. commerce.md §4 "Golive".
 */
function useChoice(offer: Offer, products: Offer['products']) {
  const [query] = useSearchParams()
  const wanted = products.find(({ id }) => String(id) === query.get('goodsId'))
  const [version, setVersion] = useState<Version>(() => versionOf(query.get('version'), wanted, offer))
  const [chosenId, choose] = useState(wanted?.id)
  const items = products.filter(({ group_id }) => group_id === goliveGroup[version])
  const chosen = items.find(({ id }) => id === chosenId) ?? items[0]
  const change = (to: Version) => {
    setVersion(to)
    choose(undefined)
  }
  return { version, setVersion: change, items, chosen, choose }
}

/** `version` is a name, or an index in `items`: 0 the standard version, 1 the professional one. */
function versionOf(
  named: string | null,
  wanted: Offer['products'][number] | undefined,
  offer: Offer,
): Version {
  if (named !== null) return named === 'pro' || named === '1' ? 'pro' : 'normal'
  return wanted?.group_id === goliveGroup.pro || (!wanted && hasPro(offer)) ? 'pro' : 'normal'
}

function Versions(props: { version: Version; offer: Offer; onChange: (to: Version) => void }) {
  const t = useText(text)
  const locale = useLocale()
  const list = useRef<HTMLDivElement>(null)
  const { version, offer, onChange } = props
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const to = version === 'normal' ? 'pro' : 'normal'
    onChange(to)
    list.current?.querySelector<HTMLElement>(`#golive-${to}`)?.focus()
  }
  return (
    <div className={styles.versions} role="tablist" aria-label={t.versions} ref={list} onKeyDown={move}>
      {VERSIONS.map((each, at) => {
        const until = offer.items[at]?.expire_time ?? 0
        return (
          <button
            key={each}
            type="button"
            role="tab"
            id={`golive-${each}`}
            aria-controls="golive-packages"
            aria-selected={version === each}
            tabIndex={version === each ? 0 : -1}
            className={styles.version}
            onClick={() => onChange(each)}
          >
            {t[each]}
            {until > 0 && <span className={styles.versionUntil}>{t.until(dateLabel(until, locale))}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** Of those that the server names no picture for, in their order. */
const ABILITY_ICONS = [ClarityIcon, MotionIcon, SpeedIcon]

function Abilities({ offer }: { offer: Offer }) {
  const t = useText(text)
  if (offer.ability.length === 0) return null
  return (
    <section>
      <h2 className={festive.title}>{t.abilities}</h2>
      <ul className={styles.abilities}>
        {offer.ability.map((it, at) => {
          const Icon = ABILITY_ICONS[at % ABILITY_ICONS.length] ?? ShareIcon
          return (
            <li key={it.title} className={styles.ability}>
              <span className={`${festive.sign} ${styles.abilitySign}`}>
                {it.image ? <img src={it.image} alt="" width={28} height={28} /> : <Icon />}
              </span>
              <span className={styles.words}>
                <span className={styles.abilityName}>{it.title}</span>
                <span className={styles.abilityMore}>{it.desc}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Comparison({ offer, version }: { offer: Offer; version: Version }) {
  const t = useText(text)
  if (offer.compare.length === 0) return null
  return (
    <section className={styles.compare}>
      <table className={styles.table}>
        <caption className={festive.title}>{t.compare}</caption>
        <thead>
          <tr>
            <th scope="col">{t.feature}</th>
            {VERSIONS.map((each) => (
              <th key={each} scope="col" data-chosen={each === version || undefined}>
                {t[each]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {offer.compare.map((it) => (
            <tr key={it.title}>
              <th scope="row">
                {it.title}
                <span className={styles.rowMore}>{it.desc}</span>
              </th>
              <td data-chosen={version === 'normal' || undefined}>{it.normal_v}</td>
              <td data-chosen={version === 'pro' || undefined}>{it.pro_v}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Nothing of the video is loaded before somebody plays it: its cover stands for it. */
function Video({ video: { cover, url } }: { video: Offer['video'] }) {
  const t = useText(text)
  if (!url) return null
  return (
    <video
      className={styles.video}
      aria-label={t.video}
      controls
      playsInline
      preload="none"
      src={url}
      {...(cover && { poster: cover })}
    />
  )
}

function Buy(props: {
  chosen: Offer['products'][number]
  ways: readonly PayWay[]
  refusal: string | undefined
}) {
  const { chosen, ways, refusal } = props
  const t = useText(text)
  const { answer } = useRouteQuery(goliveInfo, {})
  const give = useGiving(HERE, 'present_golive', ways)
  const buying = useBuying({
    ways,
    askApp: () => askShell('buy_produce_golive', { produce: { ...chosen, id: String(chosen.id) } }),
    onBought: reload,
  })
  return (
    <>
      <BuyBar
        label={(answer?.type ?? 'none') === 'none' ? t.buy : t.renew}
        chosen={chosen}
        isBusy={buying.isBusy}
        refusal={refusal}
        onBuy={() => void buying.start()}
        onGive={give}
      />
      {buying.isPaying && (
        <Suspense>
          <PaySheet pay={{ productId: chosen.id }} ways={ways} onPaid={reload} onClose={buying.stop} />
        </Suspense>
      )}
    </>
  )
}
