import { beginPath, offeredThirdParties } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { useState } from 'react'
import { writeStored } from '../../kit/browser/storage.ts'
import { useText } from '../../kit/i18n.ts'
import { text } from '../text.ts'
import styles from './ThirdPartyLinks.module.css'
import { ThirdPartySign } from './ThirdPartySign.tsx'

/** Leads to the login of each third party that the server offers. chat.md §2 "Login page". */
export function ThirdPartyLinks() {
  const t = useText(text)
  const [offered] = useState(() => offeredThirdParties(document.cookie))
  if (offered.length === 0) return null
  return (
    <section className={styles.others} aria-labelledby="third-parties">
      <h2 className={styles.title} id="third-parties">
        {t.others}
      </h2>
      <ul className={styles.list}>
        {offered.map((name) => (
          <li key={name}>
            <a
              className={styles.link}
              href={beginPath(name)}
              onClick={() => writeStored('login_redir', new URLSearchParams(location.search).get('redir'))}
            >
              <ThirdPartySign of={name} size={48} />
              {name === 'qq' ? t.qqLogin : t.weixinLogin}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
