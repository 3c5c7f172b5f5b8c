import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { mayChangeBits } from '@guildhall/wire/permission/hierarchy.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useMe } from '../../auth/auth.ts'
import { useText } from '../../kit/i18n.ts'
import { rightsText, Toggle } from '../../role/role.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon } from '../../ui/icon/icon.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { AddTargetSheet } from './AddTargetSheet.tsx'
import styles from './Overwrites.module.css'
import { OverwriteTable } from './OverwriteTable.tsx'
import {
  applied,
  type Change,
  changeForAll,
  changeTo,
  chosenFor,
  differing,
  hasEverybody,
  keyOf,
  losses,
} from './rules.ts'
import { nameOf } from './targets.ts'
import { text } from './text.ts'
import { type OverwriteProps, useOverwrites } from './useOverwrites.ts'

/**
 * Who may do what in a channel or a category: two quick switches, the sync with the category, and all
 * overwrites. Changes show at once; those that are refused go back with the reason.
 */
export function ChannelPermissions({ guild, channel }: { guild: Guild; channel: Channel }) {
  const t = useText(text)
  const names = useText(rightsText)
  const myId = useMe().id
  const { rules, isInStep, change } = useOverwrites(guild, channel)
  const [asked, setAsked] = useState<Change | null>(null)
  const lostBy = (it: Change) =>
    losses(guild, myId, rules, applied(rules, it)).map((name) => names[name][0] ?? name)
  const onChange = (it: Change) => (lostBy(it).length > 0 ? setAsked(it) : change(it))
  const props = { guild, channel, rules, onChange }
  return (
    <>
      <Step {...props} isInStep={isInStep} lostBy={lostBy} onSync={change} />
      <section className={styles.group} aria-label={t.access}>
        <h3 className={styles.groupName}>{t.access}</h3>
        <Quick {...props} right={permission.view_channel} />
        {channel.type !== channelType.voice && <Quick {...props} right={permission.send_message} />}
      </section>
      <OverwriteTable {...props} />
      {asked && (
        <Dialog
          title={t.lockTitle}
          message={t.lockWords(lostBy(asked).join(t.and))}
          confirm={t.goOn}
          danger
          onConfirm={() => {
            setAsked(null)
            change(asked)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** Whether the channel follows its category, and the way back to it; in a category who follows it. */
function Step(
  props: OverwriteProps & {
    isInStep: boolean
    lostBy: (change: Change) => readonly string[]
    onSync: (change: Change) => void
  },
) {
  const { guild, channel, rules, isInStep } = props
  const t = useText(text)
  const [isAsked, setAsked] = useState(false)
  const followers = channel.channels.filter(({ permission_sync }) => permission_sync === 1).length
  if (channel.is_category) return followers > 0 && <Note>{t.followers(followers)}</Note>
  if (channel.parent_id === '') return null
  const category = guild.channels.find(({ id }) => id === channel.parent_id)
  const name = category?.name ?? t.hiddenCategory
  if (isInStep) return <Note>{t.inStep(name)}</Note>
  // Of a category that one does not see nobody knows what it would change.
  if (!category) return <Note>{t.apart(name)}</Note>
  const { permission_overwrites, permission_users } = category
  const sync = { like: { permission_overwrites, permission_users } }
  const replaced = differing(rules, sync.like)
  const lost = props.lostBy(sync)
  const words = [
    t.syncLoses(replaced.map((it) => nameOf(guild, it)).join(t.and), replaced.length),
    lost.length > 0 && t.lockWords(lost.join(t.and)),
  ]
  return (
    <div className={styles.step}>
      <p className={styles.note}>{t.apart(name)}</p>
      <Button kind="soft" onPress={() => setAsked(true)}>
        {t.sync}
      </Button>
      {isAsked && (
        <Dialog
          title={t.syncTitle}
          message={words.filter(Boolean).join(' ')}
          confirm={t.syncNow}
          danger={lost.length > 0}
          onConfirm={() => {
            setAsked(false)
            props.onSync(sync)
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}

const Note = (props: { children: string }) => (
  <div className={styles.step}>
    <p className={styles.note}>{props.children}</p>
  </div>
)

/** A right that everybody has, or only those who are chosen here. */
function Quick(props: OverwriteProps & { right: number }) {
  const { guild, channel, rules, right, onChange } = props
  const t = useText(text)
  const { lacking } = useText(rightsText)
  const [isAdding, setAdding] = useState(false)
  const isView = right === permission.view_channel
  const isOpen = hasEverybody(guild, rules, right)
  const isLocked = !mayChangeBits(channel.permissions, 0, right)
  const chosen = chosenFor(rules, right)
  const label = isView ? t.maySee : t.mayWrite
  return (
    <div className={styles.card}>
      <Toggle
        name={isView ? t.private : t.silent}
        why={isView ? t.privateWhy : t.silentWhy}
        isOn={!isOpen}
        isLocked={isLocked}
        reason={isLocked ? lacking : undefined}
        onChange={(isOn) => onChange(changeForAll(guild, right, !isOn))}
      />
      {!isOpen && (
        <div className={styles.chosen}>
          <p className={styles.fact}>{label}</p>
          {chosen.length === 0 && <p>{t.nobody}</p>}
          <ul className={styles.chips} aria-label={label}>
            {chosen.map((it) => (
              <li key={keyOf(it)} className={styles.chip}>
                <EmojiText>{nameOf(guild, it)}</EmojiText>
                {!isLocked && (
                  <IconButton
                    label={t.take(nameOf(guild, it))}
                    onPress={() => onChange(changeTo(it, right, 'inherit'))}
                  >
                    <CloseIcon size={16} />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
          {!isLocked && (
            <Button kind="soft" aria-label={`${label}: ${t.choose}`} onPress={() => setAdding(true)}>
              {t.choose}
            </Button>
          )}
        </div>
      )}
      {isAdding && (
        <AddTargetSheet
          guild={guild}
          title={`${label}: ${t.choose}`}
          taken={chosen}
          onAdd={(it) => onChange(changeTo(it, right, 'allow'))}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}
