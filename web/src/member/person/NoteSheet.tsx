import { PERSON_NOTE_MAX, writePersonNote } from '@guildhall/wire/friend/personNote.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { WordsField } from '../../ui/form/WordsField.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from './PersonMore.module.css'
import { text } from './text.ts'

/** Writes what the reader notes of a person for themselves; without words it is deleted. */
export function NoteSheet(props: { userId: UserId; name: string; note: string; onClose: () => void }) {
  const { userId, onClose } = props
  const t = useText(text)
  const [note, setNote] = useState(props.note)
  const saving = useCall(writePersonNote)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await saving.run({ user_id: userId, note: readWords(note) }))) return
    invalidateRoute(viewPerson, { user_id: userId })
    toast(t.saved)
    onClose()
  }
  return (
    <Sheet title={t.note} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <WordsField
          label={t.noteOf(props.name)}
          name="note"
          most={PERSON_NOTE_MAX}
          rows={3}
          value={note}
          error={saving.failure?.message}
          onChange={setNote}
        />
        <p className={styles.why}>{t.noteWhy}</p>
        <Button type="submit" block busy={saving.status === 'busy'}>
          {t.save}
        </Button>
      </form>
    </Sheet>
  )
}
