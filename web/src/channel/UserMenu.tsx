import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { logOut, useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache, useRouteQuery } from '../kit/routeQuery.ts'
import { Badge } from '../ui/Badge.tsx'
import { ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { FriendsIcon } from '../ui/icon/icons.tsx'
import { LeaveIcon, UserIcon } from '../ui/icon/laterIcons.tsx'
import { BillIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { LanguageRow, ThemeRow } from '../ui/SettingRows.tsx'
import { menuText } from './menuText.ts'
import { text } from './text.ts'
import styles from './UserMenu.module.css'

/**
 * The user's menu: name, verification for those who lack it, account, theme, language, logout. chat.md §2.
 */
export default function UserMenu(props: { onClose: () => void }) {
  const t = useText(menuText)
  const me = useMe()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)

  const logout = () => {
    // The user's data is deleted at once; the call to the server follows in the background.
    void logOut()
    cache.clear()
    void navigate(paths.home(), { replace: true })
  }
  if (isConfirming)
    return (
      <Dialog
        title={t.logoutTitle}
        message={t.logoutWords}
        confirm={t.logout}
        danger
        onConfirm={logout}
        onClose={props.onClose}
      />
    )
  return (
    <Sheet popover="menu" title={t.me} onClose={props.onClose}>
      <div className={styles.me}>
        <Avatar of={me} size={56} />
        <div>
          <p className="named">
            <span className={styles.name}>{me.username}</span>
            {me.is_vip && <BuffMark />}
          </p>
          <p className={styles.number}>
            #{me.identify_num}
            {(me.address || me.mobile) && ` · ${me.address || me.mobile}`}
          </p>
        </div>
      </div>
      <div className={menuStyles.menu}>
        {!me.mobile_verified && <MenuLink to={paths.authenticate()} icon={<ShieldIcon />} label={t.verify} />}
        <MenuLink to={paths.friends()} icon={<FriendsIcon />} label={t.friends}>
          <Requests />
        </MenuLink>
        <MenuLink to="/account/order-list" icon={<BillIcon />} label={t.bill} />
        <MenuLink to={paths.account()} icon={<UserIcon />} label={t.account} />
        <ThemeRow />
        <LanguageRow />
        <button
          type="button"
          className={`${menuStyles.item} ${menuStyles.danger}`}
          onClick={() => setConfirming(true)}
        >
          <LeaveIcon />
          <span className={menuStyles.label}>{t.logout}</span>
        </button>
      </div>
    </Sheet>
  )
}

/** A row of the menu that leads to a page. */
function MenuLink(props: { to: string; icon: ReactNode; label: string; children?: ReactNode }) {
  return (
    <Link className={menuStyles.item} to={props.to}>
      {props.icon}
      <span className={menuStyles.label}>{props.label}</span>
      {props.children}
    </Link>
  )
}

/** How many people want to be friends. */
function Requests() {
  const t = useText(text)
  const count = useRouteQuery(listFriends, {}).answer?.request.length ?? 0
  return (
    count > 0 && (
      <>
        <span className="unseen">{t.friendRequests(count)}</span>
        <span aria-hidden="true">
          <Badge count={count} />
        </span>
      </>
    )
  )
}
