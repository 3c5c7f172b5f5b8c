import { useState } from 'react'
import { useNavigate } from 'react-router'
import { logOut, useMe } from '../auth/auth.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { setTheme, useTheme } from '../kit/theme.ts'
import { GlobeIcon, LeaveIcon, MoonIcon, ShieldIcon } from '../ui/icons.tsx'
import { Avatar } from '../ui/parts.tsx'
import { Dialog, Sheet } from '../ui/Sheet.tsx'
import { text } from './text.ts'

/** The user's menu: name, theme, language, verification, logout. chat.md §2. */
export function UserMenu(props: { onClose: () => void; onVerify: () => void }) {
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
        words={t.logoutWords}
        confirm={t.logout}
        danger
        onConfirm={logout}
        onClose={props.onClose}
      />
    )
  return (
    <Sheet title={t.me} onClose={props.onClose}>
      <div className="me">
        <Avatar id={me.id} name={me.username} src={me.avatar} size={56} />
        <div className="me-names">
          <p className="me-name">{me.username}</p>
          <p className="me-number">
            #{me.identify_num}
            {me.mobile && ` · ${me.mobile}`}
          </p>
        </div>
      </div>
      <div className="menu">
        {!me.mobile_verified && (
          <button type="button" className="menu-item" onClick={props.onVerify}>
            <ShieldIcon />
            <span className="menu-item-words">{t.verify}</span>
          </button>
        )}
        <button
          type="button"
          className="menu-item"
          role="switch"
          aria-checked={theme === 'dark'}
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          <MoonIcon />
          <span className="menu-item-words">{t.dark}</span>
          <span className="switch" aria-hidden="true" />
        </button>
        <button type="button" className="menu-item" onClick={() => setLocale(nextLocale(locale))}>
          <GlobeIcon />
          <span className="menu-item-words">{t.language}</span>
          <span className="menu-item-side">{t.languageNow}</span>
        </button>
        <button type="button" className="menu-item menu-item-danger" onClick={() => setConfirming(true)}>
          <LeaveIcon />
          <span className="menu-item-words">{t.logout}</span>
        </button>
      </div>
    </Sheet>
  )
}
