import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { text } from '../../kit/text.ts'
import styles from './Agreement.module.css'

/** States that going on means agreement with the terms and the privacy policy, which open in a new tab. */
export function Agreement(props: { className?: string | undefined }) {
  const t = useText(text)
  return (
    <p className={props.className ? `${styles.agreement} ${props.className}` : styles.agreement}>
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
