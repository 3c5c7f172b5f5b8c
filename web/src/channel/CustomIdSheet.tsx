import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { CUSTOM_ID_MAX, customIdMin, shortAddress } from '@guildhall/wire/guild/customId.ts'
import { firstLevelOf, hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { setCustomId } from '@guildhall/wire/invite/shortAddress.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { guildChanged } from '../guild/guild.ts'
import { copyText } from '../kit/browser/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './CustomIdSheet.module.css'
import { guildMenuText } from './guildMenuText.ts'

/** The custom id of a guild: its field, its short address, or why the level does not allow one. */
export function CustomIdSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(guildMenuText)
  const isAllowed = hasRight('custom_id', guild.level)
  const needed = t.levelNeeded(firstLevelOf('custom_id'), guild.level)
  return (
    <Sheet title={t.customId} onClose={onClose}>
      <div className={styles.sheet}>
        {isAllowed ? (
          <IdForm guild={guild} onClose={onClose} />
        ) : (
          <>
            <p className={styles.why}>{guild.custom_id ? `${t.keeps}。${needed}` : needed}</p>
            <Link className={buttonClass('main', true)} to={`/guild/boost/${guild.id}`}>
              {t.toBoost}
            </Link>
          </>
        )}
        {guild.custom_id !== '' && <Address guild={guild} onClose={onClose} />}
      </div>
    </Sheet>
  )
}

function IdForm({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(guildMenuText)
  const [customId, setId] = useState(guild.custom_id)
  const [wrong, setWrong] = useState('')
  const saving = useCall(setCustomId)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (customId === '' || customId === guild.custom_id) return onClose()
    // The server says what is wrong with an id in its own words.
    const saved = await saving.run({ guild_id: guild.id, custom_id: customId }, ({ message }) =>
      setWrong(message),
    )
    if (!saved) return
    guildChanged(guild.id)
    toast(t.saved)
    onClose()
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.why}>{t.why(customIdMin(guild.level), CUSTOM_ID_MAX)}</p>
      <Field
        label={t.label}
        name="custom_id"
        autoComplete="off"
        maxLength={CUSTOM_ID_MAX}
        read={foldDashed}
        before={<span className={styles.before}>{`${location.host}/g/`}</span>}
        value={customId}
        error={wrong || undefined}
        autoFocus
        onChange={(value) => {
          setId(value)
          setWrong('')
        }}
      />
      <Button type="submit" block busy={saving.status === 'busy'}>
        {t.save}
      </Button>
    </form>
  )
}

/** The short address that the guild has, and taking it away. */
function Address({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(guildMenuText)
  const [isAsked, setAsked] = useState(false)
  const removal = useCall(setCustomId)
  const address = `${location.origin}${shortAddress(guild.custom_id)}`
  const remove = async () => {
    setAsked(false)
    const removed = await removal.run({ guild_id: guild.id, custom_id: '' }, ({ message }) => toast(message))
    if (!removed) return
    guildChanged(guild.id)
    toast(t.removed)
    onClose()
  }
  return (
    <div className={styles.address}>
      <p className={styles.url}>{address}</p>
      <Button
        block
        kind="soft"
        onPress={() => void copyText(address).then((isCopied) => toast(isCopied ? t.copied : t.copyFailed))}
      >
        {t.copy}
      </Button>
      <Button block kind="quiet" busy={removal.status === 'busy'} onPress={() => setAsked(true)}>
        {t.remove}
      </Button>
      {isAsked && (
        <Dialog
          title={t.removeTitle}
          message={t.removeWords}
          confirm={t.remove}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}
