import { useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './RenewalAgreement.module.css'
import { text } from './text.ts'

/** The agreement to packages that renew themselves, which holds for this visit of the page. */
export function useAgreement() {
  const t = useText(text)
  const [isGiven, setGiven] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  return {
    isGiven,
    setGiven,
    box,
    ask() {
      toast(t.agreeFirst)
      box.current?.focus()
    },
  }
}

export function AgreementBox({ agreement }: { agreement: ReturnType<typeof useAgreement> }) {
  const t = useText(text)
  const [isReading, setReading] = useState(false)
  return (
    <div className={styles.agreement}>
      <label className={styles.agree}>
        <input
          ref={agreement.box}
          type="checkbox"
          checked={agreement.isGiven}
          onChange={(event) => agreement.setGiven(event.currentTarget.checked)}
        />
        {t.agree}
      </label>
      <button type="button" className={styles.agreementLink} onClick={() => setReading(true)}>
        {t.agreementLink}
      </button>
      {isReading && (
        <Dialog
          title={t.agreementTitle}
          message={t.agreementWords}
          confirm={t.ok}
          onClose={() => setReading(false)}
        />
      )}
    </div>
  )
}
