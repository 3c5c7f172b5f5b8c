import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { deleteChannel, SLOW_MODES, TOPIC_MAX, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { useState } from 'react'
import { guildChanged } from '../../guild/guild.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from './ChannelSheet.module.css'
import { categoriesFor } from './categories.ts'
import { NameField } from './NewChannelSheet.tsx'
import { settingsText, slowLabel } from './settingsText.ts'

interface ChannelProps {
  readonly guild: Guild
  /** The channel or category as it was when the sheet opened. */
  readonly channel: Channel
  readonly onClose: () => void
}

/** Changes a channel or a category, or deletes it after a question. */
export function ChannelSheet(props: ChannelProps) {
  const t = useText(settingsText)
  return (
    <Sheet title={t.editOf(props.channel.name)} onClose={props.onClose}>
      <ChannelForm {...props} />
      <Removal {...props} />
    </Sheet>
  )
}

function ChannelForm({ guild, channel, onClose }: ChannelProps) {
  const t = useText(settingsText)
  const was = {
    name: channel.name,
    topic: channel.topic,
    slow_mode: channel.slow_mode,
    parent_id: channel.parent_id,
  }
  const [typed, setTyped] = useState(was)
  const form = useForm(['name', 'topic'])
  const saving = useCall(updateChannel)
  const set = (change: Partial<typeof was>) => setTyped((all) => ({ ...all, ...change }))
  const submit = async () => {
    const changes = Object.entries(typed).filter(([field, value]) => value !== was[field as keyof typeof was])
    // What somebody else changed meanwhile stays as they left it.
    const change: Partial<typeof was> = Object.fromEntries(changes)
    if (changes.length > 0) {
      if (!(await saving.run({ channel_id: channel.id, ...change }, form.refused))) return
      guildChanged(guild.id)
      toast(t.saved)
    }
    onClose()
  }
  return (
    <Form
      form={form}
      button={t.save}
      busy={saving.status === 'busy'}
      className={styles.form}
      onSubmit={() => void submit()}
    >
      <NameField value={typed.name} error={form.errors.name} onChange={(name) => set({ name })} />
      {!channel.is_category && (
        <Field
          label={t.topic}
          name="topic"
          autoComplete="off"
          maxLength={TOPIC_MAX}
          value={typed.topic}
          error={form.errors.topic}
          onChange={(topic) => set({ topic })}
        />
      )}
      {channel.type === channelType.text && (
        <Select
          label={t.slowMode}
          options={SLOW_MODES.map((value) => ({ value: value as number, name: slowLabel(value, t) }))}
          value={typed.slow_mode}
          onChange={(slow_mode) => set({ slow_mode })}
        />
      )}
      {!channel.is_category && (
        <Select
          label={t.inCategory}
          options={categoriesFor(guild, t.outside, channel.parent_id)}
          value={typed.parent_id}
          onChange={(parent_id) => set({ parent_id })}
        />
      )}
    </Form>
  )
}

function Removal({ guild, channel, onClose }: ChannelProps) {
  const t = useText(settingsText)
  const [isAsked, setAsked] = useState(false)
  const removal = useCall(deleteChannel)
  const label = channel.is_category ? t.removeCategory : t.remove
  const remove = async () => {
    setAsked(false)
    if (!(await removal.run({ channel_id: channel.id }, ({ message }) => toast(message)))) return
    guildChanged(guild.id)
    toast(t.removed(channel.name))
    onClose()
  }
  return (
    <div className={styles.made}>
      <Button block kind="quiet" busy={removal.status === 'busy'} onPress={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <Dialog
          title={t.removeTitle(channel.name)}
          message={lossOf(guild, channel, t)}
          confirm={label}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}

/** What is lost with a channel. */
function lossOf(guild: Guild, channel: Channel, t: (typeof settingsText)['zh-CN']): string {
  if (channel.is_category) return t.losesCategory
  if (channel.type === channelType.voice) return t.losesVoice
  return channel.id === guild.default_channel_id ? `${t.losesMessages} ${t.losesFirst}` : t.losesMessages
}
