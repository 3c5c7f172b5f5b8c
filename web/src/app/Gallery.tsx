import '../message/room.css'
import { Me } from '../auth/auth.ts'
import { setLocale, useLocale } from '../kit/i18n.ts'
import { setTheme, useTheme } from '../kit/theme.ts'
import { MessageRow } from '../message/MessageRow.tsx'
import { messageLike } from '../message/testing.ts'
import { cardsOf } from '../testing/cards.ts'
import { guildOf, sessionOf } from '../testing/people.ts'
import { Button, Page, TopBar } from '../ui/parts.tsx'

const CARD = 10
const logo = `${location.origin}/logo.svg`
const opened = Date.now()
const cards = Object.entries(
  cardsOf({ picture: logo, tall: logo, file: logo, audio: logo, video: logo, code: 'nobody2', now: opened }),
)
const me = sessionOf().user
const place = { me, guild: guildOf('10', 'Guildhall') }
const rights = { meId: me.id, mobile_verified: true, permissions: 0, canSend: true }
const on = { menu: () => undefined, react: () => undefined }

/** /dev/gallery: every state of what stands in a room, side by side. While developing only. */
export default function Gallery() {
  const theme = useTheme()
  const locale = useLocale()
  return (
    <Me value={me}>
      <Page>
        <TopBar
          title="Gallery"
          actions={
            <>
              <Button kind="plain" onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
                {theme}
              </Button>
              <Button kind="plain" onPress={() => setLocale(locale === 'en' ? 'zh-CN' : 'en')}>
                {locale}
              </Button>
            </>
          }
        />
        <main>
          {cards.map(([name, it], index) => (
            <section key={name} aria-label={name} data-state={name}>
              <MessageRow
                message={messageLike(index + 1, { type: CARD, content: JSON.stringify(it) })}
                head
                now={opened}
                place={place}
                rights={rights}
                on={on}
              />
            </section>
          ))}
        </main>
      </Page>
    </Me>
  )
}
