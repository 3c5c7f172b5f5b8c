import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { text } from '../kit/text.ts'

/** What going on means, with the two documents. They open beside the form, so that nothing typed is lost. */
export function Agreement() {
  const t = useText(text)
  return (
    <p className="agreement">
      {t.agree}{' '}
      <a href={paths.terms()} target="_blank" rel="noopener">
        {t.terms}
      </a>{' '}
      {t.and}{' '}
      <a href={paths.privacy()} target="_blank" rel="noopener">
        {t.privacy}
      </a>
    </p>
  )
}
