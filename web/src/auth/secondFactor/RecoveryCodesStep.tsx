import { useState } from 'react'
import { copyText } from '../../kit/browser/clipboard.ts'
import { saveFile } from '../../kit/browser/saveFile.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import styles from './SecondFactor.module.css'
import { secondFactorScreenText } from './secondFactorScreenText.ts'

/** Recovery codes, shown this once, until their owner says that they are kept. */
export function RecoveryCodesStep({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useText(secondFactorScreenText)
  const [isKept, setKept] = useState(false)
  const form = useForm()
  const all = codes.join('\n')
  return (
    <OwnerForm
      title={t.codesTitle}
      why={t.codesWhy}
      form={form}
      button={t.finish}
      busy={false}
      onSubmit={() => (isKept ? onKept() : form.show({}, t.keptRequired))}
    >
      <ul className={styles.codes} aria-label={t.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.pair}>
        <Button
          kind="soft"
          onPress={() => void copyText(all).then((isDone) => toast(isDone ? t.copied : t.copyFailed))}
        >
          {t.copy}
        </Button>
        <Button
          kind="soft"
          onPress={() => saveFile('guildhall-recovery-codes.txt', `${t.fileHead}\n\n${all}\n`, 'text/plain')}
        >
          {t.save}
        </Button>
      </div>
      <label className={styles.kept}>
        <input
          type="checkbox"
          checked={isKept}
          onChange={(event) => {
            setKept(event.currentTarget.checked)
            form.show({})
          }}
        />
        {t.kept}
      </label>
    </OwnerForm>
  )
}
