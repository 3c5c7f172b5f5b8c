import { deleteAccount } from '@guildhall/wire/account/account.ts'
import { contactWords } from '@guildhall/wire/auth/contactWords.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { clearUserStorage } from '../../kit/browser/storage.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { cache } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { leaveLayers } from '../../ui/overlay/layers.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { useMe } from '../auth.ts'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ProofField, showUnproven, useOwnerProof } from '../owner/ownerProof.tsx'
import { ChangePage, WithOwner } from './ChangePage.tsx'
import styles from './DeleteAccountScreen.module.css'
import { deletionText } from './deletionText.ts'

/** /account/delete: deletes the account for good, after the password, or a code, and a last question. */
export default function DeleteAccountScreen() {
  const t = useText(deletionText)
  return (
    <ChangePage title={t.title}>
      <WithOwner>{(hasPassword) => <DeletionForm hasPassword={hasPassword} />}</WithOwner>
    </ChangePage>
  )
}

function DeletionForm({ hasPassword }: { hasPassword: boolean }) {
  const t = useText(deletionText)
  const navigate = useNavigate()
  const proof = useOwnerProof(hasPassword)
  const [isWithMessages, setWithMessages] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const form = useForm<'owner'>()
  const deletion = useCall(deleteAccount)
  const locale = useLocale()
  const { address, mobile } = useMe()
  const first =
    address || mobile ? t.freed(contactWords([address ? 'email' : 'sms'], locale).contact) : t.signedOut

  const remove = async () => {
    setAsked(false)
    await leaveLayers()
    const input = { ...proof.owner, words: isWithMessages }
    if (!(await deletion.run(input, (failure) => showUnproven(failure, proof, form)))) return
    clearUserStorage()
    cache.clear()
    toast(t.done)
    void navigate(paths.home(), { replace: true })
  }
  return (
    <>
      <OwnerForm
        title={t.title}
        why={t.why}
        form={form}
        button={t.title}
        danger
        busy={deletion.status === 'busy'}
        onSubmit={() => form.show(proof.missing) && setAsked(true)}
      >
        <ul className={styles.facts}>
          {[first, ...t.facts].map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <label className={styles.words}>
          <input
            type="checkbox"
            checked={isWithMessages}
            onChange={(event) => setWithMessages(event.currentTarget.checked)}
          />
          <span>{t.words}</span>
        </label>
        <ProofField proof={proof} page="delete" form={form} />
      </OwnerForm>
      {isAsked && (
        <Dialog
          title={t.sure}
          message={isWithMessages ? t.sureWithWords : t.sureWhy}
          confirm={t.confirm}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
