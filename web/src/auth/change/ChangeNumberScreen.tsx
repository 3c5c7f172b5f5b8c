import { verifyMail } from '@guildhall/wire/auth/mail.ts'
import { verifyMobile } from '@guildhall/wire/auth/owner.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { useMe } from '../auth.ts'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ProofField, useOwnerProof } from '../owner/ownerProof.tsx'
import { text } from '../text.ts'
import { useAuthForm } from '../useAuthForm.ts'
import { CONTACT_FIELDS, type ContactField, ContactFields, useContact } from '../ways/contact.tsx'
import { useWay } from '../ways/useWay.ts'
import { wayText } from '../ways/wayText.ts'
import { ChangePage, useChanged, WithOwner } from './ChangePage.tsx'
import { changeText } from './changeText.ts'

/**
 * /account/number: gives the account another number, proven by its code; the password, or a code of the old
 * one, proves whose account it is.
 */
export default function ChangeNumberScreen() {
  const t = useText(changeText)
  const tWay = useText(wayText)
  const { way } = useWay(['sms', 'email'])
  return (
    <ChangePage title={way === 'email' ? tWay.title : t.number}>
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
  const tWay = useText(wayText)
  const typed = useContact('number', content, '')
  const form = useAuthForm<'owner' | ContactField>(CONTACT_FIELDS, content)
  const change = useCall(verifyMobile)
  const byMail = useCall(verifyMail)

  const refused = (failure: CallFailure) => {
    const owner = proof.errorOf(failure)
    if (owner === null) form.refused(failure)
    else form.show({ owner })
  }
  const submit = async () => {
    if (!form.show({ ...proof.missing, ...typed.missing })) return
    const { owner } = proof
    const answer = typed.isMail
      ? await byMail.run({ ...typed.mail.input, owner }, refused)
      : await change.run({ mobile: typed.number.input, owner }, refused)
    if (answer) changed(answer, typed.isMail ? tWay.saved : t.numberSaved)
  }
  return (
    <OwnerForm
      title={typed.isMail ? tWay.title : t.number}
      why={me.address ? tWay.now(me.address) : me.mobile && t.numberWhy(me.mobile)}
      form={form}
      button={t.save}
      busy={change.status === 'busy' || byMail.status === 'busy'}
      onSubmit={() => void submit()}
    >
      <ProofField proof={proof} page="number-owner" form={form} />
      <ContactFields
        of={typed}
        form={form}
        type="verify"
        addressLabel={tWay.newAddress}
        onFailure={form.refused}
      />
    </OwnerForm>
  )
}
