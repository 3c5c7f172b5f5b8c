import { readUserCode, requestFriend } from '@guildhall/wire/friend/friend.ts'
import { type FormEvent, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './FriendsScreen.module.css'
import { text } from './text.ts'

/** Asks somebody by name and digits; a refusal stays under the field. */
export function AddFriendSheet(props: { onAsked: () => void; onClose: () => void }) {
  const t = useText(text)
  const me = useMe()
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState('')
  const asking = useCall(requestFriend)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const code = readUserCode(name)
    if (!/^\S+#\d{4,10}$/.test(code)) return setWrong(t.addWrong)
    const isAsked = await asking.run({ user_code: code }, (failure) => setWrong(failure.message))
    if (!isAsked) return
    toast(t.asked)
    props.onAsked()
    props.onClose()
  }
  return (
    <Sheet title={t.add} onClose={props.onClose}>
      <form className={styles.add} onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={t.addLabel}
          name="friend"
          value={name}
          placeholder={t.addPlaceholder}
          error={wrong || undefined}
          onChange={(value) => {
            setName(value)
            setWrong('')
          }}
          autoFocus
        />
        <Button type="submit" block busy={asking.status === 'busy'}>
          {t.ask}
        </Button>
        <p className={styles.mine}>{t.mine(`${me.username}#${me.identify_num}`)}</p>
      </form>
    </Sheet>
  )
}
