import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { logOut, useMe } from '../auth/auth.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { setTheme, useTheme } from '../kit/theme.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { GlobeIcon, LeaveIcon, MoonIcon, ShieldIcon } from '../ui/icons.tsx'
import menuStyles from '../ui/Menu.module.css'
import { Sheet } from '../ui/Sheet.tsx'
import { text } from './text.ts'
import styles from './UserMenu.module.css'

/** The user's menu: name, verification for those who lack it, theme, language, logout. chat.md §2. */
export function UserMenu(props: { onClose: () => void }) {
  const t = useText(text)
  const me = useMe()
  const navigate = useNavigate()
  const locale = useLocale()
  const theme = useTheme()
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
    <Sheet title={t.me} onClose={props.onClose}>
      <div className={styles.me}>
        <Avatar id={me.id} name={me.username} src={me.avatar} size={56} />
        <div>
          <p className={styles.name}>{me.username}</p>
          <p className={styles.number}>
            #{me.identify_num}
            {me.mobile && ` · ${me.mobile}`}
          </p>
        </div>
      </div>
      <div className={menuStyles.menu}>
        {!me.mobile_verified && (
          <Link className={menuStyles.item} to={paths.authenticate()}>
            <ShieldIcon />
            <span className={menuStyles.label}>{t.verify}</span>
          </Link>
        )}
        <button
          type="button"
          className={menuStyles.item}
          role="switch"
          aria-checked={theme === 'dark'}
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          <MoonIcon />
          <span className={menuStyles.label}>{t.dark}</span>
          <span className={styles.switch} aria-hidden="true" />
        </button>
        <button type="button" className={menuStyles.item} onClick={() => setLocale(nextLocale(locale))}>
          <GlobeIcon />
          <span className={menuStyles.label}>{t.language}</span>
          <span className={menuStyles.value}>{t.languageNow}</span>
        </button>
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
