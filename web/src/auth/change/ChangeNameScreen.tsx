import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { nameProblem } from '@guildhall/wire/user/name.ts'
import { readName } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { Field } from '../../ui/form/Field.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { useMe } from '../auth.ts'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ChangePage, useChanged } from './ChangePage.tsx'
import { changeText } from './changeText.ts'

/** /account/name: changes the username. */
export default function ChangeNameScreen() {
  const t = useText(changeText)
  const me = useMe()
  const changed = useChanged()
  const [username, setUsername] = useState(me.username)
  const form = useForm<'username'>()
  const change = useCall(renameSelf)

  const refused = ({ name, message }: CallFailure) => {
    if (name === 'user.name_wrong') form.show({ username: t.nameWrong })
    else form.show({}, message)
  }
  const submit = async () => {
    const name = readName(username)
    const wrong = nameProblem(name)
    const text = wrong === 'user.name_required' ? t.nameRequired : t.nameWrong
    if (!form.show(wrong ? { username: text } : {})) return
    const answer = await change.run({ username: name }, refused)
    if (answer) changed(answer, t.saved)
  }
  return (
    <ChangePage title={t.name}>
      <OwnerForm
        title={t.name}
        why={t.nameWhy}
        form={form}
        button={t.save}
        busy={change.status === 'busy'}
        onSubmit={() => void submit()}
      >
        <Field
          label={t.username}
          name="username"
          autoComplete="off"
          maxLength={60}
          value={username}
          onChange={setUsername}
          error={form.errors.username}
        />
      </OwnerForm>
    </ChangePage>
  )
}
