/**
 * What proves that an account is one's own, in forms that change it: its password, or a code sent to its
 * number.
 */

import { useEffect, useRef, useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/form/MobileCode.tsx'
import type { Errors, FormState } from '../../ui/form/useForm.ts'
import { useMe } from '../auth.ts'
import { changeText } from '../change/changeText.ts'
import { PasswordField } from '../fields.tsx'
import styles from './OwnerForm.module.css'

export interface OwnerProof {
  readonly hasPassword: boolean
  readonly isByCode: boolean
  /** The password or the code. */
  readonly value: string
  /** As calls take it. */
  readonly owner: { readonly password: string; readonly code: string }
  /** What is missing. */
  readonly missing: Errors<'owner'>
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
    missing: value === '' ? { owner: isByCode ? t.ownCodeRequired : t.currentRequired } : {},
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

/** Shows why a call was refused, under the field of the proof where it is about that. */
export function showUnproven(failure: CallFailure, proof: OwnerProof, form: FormState<'owner'>): void {
  const owner = proof.errorOf(failure) ?? failure.fields.code
  if (owner) form.show({ owner })
  else form.show({}, failure.message)
}

/** The field of a proof. `page` names the countdown of its button. */
export function ProofField(props: { proof: OwnerProof; page: string; form: FormState<'owner'> }) {
  const t = useText(changeText)
  const { proof, form } = props
  const { mobile, address } = useMe()
  // Who logs in by a name has nowhere to send a code.
  const canCode = Boolean(address || mobile)
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
        <OwnCodeField {...props} />
      ) : (
        <PasswordField
          label={t.current}
          name="current-password"
          kind="current-password"
          value={proof.value}
          onChange={proof.change}
          error={form.errors.owner}
          shown={shown}
          onShown={setShown}
        />
      )}
      {proof.hasPassword && canCode && (
        <Button
          kind="plain"
          onPress={() => {
            switched.current = true
            proof.switchWay()
            form.show({})
          }}
        >
          {proof.isByCode ? t.byPassword : address ? t.byMail : t.byCode}
        </Button>
      )}
    </div>
  )
}

/** A code that is sent to the number of the account. */
function OwnCodeField({ proof, page, form }: { proof: OwnerProof; page: string; form: FormState<'owner'> }) {
  const t = useText(changeText)
  const me = useMe()
  const own = me.address || me.mobile
  return (
    <CodeField
      label={t.ownCode(own)}
      name="own-code"
      value={proof.value}
      onChange={proof.change}
      error={form.errors.owner}
      button={{
        page,
        type: 'confirm',
        mobile: own,
        prefix: me.mobile_prefix,
        check: () => true,
        onFailure: (failure) => showUnproven(failure, proof, form),
      }}
    />
  )
}
