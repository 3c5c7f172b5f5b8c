import { verifyMobile } from '@guildhall/wire/auth/owner.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { MobileCodeFields, useMobileCode } from '../../ui/form/MobileCode.tsx'
import { useMe } from '../auth.ts'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ProofField, useOwnerProof } from '../owner/ownerProof.tsx'
import { text } from '../text.ts'
import { useAuthForm } from '../useAuthForm.ts'
import { ChangePage, useChanged, WithOwner } from './ChangePage.tsx'
import { changeText } from './changeText.ts'

/**
 * /account/number: gives the account another number, proven by its code; the password, or a code of the old
 * one, proves whose account it is.
 */
export default function ChangeNumberScreen() {
  const t = useText(changeText)
  return (
    <ChangePage title={t.number}>
      <WithOwner>{(hasPassword) => <NumberForm hasPassword={hasPassword} />}</WithOwner>
    </ChangePage>
  )
}

function NumberForm({ hasPassword }: { hasPassword: boolean }) {
  const t = useText(changeText)
  const content = { ...useText(text), mobile: t.newNumber }
  const me = useMe()
  const changed = useChanged()
  const proof = useOwnerProof(hasPassword)
  const typed = useMobileCode('number', content, '')
  const form = useAuthForm<'owner' | 'mobile' | 'code'>(['mobile', 'code'], content)
  const change = useCall(verifyMobile)

  const refused = (failure: CallFailure) => {
    const owner = proof.errorOf(failure)
    if (owner === null) form.refused(failure)
    else form.show({ owner })
  }
  const submit = async () => {
    if (!form.show({ ...proof.missing, ...typed.missing })) return
    const mobile = { ...typed.number, code: typed.code }
    const answer = await change.run({ mobile, owner: proof.owner }, refused)
    if (answer) changed(answer, t.numberSaved)
  }
  return (
    <OwnerForm
      title={t.number}
      why={t.numberWhy(me.mobile)}
      form={form}
      button={t.save}
      busy={change.status === 'busy'}
      onSubmit={() => void submit()}
    >
      <ProofField proof={proof} page="number-owner" form={form} />
      <MobileCodeFields of={typed} form={form} type="verify" onFailure={form.refused} />
    </OwnerForm>
  )
}
