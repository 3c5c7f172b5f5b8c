import { userState } from '@guildhall/wire/auth/userState.ts'
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { yuan } from '@guildhall/wire/money.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { type ReactNode, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { dateLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { askShell } from '../native/shellPage.ts'
import { canBuy, Gift, PaySheet, soldHere, useBuying, useGiving } from '../pay/pay.tsx'
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
import { CrownIcon, EmojiIcon, FaceIcon, NumberIcon, UploadIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import styles from './BuffScreen.module.css'
import { BuffDrawing } from './drawings.tsx'
import { FrameChoice } from './FrameChoice.tsx'
import { text } from './text.ts'

type Offer = AnswerOf<typeof vipProducts>

const HERE = '/account/buff'

/** What the person has may be another than before. */
const reload = () => {
  invalidateRoute(vipExpired)
  invalidateRoute(userState)
}

/** /account/buff: the membership, its packages, and buying one. commerce.md §2, §4. */
export default function BuffScreen({ unpaid }: { unpaid?: ReactNode }) {
  const t = useText(text)
  const offer = useRouteQuery(vipProducts, { market: marketHere(), period: periodHere() })
  return (
    <ShopPage
      title={t.title}
      head={<Head />}
      offer={offer}
      failed={t.failed}
      reload={reload}
      actions={unpaid}
    >
      {(answer) => <Shop offer={answer} />}
    </ShopPage>
  )
}

/** What the person has: the membership and, with it, the ring that comes with it. */
function Head() {
  return (
    <>
      <Membership />
      {useMe().is_vip && <FrameChoice />}
    </>
  )
}

/** Who they are, and until when they have it. */
function Membership() {
  const t = useText(text)
  const locale = useLocale()
  const me = useMe()
  const { answer } = useRouteQuery(vipExpired, {})
  const until = answer?.vip_expired ?? 0
  const day = dateLabel(until, locale)
  const content = until === 0 ? t.notYet : until > Date.now() ? t.until(day) : t.over(day)
  return (
    <section className={`${festive.ground} ${festive.hero} ${styles.card}`} data-on={me.is_vip || undefined}>
      <span className={`${festive.mark} ${styles.mark}`}>
        <CrownIcon size={132} strokeWidth={1} />
      </span>
      <span className={styles.face} data-framed={me.avatar_frame || undefined}>
        <Avatar of={me} size={56} />
      </span>
      <div className={styles.who}>
        <p className={styles.name}>
          <span>{me.username}</span>
          {me.is_vip && (
            <span className={styles.badge}>
              <CrownIcon size={14} /> BUFF
            </span>
          )}
        </p>
        <p className={festive.until}>{answer ? content : '…'}</p>
        {answer?.has_renewal && <RenewsLine type="buff" />}
      </div>
    </section>
  )
}

function Shop({ offer }: { offer: Offer }) {
  const t = useText(text)
  const me = useMe()
  const { items, waysOf } = soldHere(offer.items, offer)
  const [chosenId, setChosenId] = useState<number | null>(null)
  const chosen = items.find(({ id }) => id === chosenId) ?? items[0]
  const give = useGiving(HERE, 'buy_produce_vip', offer.browser_ways)
  const ways = waysOf(chosen)
  const buying = useBuyingBuff(chosen, ways)
  if (!chosen)
    return (
      <>
        <NoPackages icon={<BuffDrawing />} />
        <Rights />
        {!me.is_vip && <FrameChoice />}
        <ShopLinks type="buff" />
      </>
    )
  return (
    <>
      <Packages items={items} chosen={chosen} onChoose={setChosenId} />
      <Rights />
      {!me.is_vip && <FrameChoice />}
      <ShopLinks type="buff" />
      <Notes />
      <BuyBar
        label={me.is_vip ? t.renew : t.buy}
        chosen={chosen}
        isBusy={buying.isBusy}
        onBuy={buying.start}
        onGive={give}
      />
      {buying.isConfirming && (
        <Dialog
          title={t.confirmTitle}
          message={t.confirmWords(chosen.name, yuan(chosen.price))}
          confirm={t.confirm}
          cancel={t.cancel}
          onConfirm={buying.confirm}
          onClose={buying.giveUp}
        />
      )}
      {buying.isPaying && (
        <Suspense>
          <PaySheet pay={{ productId: chosen.id }} ways={ways} onPaid={reload} onClose={buying.stop} />
        </Suspense>
      )}
      <Gift products={items} ways={offer.browser_ways} />
    </>
  )
}

/**
 * Buying the chosen package: one that renews itself was agreed to, each other one is confirmed first.
 * commerce.md §4 "BUFF".
 */
function useBuyingBuff(chosen: Product | undefined, ways: readonly PayWay[]) {
  const [isConfirming, setConfirming] = useState(false)
  const buying = useBuying({
    ways,
    askApp: async () =>
      chosen ? askShell('buy_produce_vip', { produce_id: String(chosen.id), produce_info: chosen }) : null,
    onBought: reload,
  })
  return {
    ...buying,
    isConfirming,
    start() {
      if (buying.isBusy || buying.isPaying) return
      // Without a way to pay here it says to open the app.
      if (chosen?.period_buy || !canBuy(ways)) void buying.start()
      else setConfirming(true)
    },
    confirm() {
      setConfirming(false)
      void buying.start()
    },
    giveUp: () => setConfirming(false),
  }
}

const RIGHTS = [
  ['upload', UploadIcon],
  ['avatar', FaceIcon],
  ['emoji', EmojiIcon],
  ['number', NumberIcon],
] as const

/** What the membership brings. commerce.md §9. */
function Rights() {
  const t = useText(text)
  return (
    <section>
      <h2 className={festive.title}>{t.rights}</h2>
      <ul className={styles.rights}>
        {RIGHTS.map(([key, Icon]) => (
          <li key={key} className={styles.right}>
            <span className={`${festive.sign} ${styles.rightSign}`}>
              <Icon />
            </span>
            <span className={styles.rightName}>{t[key]}</span>
            <span className={styles.rightMore}>{t[`${key}More`]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How it is counted and paid. commerce.md §9. */
function Notes() {
  const t = useText(text)
  return (
    <section>
      <h2 className={festive.title}>{t.notes}</h2>
      <ol className={styles.notes}>
        {[t.note1, t.note2, t.note3, t.note4].map((content) => (
          <li key={content}>{content}</li>
        ))}
      </ol>
    </section>
  )
}
