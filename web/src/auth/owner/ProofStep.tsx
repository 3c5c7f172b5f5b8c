import type { linkThirdParty, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import type {
  beginSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from '@guildhall/wire/auth/secondFactor.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { CallFailure, CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { useForm } from '../../ui/form/useForm.ts'
import { changeText } from '../change/changeText.ts'
import { OwnerForm } from './OwnerForm.tsx'
import { ProofField, showUnproven, useOwnerProof } from './ownerProof.tsx'

type ProvenRoute =
  | typeof beginSecondFactor
  | typeof endSecondFactor
  | typeof renewRecoveryCodes
  | typeof linkThirdParty
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
  /** Takes a refusal that another proof would not change; false: it is shown here. */
  onRefused?: (failure: CallFailure) => boolean
}) {
  const t = useText(changeText)
  const proof = useOwnerProof(props.hasPassword)
  const form = useForm<'owner'>()
  const proven = useCall(props.route)

  const submit = async () => {
    if (!form.show(proof.missing)) return
    const input = { ...props.input, owner: proof.owner } as CallInput<R>
    const answer = await proven.run(input, (failure) => {
      if (!props.onRefused?.(failure)) showUnproven(failure, proof, form)
    })
    if (answer) props.onDone(answer)
  }
  return (
    <OwnerForm
      title={t.ownerTitle}
      why={props.why}
      form={form}
      button={props.button}
      danger={props.danger}
      busy={proven.status === 'busy'}
      onSubmit={() => void submit()}
    >
      <ProofField proof={proof} page={props.page} form={form} />
    </OwnerForm>
  )
}
