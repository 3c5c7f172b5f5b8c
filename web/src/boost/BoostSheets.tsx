import type { GuildId } from '@guildhall/wire/id.ts'
import { yuan } from '@guildhall/wire/money.ts'
import { ORDER_COUNT_MAX } from '@guildhall/wire/order/order.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { PaySheet } from '../pay/pay.tsx'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import styles from './Boost.module.css'
import { Stepper } from './Stepper.tsx'
import { text } from './text.ts'
import { reloadBoosts, type useBuyingBoosts, useUsing } from './useBoosts.ts'

interface TargetGuild {
  readonly id: GuildId
  readonly name: string
  readonly icon: string
}

const Target = ({ guild }: { guild: TargetGuild }) => (
  <p className={styles.target}>
    <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={40} />
    <span>{guild.name}</span>
  </p>
)

/** How many packs are wanted, and how far that is: `isReach`: for the level that they bring. */
export interface Asks {
  readonly wanted: number
  readonly step: 'choose' | 'use'
  readonly isReach?: boolean
}

/** Packs that one has, or packs that are bought. */
export function ChooseSheet(props: {
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

/** Uses packs of the person on a guild: from none of them to all. */
export function UseSheet(props: {
  guild: TargetGuild
  unused: number
  wanted?: number | undefined
  onClose: () => void
}) {
  const t = useText(text)
  const { guild, unused, onClose } = props
  const [count, setCount] = useState(Math.min(props.wanted ?? 1, unused))
  const { use, isBusy } = useUsing()
  return (
    <Sheet title={t.usePacks} onClose={onClose}>
      <div className={styles.choose}>
        <Target guild={guild} />
        <p className={styles.left}>{t.have(unused)}</p>
        <Stepper value={count} least={0} most={unused} onChange={setCount} />
        <Button
          block
          busy={isBusy}
          disabled={count === 0}
          onPress={() => void use(guild.id, count).then((done) => done && onClose())}
        >
          {t.confirmUse}
        </Button>
      </div>
    </Sheet>
  )
}

/** Chooses how many packs to buy, and pays them. */
export function BuySheets({ buying }: { buying: ReturnType<typeof useBuyingBoosts> }) {
  const t = useText(text)
  const { product, count, guild } = buying
  if (!product) return null
  return (
    <>
      {buying.isChoosing && (
        <Sheet title={guild ? t.reach : t.buy} onClose={buying.stop}>
          <div className={styles.choose}>
            {guild && <Target guild={guild} />}
            <p className={styles.target}>
              <span>{product.name}</span>
              <span className={styles.unit}>{yuan(product.price)}</span>
            </p>
            <Stepper value={count} least={1} most={ORDER_COUNT_MAX} onChange={buying.setCount} />
            <p className={styles.sum}>
              {t.total} <strong>{yuan(product.price * count)}</strong>
            </p>
            <Button block onPress={buying.goOn}>
              {t.pay}
            </Button>
          </div>
        </Sheet>
      )}
      {buying.isPaying && (
        <Suspense>
          <PaySheet
            pay={{ productId: product.id, count, ...(guild && { guildId: guild.id }) }}
            ways={product.browser_ways}
            onPaid={reloadBoosts}
            onClose={buying.stop}
          />
        </Suspense>
      )}
    </>
  )
}
