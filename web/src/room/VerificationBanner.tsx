import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { Banner } from '../ui/picture/Banner.tsx'
import { text } from './text.ts'
import styles from './VerificationBanner.module.css'

/** Once closed, the banner stays closed until the page is reloaded. */
let bannerClosed = false

/** Asks a user without a verified number to verify it, above the messages. chat.md §2. */
export function VerificationBanner() {
  const t = useText(text)
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
      {t.verifyBanner}
    </Banner>
  )
}
