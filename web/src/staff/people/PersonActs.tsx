import { GIFT_DAYS_MAX, giveBuff, type StaffPerson } from '@guildhall/wire/staff/people.ts'
import { deleteUser, resetPassword, restoreUser, signOutUser } from '@guildhall/wire/staff/staff.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts, type End } from '../parts/Acts.tsx'
import { Option } from '../parts/Option.tsx'
import styles from '../parts/parts.module.css'
import { useMay } from '../self.ts'
import { peopleText } from './peopleText.ts'
import { personChanged } from './personChanged.ts'
import { SuspendDialog } from './SuspendDialog.tsx'

/** The acts on a person that who is logged in may do. */
export function PersonActs({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const may = useMay()
  // Staff are acted on by command; an account that is deleted has nothing left.
  if (person.is_staff || person.state === 'deleted') return null
  const input = { user_id: person.id }
  const isSuspended = person.state === 'suspended'
  const acts: readonly (Act | false)[] = [
    isSuspended && {
      label: t.restore,
      dialog: (end) => (
        <ActDialog {...end} route={restoreUser} input={input} title={t.restore} message={t.restoreMessage} />
      ),
    },
    {
      label: isSuspended ? t.suspendAgain : t.suspend,
      dialog: (end) => <SuspendDialog userId={person.id} {...end} />,
    },
    person.sessions.length > 0 && {
      label: t.signOut,
      dialog: (end) => (
        <ActDialog
          {...end}
          route={signOutUser}
          input={input}
          title={t.signOut}
          message={t.signOutMessage}
          danger
        />
      ),
    },
    may('gift') && !person.bot && { label: t.give, dialog: (end) => <GiveDialog person={person} {...end} /> },
    !person.bot && {
      label: t.resetPassword,
      dialog: (end) => <PasswordDialog person={person} {...end} />,
    },
    { label: t.remove, kind: 'quiet', dialog: (end) => <RemoveDialog person={person} {...end} /> },
  ]
  return <Acts of={acts} onDone={personChanged} />
}

type ActProps = End & { readonly person: StaffPerson }

function GiveDialog({ person, ...end }: ActProps) {
  const t = useText(peopleText)
  const [typed, setTyped] = useState('30')
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  return (
    <ActDialog
      {...end}
      route={giveBuff}
      input={{ user_id: person.id, days }}
      title={t.give}
      message={t.giveMessage}
      problem={days < 1 || days > GIFT_DAYS_MAX ? t.daysWrong : ''}
    >
      <Option
        label={t.giveDays}
        inputMode="numeric"
        value={typed}
        onChange={(value) => setTyped(foldDashed(value).slice(0, 4))}
      />
    </ActDialog>
  )
}

const nameOf = ({ username, identify_num }: StaffPerson) => `${username}#${identify_num}`

function PasswordDialog({ person, ...end }: ActProps) {
  const t = useText(peopleText)
  const [password, setPassword] = useState('')
  return (
    <ActDialog
      {...end}
      route={resetPassword}
      input={{ user_id: person.id, ...(password !== '' && { password }) }}
      title={t.resetPassword}
      message={t.resetMessage}
      again={t.resetAgain(nameOf(person))}
      danger
    >
      <Option
        label={t.newPassword}
        type="text"
        autoComplete="off"
        maxLength={30}
        value={password}
        onChange={setPassword}
      />
    </ActDialog>
  )
}

function RemoveDialog({ person, ...end }: ActProps) {
  const t = useText(peopleText)
  const [withMessages, setWithMessages] = useState(false)
  return (
    <ActDialog
      {...end}
      route={deleteUser}
      input={{ user_id: person.id, words: withMessages }}
      title={t.remove}
      message={t.removeMessage}
      again={t.removeAgain(nameOf(person))}
      danger
    >
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={withMessages}
          onChange={({ currentTarget: { checked } }) => setWithMessages(checked)}
        />
        <span>{t.removeWords}</span>
      </label>
    </ActDialog>
  )
}
