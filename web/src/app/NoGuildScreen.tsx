import { useText } from '../kit/i18n.ts'
import { leavePage } from '../native/shellPage.ts'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { NoGuildHere } from '../ui/state/GuildNotLoaded.tsx'
import { text } from '../ui/state/guildNotLoadedText.ts'

/** A page of a guild whose address names none. commerce.md §8. */
export default function NoGuildScreen() {
  const t = useText(text)
  useProductTitle(t.noGuild)
  return (
    <Page>
      <TopBar title="" onBack={() => void leavePage()} />
      <main>
        <NoGuildHere title={t.noGuild} />
      </main>
    </Page>
  )
}
