import { setTheme } from '../kit/browser/theme.ts'
import { useTheme } from '../kit/browser/useTheme.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { text } from './text.ts'

/** Language and theme. */
export function Switches({ className }: { className?: string | undefined }) {
  const t = useText(text)
  const locale = useLocale()
  const theme = useTheme()
  return (
    <div className={className}>
      <Button kind="plain" onPress={() => setLocale(nextLocale(locale))}>
        {t.language}
      </Button>
      <Button kind="plain" onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? t.light : t.dark}
      </Button>
    </div>
  )
}
