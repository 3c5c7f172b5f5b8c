import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  createNote,
  deleteNote,
  listNotes,
  NOTE_MAX,
  type Note,
  updateNote,
} from '@guildhall/wire/member/note.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useMe } from '../../../auth/auth.ts'
import { timeLabel } from '../../../kit/format/time.ts'
import { useLocale, useText } from '../../../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../../../kit/routeQuery.ts'
import { useCall } from '../../../kit/useCall.ts'
import { ActionRows } from '../../../ui/ActionRow.tsx'
import { Button } from '../../../ui/Button.tsx'
import { WordsField } from '../../../ui/form/WordsField.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Sheet } from '../../../ui/overlay/Sheet.tsx'
import { toast } from '../../../ui/overlay/Toast.tsx'
import { Loaded } from '../../../ui/state/Loaded.tsx'
import styles from './About.module.css'
import { text } from './text.ts'

/** Notes of moderators on a person: read, written, and one's own changed and deleted. */
export function Notes({ guild, userId }: { guild: Guild; userId: UserId }) {
  const t = useText(text)
  const notes = useRouteQuery(listNotes, { guild_id: guild.id, user_id: userId })
  const again = () => invalidateRoute(listNotes, { guild_id: guild.id, user_id: userId })
  const adding = useCall(createNote)
  const add = async (content: string) => {
    const input = { guild_id: guild.id, user_id: userId, content }
    const added = await adding.run(input, ({ message }) => toast(message))
    if (added) again()
    return added !== null
  }
  return (
    <section>
      <h2 className={styles.heading}>{t.notes}</h2>
      <p className={`${styles.fact} ${styles.notesWhy}`}>{t.notesWhy}</p>
      <Loaded of={notes} title={t.notesFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.none}>{t.noNotes}</p>
          ) : (
            <ActionRows label={t.notes}>
              {items.map((note) => (
                <NoteRow key={note.id} guild={guild} note={note} onChanged={again} />
              ))}
            </ActionRows>
          )
        }
      </Loaded>
      <WordsForm label={t.write} button={t.add} isBusy={adding.status === 'busy'} onSubmit={add} />
    </section>
  )
}

function NoteRow({ guild, note, onChanged }: { guild: Guild; note: Note; onChanged: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const [isEdited, setEdited] = useState(false)
  const { author, content, created_at, updated_at } = note
  const isOwn = author.id === useMe()?.id
  const name = author.username || t.gone
  const when = (at: number) => timeLabel(at, Date.now(), locale)
  const changed = updated_at > created_at ? ` · ${t.changed(when(updated_at))}` : ''
  const over = () => {
    setEdited(false)
    onChanged()
  }
  return (
    <li className={styles.note}>
      <p className={styles.words}>{content}</p>
      <p className={styles.fact}>{t.by(name, when(created_at)) + changed}</p>
      <div className={styles.buttons}>
        {isOwn && (
          <Button kind="plain" aria-label={t.editOf(name)} onPress={() => setEdited(true)}>
            {t.edit}
          </Button>
        )}
        {(isOwn || has(guild.permissions, permission.manage_guild)) && (
          <Removal guildId={guild.id} note={note} name={name} onRemoved={over} />
        )}
      </div>
      {isEdited && (
        <EditSheet guildId={guild.id} note={note} onSaved={over} onClose={() => setEdited(false)} />
      )}
    </li>
  )
}

function Removal(props: { guildId: GuildId; note: Note; name: string; onRemoved: () => void }) {
  const t = useText(text)
  const [isAsked, setAsked] = useState(false)
  const removing = useCall(deleteNote)
  const remove = async () => {
    setAsked(false)
    const input = { guild_id: props.guildId, id: props.note.id }
    await removing.run(input, ({ message }) => toast(message))
    // What somebody else deleted before goes from the list as well.
    props.onRemoved()
  }
  return (
    <>
      <Button
        kind="plain"
        aria-label={t.removeOf(props.name)}
        busy={removing.status === 'busy'}
        onPress={() => setAsked(true)}
      >
        {t.remove}
      </Button>
      {isAsked && (
        <Dialog
          danger
          title={t.removeTitle}
          message={t.removeWhy}
          confirm={t.remove}
          onClose={() => setAsked(false)}
          onConfirm={() => void remove()}
        />
      )}
    </>
  )
}

/** What is refused keeps its words: the note may have been deleted meanwhile. */
function EditSheet(props: { guildId: GuildId; note: Note; onSaved: () => void; onClose: () => void }) {
  const { guildId, note } = props
  const t = useText(text)
  const saving = useCall(updateNote)
  const save = async (content: string) => {
    const input = { guild_id: guildId, id: note.id, content }
    const saved = await saving.run(input, ({ message }) => toast(message))
    if (saved) props.onSaved()
    return saved !== null
  }
  return (
    <Sheet title={t.edit} onClose={props.onClose}>
      <WordsForm
        label={t.words}
        button={t.save}
        first={note.content}
        isBusy={saving.status === 'busy'}
        onSubmit={save}
      />
    </Sheet>
  )
}

/** Words with a button. They stay in the field until `onSubmit` answers that they are stored. */
function WordsForm(props: {
  label: string
  button: string
  first?: string
  isBusy: boolean
  onSubmit: (content: string) => Promise<boolean>
}): ReactNode {
  const t = useText(text)
  const [words, setWords] = useState(props.first ?? '')
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (readWords(words) === '') return setError(t.empty)
    if (await props.onSubmit(words)) setWords('')
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <WordsField
        label={props.label}
        name="note"
        most={NOTE_MAX}
        rows={3}
        value={words}
        error={error}
        onChange={(value) => {
          setWords(value)
          setError(undefined)
        }}
      />
      <Button type="submit" kind="soft" busy={props.isBusy}>
        {props.button}
      </Button>
    </form>
  )
}
