import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { nameProblem } from '@guildhall/wire/user/name.ts'
import { readName } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Field } from '../ui/Field.tsx'
import { toast } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { useMe } from './auth.ts'
import { ChangePage, useBackToAccount } from './ChangePage.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import { OwnerForm } from './OwnerForm.tsx'

/** /account/name: changes the username. */
export default function ChangeNameScreen() {
  const t = useText(changeText)
  const me = useMe()
  const leave = useBackToAccount()
  const [username, setUsername] = useState(me.username)
  const [errors, setErrors] = useState<{ username?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const change = useCall(renameSelf)

  const refused = ({ name, message }: CallFailure) => {
    if (name === 'user.name_wrong') setErrors({ username: t.nameWrong })
    else setProblem(message)
  }
  const submit = async () => {
    const name = readName(username)
    const wrong = nameProblem(name)
    setErrors(wrong ? { username: wrong === 'user.name_required' ? t.nameRequired : t.nameWrong } : {})
    setProblem('')
    if (wrong) return
    const answer = await change.run({ username: name }, refused)
    if (!answer) return
    keepSelf(answer)
    toast(t.saved)
    leave()
  }
  return (
    <ChangePage title={t.name}>
      <OwnerForm
        title={t.name}
        why={t.nameWhy}
        problem={problem}
        button={t.save}
        busy={change.status === 'busy'}
        form={form}
        onSubmit={() => void submit()}
      >
        <Field
          label={t.username}
          name="username"
          autoComplete="off"
          maxLength={60}
          value={username}
          onChange={setUsername}
          error={errors.username}
        />
      </OwnerForm>
    </ChangePage>
  )
}
