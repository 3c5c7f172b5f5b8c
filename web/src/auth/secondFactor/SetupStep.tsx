import {
  type beginSecondFactor,
  confirmSecondFactor,
  TOTP_DIGITS,
} from '@guildhall/wire/auth/secondFactor.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import { useState } from 'react'
import { copyText } from '../../kit/browser/clipboard.ts'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import styles from './SecondFactor.module.css'
import { secondFactorScreenText } from './secondFactorScreenText.ts'

const QrPicture = lazy(() => loadPart(() => import('../../ui/picture/QrPicture.tsx')))

/** The secret for the authenticator app, as a picture, a link and text, and the app's first code. */
export function SetupStep(props: {
  setup: AnswerOf<typeof beginSecondFactor>
  onCodes: (codes: readonly string[]) => void
}) {
  const t = useText(secondFactorScreenText)
  const { address, secret, setup } = props.setup
  const [code, setCode] = useState('')
  const form = useForm<'code'>()
  const confirmation = useCall(confirmSecondFactor)

  const submit = async () => {
    if (!form.show(code === '' ? { code: t.codeRequired } : {})) return
    const answer = await confirmation.run({ setup, code }, ({ name, message }) =>
      name === 'auth.second_factor_wrong' ? form.show({ code: message }) : form.show({}, message),
    )
    if (answer) props.onCodes(answer.recovery_codes)
  }
  return (
    <OwnerForm
      title={t.setupTitle}
      why={t.setupWhy}
      form={form}
      button={t.turnOn}
      busy={confirmation.status === 'busy'}
      onSubmit={() => void submit()}
    >
      <div className={styles.qr}>
        <Suspense>
          <QrPicture text={address} label={t.qr} />
        </Suspense>
      </div>
      <a className={`${buttonClass('plain')} ${styles.open}`} href={address}>
        {t.openApp}
      </a>
      <div className={styles.secret}>
        <p>
          <small>{t.byHand}</small>
          <code data-part="secret">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <Button
          kind="plain"
          onPress={() => void copyText(secret).then((isDone) => toast(isDone ? t.copied : t.copyFailed))}
        >
          {t.copySecret}
        </Button>
      </div>
      <Field
        label={t.code}
        name="second-factor"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={TOTP_DIGITS}
        value={code}
        read={foldDigits}
        onChange={setCode}
        error={form.errors.code}
      />
    </OwnerForm>
  )
}
