import { GIFT_DAYS_MAX, giveBuff, type StaffPerson } from '@guildhall/wire/staff/people.ts'
import { deleteUser, resetPassword, restoreUser, signOutUser } from '@guildhall/wire/staff/staff.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import styles from '../parts/parts.module.css'
import { peopleText } from '../peopleText.ts'
import { useMay } from '../self.ts'
import { personChanged } from './personChanged.ts'
import { SuspendDialog } from './SuspendDialog.tsx'

type Act = 'suspend' | 'restore' | 'signOut' | 'give' | 'resetPassword' | 'remove'

/** The acts on a person that who is logged in may do, and the dialog of the chosen one. */
export function PersonActs({ person }: { person: StaffPerson }) {
  const t = useText(peopleText)
  const may = useMay()
  const [act, setAct] = useState<Act | null>(null)
  const isSuspended = person.state === 'suspended'
  // Staff are acted on by command; an account that is deleted has nothing left.
  if (person.is_staff || person.state === 'deleted') return null
  const offered: readonly (readonly [Act, string, boolean])[] = [
    ['restore', t.restore, isSuspended],
    ['suspend', isSuspended ? t.suspendAgain : t.suspend, true],
    ['signOut', t.signOut, person.sessions.length > 0],
    ['give', t.give, may('gift') && !person.bot],
    ['resetPassword', t.resetPassword, !person.bot],
    ['remove', t.remove, true],
  ]
  const close = () => setAct(null)
  const done = () => {
    close()
    personChanged()
  }
  return (
    <>
      {offered
        .filter(([, , isOffered]) => isOffered)
        .map(([name, label]) => (
          <Button key={name} kind={name === 'remove' ? 'quiet' : 'soft'} onPress={() => setAct(name)}>
            {label}
          </Button>
        ))}
      {act && <OneAct act={act} person={person} onDone={done} onClose={close} />}
    </>
  )
}

interface ActProps {
  readonly person: StaffPerson
  readonly onDone: () => void
  readonly onClose: () => void
}

function OneAct({ act, ...props }: ActProps & { act: Act }) {
  const t = useText(peopleText)
  const input = { user_id: props.person.id }
  const end = { reason: 'reason', onDone: props.onDone, onClose: props.onClose }
  switch (act) {
    case 'suspend':
      return <SuspendDialog userId={props.person.id} onDone={props.onDone} onClose={props.onClose} />
    case 'restore':
      return (
        <ActDialog
          {...end}
          input={input}
          route={restoreUser}
          title={t.restore}
          message={t.restoreMessage}
          confirm={t.restore}
        />
      )
    case 'signOut':
      return (
        <ActDialog
          {...end}
          input={input}
          route={signOutUser}
          title={t.signOut}
          message={t.signOutMessage}
          confirm={t.signOut}
          danger
        />
      )
    case 'give':
      return <GiveDialog {...props} />
    case 'resetPassword':
      return <PasswordDialog {...props} />
    case 'remove':
      return <RemoveDialog {...props} />
  }
}

function GiveDialog({ person, onDone, onClose }: ActProps) {
  const t = useText(peopleText)
  const [typed, setTyped] = useState('30')
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  return (
    <ActDialog
      route={giveBuff}
      input={{ user_id: person.id, days }}
      title={t.give}
      message={t.giveMessage}
      confirm={t.give}
      reason="reason"
      problem={days < 1 || days > GIFT_DAYS_MAX ? t.daysWrong : ''}
      onDone={onDone}
      onClose={onClose}
    >
      <label className={styles.option}>
        <span>{t.giveDays}</span>
        <input
          inputMode="numeric"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(foldDashed(value).slice(0, 4))}
        />
      </label>
    </ActDialog>
  )
}

function PasswordDialog({ person, onDone, onClose }: ActProps) {
  const t = useText(peopleText)
  const [password, setPassword] = useState('')
  return (
    <ActDialog
      route={resetPassword}
      input={{ user_id: person.id, ...(password !== '' && { password }) }}
      title={t.resetPassword}
      message={t.resetMessage}
      confirm={t.resetPassword}
      reason="reason"
      again={t.resetAgain(`${person.username}#${person.identify_num}`)}
      danger
      onDone={onDone}
      onClose={onClose}
    >
      <label className={styles.option}>
        <span>{t.newPassword}</span>
        <input
          type="text"
          autoComplete="off"
          maxLength={30}
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
      </label>
    </ActDialog>
  )
}

function RemoveDialog({ person, onDone, onClose }: ActProps) {
  const t = useText(peopleText)
  const [words, setWords] = useState(false)
  return (
    <ActDialog
      route={deleteUser}
      input={{ user_id: person.id, words }}
      title={t.remove}
      message={t.removeMessage}
      confirm={t.remove}
      reason="reason"
      again={t.removeAgain(`${person.username}#${person.identify_num}`)}
      danger
      onDone={onDone}
      onClose={onClose}
    >
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={words}
          onChange={({ currentTarget: { checked } }) => setWords(checked)}
        />
        <span>{t.removeWords}</span>
      </label>
    </ActDialog>
  )
}
