/**
 * What proves that an account is one's own, in forms that change it: its password, or a code sent to its
 * number.
 */
import { foldDigits } from '@guildhall/wire/typed.ts'
import { useEffect, useRef, useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { SmsCodeButton } from '../ui/SmsCodeButton.tsx'
import { useMe } from './auth.ts'
import { changeText } from './changeText.ts'
import { PasswordField } from './fields.tsx'
import styles from './OwnerForm.module.css'

export interface OwnerProof {
  readonly hasPassword: boolean
  readonly isByCode: boolean
  /** The password or the code. */
  readonly value: string
  /** As calls take it. */
  readonly owner: { readonly password: string; readonly code: string }
  /** What is missing, in words; null: nothing is. */
  readonly missing: string | null
  readonly change: (value: string) => void
  /** From the password to the code, and back. */
  readonly switchWay: () => void
  /** What a refusal says under the field; null: it is about something else. */
  readonly errorOf: (failure: CallFailure) => string | null
}

/** Who has no password proves it by a code. */
export function useOwnerProof(hasPassword: boolean): OwnerProof {
  const t = useText(changeText)
  const [isByCode, setByCode] = useState(!hasPassword)
  const [value, setValue] = useState('')
  return {
    hasPassword,
    isByCode,
    value,
    owner: isByCode ? { password: '', code: value } : { password: value, code: '' },
    missing: value === '' ? (isByCode ? t.ownCodeRequired : t.currentRequired) : null,
    change: setValue,
    switchWay: () => {
      setByCode(!isByCode)
      setValue('')
    },
    errorOf: ({ name, message, fields, extra }) => {
      if (name === 'auth.password_wrong') return t.currentWrong
      return extra.owner === true ? (fields.code ?? message) : null
    },
  }
}

/** The field of a proof. `page` names the countdown of its button; `onFailure`: the code was not sent. */
export function ProofField(props: {
  proof: OwnerProof
  page: string
  error: string | undefined
  onFailure: (failure: CallFailure) => void
  onSwitch: () => void
}) {
  const t = useText(changeText)
  const me = useMe()
  const { proof } = props
  const [shown, setShown] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const switched = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field was replaced
  useEffect(() => {
    if (switched.current) box.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [proof.isByCode])
  return (
    <div className={styles.proof} ref={box}>
      {proof.isByCode ? (
        <Field
          label={t.ownCode(me.mobile)}
          name="own-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={proof.value}
          read={foldDigits}
          onChange={proof.change}
          error={props.error}
          after={
            <SmsCodeButton
              page={props.page}
              type="confirm"
              mobile={me.mobile}
              prefix={me.mobile_prefix}
              check={() => true}
              onFailure={props.onFailure}
            />
          }
        />
      ) : (
        <PasswordField
          label={t.current}
          name="current-password"
          kind="current-password"
          value={proof.value}
          onChange={proof.change}
          error={props.error}
          shown={shown}
          onShown={setShown}
        />
      )}
      {proof.hasPassword && (
        <Button
          kind="plain"
          onPress={() => {
            switched.current = true
            proof.switchWay()
            props.onSwitch()
          }}
        >
          {proof.isByCode ? t.byPassword : t.byCode}
        </Button>
      )}
    </div>
  )
}
