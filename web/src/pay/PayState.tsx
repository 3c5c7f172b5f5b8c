import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { canCloseHost, closeHost } from '../native/payBridge.ts'
import { BILL } from '../order/order.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { boughtAt } from './boughtAt.ts'
import styles from './PayPages.module.css'
import { StateText } from './StateText.tsx'
import { text } from './text.ts'

/** The state of a payment as a whole screen. */
export function PayState(props: Parameters<typeof StateText>[0] & { actions?: ReactNode }) {
  return (
    <Page>
      <main className={styles.page}>
        <StateText {...props} top />
        <div className={styles.actions}>{props.actions}</div>
      </main>
    </Page>
  )
}

/** Closes the page where the app around it can do that; elsewhere leads to the product. */
export function CloseHost({ isMain = false }: { isMain?: boolean }) {
  const t = useText(text)
  if (canCloseHost())
    return (
      <Button kind={isMain ? 'main' : 'quiet'} block onPress={closeHost}>
        {isMain ? t.done : t.closePage}
      </Button>
    )
  return (
    <Link
      className={buttonClass(isMain ? 'main' : 'quiet', true)}
      to={isLoggedIn() ? paths.channels() : paths.home()}
    >
      {t.toHome}
    </Link>
  )
}

/**
 * The ways on from a payment. `isMain`: there is nothing else to do. `guildId`: of the order; its page is
 * where the person came from, when this tab does not know.
 */
export function WaysOn({ isMain = true, guildId = '' }: { isMain?: boolean; guildId?: string }) {
  const t = useText(text)
  const from = isLoggedIn() ? (boughtAt() ?? (guildId && `/guild/boost/${guildId}`)) : null
  return (
    <>
      {from && (
        <Link className={buttonClass(isMain ? 'main' : 'quiet', true)} to={from} replace>
          {from === BILL ? t.toBill : /^\/guild\//.test(from) ? t.toGuild : t.toBought}
        </Link>
      )}
      <CloseHost isMain={isMain && !from} />
      {isLoggedIn() && from !== BILL && (
        <Link className={buttonClass('quiet', true)} to={BILL} replace>
          {t.toBill}
        </Link>
      )}
    </>
  )
}
