import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { SLOW_MODES, TOPIC_MAX, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { useState } from 'react'
import { guildChanged } from '../../guild/guild.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { useForm } from '../../ui/form/useForm.ts'
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

/** Changes the name and the settings of a channel or a category. */
export function ChannelSheet(props: ChannelProps) {
  const t = useText(settingsText)
  return (
    <Sheet title={t.editOf(props.channel.name)} onClose={props.onClose}>
      <ChannelForm {...props} />
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
