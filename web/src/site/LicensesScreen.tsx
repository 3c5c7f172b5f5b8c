import { startText } from '@guildhall/wire/site/startText.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { DocumentPage } from './DocumentPage.tsx'
import { licenseParts, licensesText } from './licensesText.ts'
import notices from './notices.txt?raw'

/** /licenses: what the software is under, and the texts of all packages in it (`scripts/notices.ts`). */
export default function LicensesScreen() {
  const t = useText(licensesText)
  return (
    <DocumentPage title={useText(startText).licenses} parts={licenseParts[useLocale()]}>
      <section aria-labelledby="notices">
        <h2 id="notices">{t.notices}</h2>
        <pre lang="en">{notices}</pre>
      </section>
    </DocumentPage>
  )
}
