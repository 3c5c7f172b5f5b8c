import { texts } from '@guildhall/wire/locale.ts'
import { setTheme } from '../kit/browser/theme.ts'
import { useTheme } from '../kit/browser/useTheme.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { GlobeIcon, MoonIcon } from './icon/laterIcons.tsx'
import menuStyles from './overlay/Menu.module.css'
import styles from './SettingRows.module.css'

const text = texts({
  'zh-CN': { dark: '深色模式', language: '语言', languageNow: '中文' },
  en: { dark: 'Dark theme', language: 'Language', languageNow: 'English' },
})

/** A row of a menu that switches between the light and the dark theme. */
export function ThemeRow() {
  const t = useText(text)
  const theme = useTheme()
  return (
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
  )
}

/** A row of a menu that switches to the next language. */
export function LanguageRow() {
  const t = useText(text)
  const locale = useLocale()
  return (
    <button type="button" className={menuStyles.item} onClick={() => setLocale(nextLocale(locale))}>
      <GlobeIcon />
      <span className={menuStyles.label}>{t.language}</span>
      <span className={menuStyles.value}>{t.languageNow}</span>
    </button>
  )
}
