import { secondFactorState } from '@guildhall/wire/auth/secondFactor.ts'
import { offeredThirdParties } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { waysIn } from '@guildhall/wire/auth/ways.ts'
import type { AccountAddress } from '@guildhall/wire/pages.ts'
import { viewRealName } from '@guildhall/wire/realname/realname.ts'
import { type ReactNode, use, useId, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { logOut, useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { cache, useRouteQuery } from '../kit/routeQuery.ts'
import { EditIcon, LockIcon, ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { DownloadIcon, NextIcon, TextChannelIcon } from '../ui/icon/icons.tsx'
import {
  LeaveIcon,
  LinkIcon,
  PhoneIcon,
  ScreenIcon,
  SlidersIcon,
  TrashIcon,
  UserIcon,
} from '../ui/icon/laterIcons.tsx'
import { BillIcon, CrownIcon, RenewIcon, RocketIcon, ShareIcon, TicketIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { DeskContext } from '../ui/page/desk.ts'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { useBackToChannels } from '../ui/page/useBackToChannels.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { LanguageRow, ThemeRow } from '../ui/SettingRows.tsx'
import styles from './Account.module.css'
import { InviteRow } from './InviteRow.tsx'
import { text } from './text.ts'
import { useExport } from './useExport.ts'

const NotificationRows = lazy(() => loadPart(() => import('./NotificationRows.tsx')))

/** /account: one's own account, with everything that can be set for it. */
export default function AccountScreen() {
  const t = useText(text)
  const desk = use(DeskContext)
  const back = useBackToChannels()
  const data = useExport()
  return (
    <TitledPage title={t.title} onBack={back}>
      <main className={styles.account}>
        {!desk && <Sections />}
        <Group title={t.general}>
          <ThemeRow />
          <LanguageRow />
          <Suspense fallback={<div className={styles.waiting} />}>
            {desk && <desk.SettingRows />}
            <NotificationRows />
          </Suspense>
        </Group>
        <Group title={t.data}>
          <button
            type="button"
            className={menuStyles.item}
            aria-disabled={data.isBusy || undefined}
            onClick={data.start}
          >
            <DownloadIcon />
            <span className={menuStyles.label} aria-live="polite">
              {data.isBusy ? t.exporting(data.count) : t.export}
            </span>
          </button>
          <Row to="/account/delete" icon={<TrashIcon />} label={t.remove} />
        </Group>
        <LogOut />
      </main>
    </TitledPage>
  )
}

/** A page of the account; at a desk all of them are listed beside it. */
export function BesideSections({ children }: { children: ReactNode }) {
  const t = useText(text)
  return use(DeskContext) ? (
    <div className={styles.beside}>
      <nav className={styles.sections} aria-label={t.title} data-part="sections">
        <Sections />
      </nav>
      {children}
    </div>
  ) : (
    children
  )
}

function Sections() {
  const t = useText(text)
  const me = useMe()
  const desk = use(DeskContext)
  return (
    <>
      <Me />
      <Group title={t.profile}>
        {desk && <Row to={paths.account()} icon={<SlidersIcon />} label={t.general} />}
        <Row to="/account/avatar" icon={<Avatar of={me} size={24} />} label={t.picture} />
        <Row to="/account/name" icon={<UserIcon />} label={t.username} value={me.username} />
        <Row to="/account/digits" icon={<TextChannelIcon />} label={t.digits} value={`#${me.identify_num}`} />
        <InviteRow />
      </Group>
      <Money />
      <Security />
    </>
  )
}

/** Who one is. */
function Me() {
  const t = useText(text)
  const me = useMe()
  const contact = me.address || me.mobile
  return (
    <div className={styles.me}>
      <Link className={styles.picture} to="/account/avatar" aria-label={t.changePicture}>
        <Avatar of={me} size={64} />
        <EditIcon size={14} />
      </Link>
      <div>
        <p className="named">
          <span className={styles.name}>{me.username}</span>
          {me.is_vip && <BuffMark />}
        </p>
        <p className={styles.number}>
          #{me.identify_num}
          {contact && ` · ${contact}`}
        </p>
      </div>
    </div>
  )
}

function Money() {
  const t = useText(text)
  const me = useMe()
  return (
    <Group title={t.money}>
      <Row to="/account/buff" icon={<CrownIcon />} label={t.buff} value={me.is_vip ? t.isOn : undefined} />
      <Row to="/account/boost" icon={<RocketIcon />} label={t.boost} />
      <Row to="/account/golive" icon={<ShareIcon />} label={t.golive} />
      <Row to="/account/order-list" icon={<BillIcon />} label={t.bill} />
      <Row to="/renewal/management?type=buff" icon={<RenewIcon />} label={t.renewals} />
      <Row to="/cdk" icon={<TicketIcon />} label={t.redeem} />
    </Group>
  )
}

function Security() {
  const t = useText(text)
  const me = useMe()
  const factor = useRouteQuery(secondFactorState, {})
  const realName = useRouteQuery(viewRealName, {})
  const [hasThirdParties] = useState(() => offeredThirdParties(document.cookie).length > 0)
  const [contacts] = useState(() => waysIn(document.cookie).filter((way) => way !== 'invite'))
  const has = me.address ? 'email' : me.mobile ? 'sms' : null
  const [only, other] = has ? [has] : contacts
  const contactLabel = other ? t.either : only === 'sms' ? t.number : t.address
  return (
    <Group title={t.security}>
      {contacts.length > 0 && (
        <Row
          to={me.mobile_verified ? '/account/number' : paths.authenticate(paths.account())}
          icon={<PhoneIcon />}
          label={contactLabel}
          value={me.mobile_verified ? me.address || me.mobile : t.verifyFirst}
        />
      )}
      <Row to="/account/password" icon={<LockIcon />} label={t.password} />
      <Row
        to="/account/second-factor"
        icon={<ShieldIcon />}
        label={t.secondFactor}
        value={factor.answer ? (factor.answer.on ? t.isOn : t.isOff) : undefined}
      />
      {hasThirdParties && <Row to="/account/linked" icon={<LinkIcon />} label={t.linked} />}
      {realName.answer?.offered && (
        <Row
          to="/account/authentication"
          icon={<ShieldIcon />}
          label={t.realName}
          value={realName.answer.verified ? t.isVerified : t.notVerified}
        />
      )}
      <Row to="/account/devices" icon={<ScreenIcon />} label={t.devices} />
    </Group>
  )
}

function LogOut() {
  const t = useText(text)
  const navigate = useNavigate()
  const [isLeaving, setLeaving] = useState(false)
  const leave = () => {
    // The user's data is deleted at once; the call to the server follows in the background.
    void logOut()
    cache.clear()
    void navigate(paths.home(), { replace: true })
  }
  return (
    <>
      <Group>
        <button
          type="button"
          className={`${menuStyles.item} ${menuStyles.danger}`}
          onClick={() => setLeaving(true)}
        >
          <LeaveIcon />
          <span className={menuStyles.label}>{t.logout}</span>
        </button>
      </Group>
      {isLeaving && (
        <Dialog
          title={t.logoutTitle}
          message={t.logoutWords}
          confirm={t.logout}
          danger
          onConfirm={leave}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  )
}

/** A row that leads to a page, with what is set there now. */
function Row(props: {
  to: AccountAddress | ReturnType<typeof paths.authenticate> | '/cdk' | '/renewal/management?type=buff'
  icon: ReactNode
  label: string
  value?: string | undefined
}) {
  const isOpen = useLocation().pathname === props.to
  return (
    <Link className={menuStyles.item} to={props.to} aria-current={isOpen ? 'page' : undefined}>
      {props.icon}
      <span className={menuStyles.label}>{props.label}</span>
      {props.value && <span className={`${menuStyles.value} ${styles.value}`}>{props.value}</span>}
      <NextIcon size={16} />
    </Link>
  )
}

/** Rows that belong together, in a card. */
function Group({ title, children }: { title?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={title && id}>
      {title && (
        <h2 className={styles.groupTitle} id={id}>
          {title}
        </h2>
      )}
      <div className={styles.card}>{children}</div>
    </section>
  )
}
