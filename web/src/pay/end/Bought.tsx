import type { Order } from '@guildhall/wire/order/order.ts'
import { useText } from '../../kit/i18n.ts'
import styles from '../PayPages.module.css'
import { text as payText } from '../text.ts'
import { text } from './text.ts'

/** What was bought, and for whom. */
export function Bought({ order }: { order: Order }) {
  const t = useText(text)
  const { each } = useText(payText)
  const whom = order.guild_id && !order.user_id ? t.forGuild(order.usage_info) : order.usage_info
  return (
    <dl className={styles.bought}>
      <dt>{t.bought}</dt>
      <dd>
        {order.lines.map(({ product_id, name, count, days = 0, packs = 0 }) => (
          <span key={product_id}>
            {[
              each(name, count),
              days > 0 && t.days(days * count),
              // That of one pack is the count itself.
              packs > 1 && t.packs(packs * count),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        ))}
      </dd>
      <dt>{t.whom}</dt>
      <dd>{whom || t.forSelf}</dd>
    </dl>
  )
}
