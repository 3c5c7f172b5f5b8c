import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import type { RouteQuery } from '../kit/routeQuery.ts'
import { useOnShown } from '../native/shellPage.ts'
import festive from '../ui/Festive.module.css'
import { FestivePage } from '../ui/page/FestivePage.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { PackagesSkeleton } from './Packages.tsx'
import styles from './Product.module.css'
import { text } from './text.ts'

/** A page of the shop: what the person has, `head`, and below it what is on offer. */
export function ShopPage<Offer>(props: {
  title: string
  head: ReactNode
  offer: RouteQuery<Offer>
  /** What failed where the offer is not there. */
  failed: string
  /** What the person has may be another than before. */
  reload: () => void
  /** At the end of its bar. */
  actions: ReactNode
  children: (offer: Offer) => ReactNode
}) {
  const navigate = useNavigate()
  useOnShown(props.reload)
  return (
    <FestivePage
      title={props.title}
      onBack={() => void navigate(paths.account())}
      actions={props.actions}
      className={styles.screen}
    >
      {props.head}
      <Loaded of={props.offer} title={props.failed} wait={<PackagesSkeleton />}>
        {props.children}
      </Loaded>
    </FestivePage>
  )
}

/** What the person has renews itself. `type`: what is managed there. */
export function RenewsLine({ type }: { type: 'buff' | 'other' }) {
  const t = useText(text)
  return (
    <p className={festive.until}>
      {t.renews} · <Link to={`/renewal/management?type=${type}`}>{t.manage}</Link>
    </p>
  )
}
