import { useState } from 'react'
import { Link } from 'react-router'
import { useContactWords } from '../kit/browser/useContactWords.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { Banner } from '../ui/picture/Banner.tsx'
import { bannerText } from './bannerText.ts'
import styles from './VerificationBanner.module.css'

/** Once closed, the banner stays closed until the page is reloaded. */
let bannerClosed = false

/** Asks a user who is not verified to verify what can be proven here, above the messages. chat.md §2. */
export default function VerificationBanner() {
  const t = useText(bannerText)
  const { proof } = useContactWords()
  const [isOpen, setIsOpen] = useState(!bannerClosed)
  if (!isOpen) return null
  return (
    <Banner
      action={
        <Link className={styles.verify} to={paths.authenticate()}>
          {t.verify}
        </Link>
      }
      onClose={() => {
        bannerClosed = true
        setIsOpen(false)
      }}
    >
      {t.verifyBanner(proof)}
    </Banner>
  )
}
