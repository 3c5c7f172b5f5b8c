import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { NextIcon } from '../ui/icon/icons.tsx'
import { RenewIcon, TicketIcon } from '../ui/icon/payIcons.tsx'
import styles from './Product.module.css'
import { text } from './text.ts'

/** The ways to what renews itself and to redeeming a code. `type`: what is managed there first. */
export function ShopLinks({ type }: { type: 'buff' | 'other' }) {
  const t = useText(text)
  return (
    <nav className={styles.links} aria-label={t.more}>
      <Link className={styles.link} to={`/renewal/management?type=${type}`}>
        <RenewIcon size={20} />
        <span>{t.renewals}</span>
        <NextIcon size={16} />
      </Link>
      <Link className={styles.link} to="/cdk">
        <TicketIcon size={20} />
        <span>{t.redeem}</span>
        <NextIcon size={16} />
      </Link>
    </nav>
  )
}
