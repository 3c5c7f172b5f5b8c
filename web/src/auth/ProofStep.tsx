import type { unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import type {
  beginSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from '@guildhall/wire/auth/secondFactor.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import type { CallFailure, CallInput } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { changeText } from './changeText.ts'
import { OwnerForm } from './OwnerForm.tsx'
import { ProofField, useOwnerProof } from './ownerProof.tsx'

type ProvenRoute =
  | typeof beginSecondFactor
  | typeof endSecondFactor
  | typeof renewRecoveryCodes
  | typeof unlinkThirdParty

/**
 * Proves that the account is one's own, by its password or a code sent to its number, and makes a call with
 * the proof. What the call needs beside it and `input`, it asks for itself. `page` names the countdown of the
 * button that sends a code.
 */
export function ProofStep<R extends ProvenRoute>(props: {
  route: R
  input?: Omit<CallInput<R>, 'owner'>
  page: string
  why: string
  button: string
  danger?: boolean
  hasPassword: boolean
  onDone: (answer: AnswerOf<R>) => void
}) {
  const t = useText(changeText)
  const proof = useOwnerProof(props.hasPassword)
  const [errors, setErrors] = useState<{ owner?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const proven = useCall(props.route)

  const say = (owner: string | null, other = '') => {
    setErrors(owner === null ? {} : { owner })
    setProblem(other)
  }
  const refused = (failure: CallFailure) => {
    const owner = proof.errorOf(failure) ?? failure.fields.code ?? null
    say(owner, owner === null ? failure.message : '')
  }
  const submit = async () => {
    say(proof.missing)
    if (proof.missing !== null) return
    const answer = await proven.run({ ...props.input, owner: proof.owner } as CallInput<R>, refused)
    if (answer) props.onDone(answer)
  }
  return (
    <OwnerForm
      title={t.ownerTitle}
      why={props.why}
      problem={problem}
      button={props.button}
      danger={props.danger ?? false}
      busy={proven.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      <ProofField
        proof={proof}
        page={props.page}
        error={errors.owner}
        onFailure={refused}
        onSwitch={() => say(null)}
      />
    </OwnerForm>
  )
}
