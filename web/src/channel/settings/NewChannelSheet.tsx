import { type ChannelType, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { CHANNEL_NAME_MAX, createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { guildChanged } from '../../guild/guild.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { text } from '../text.ts'
import styles from './ChannelSheet.module.css'
import { categoriesFor } from './categories.ts'
import { settingsText } from './settingsText.ts'

type Created = AnswerOf<typeof createChannel>

interface NewChannelProps {
  readonly guild: Guild
  /** What is offered first. */
  readonly type: ChannelType
  readonly onClose: () => void
}

/** Makes a channel or a category; a text channel that is made is opened from here. */
export function NewChannelSheet(props: NewChannelProps) {
  const t = useText(settingsText)
  const [created, setCreated] = useState<Created | null>(null)
  const [type, setType] = useState(props.type)
  const done = (channel: Created) => {
    guildChanged(props.guild.id)
    if (channel.type === channelType.text) return setCreated(channel)
    toast(t.created(channel.name))
    props.onClose()
  }
  if (created)
    return (
      <Sheet title={t.created(created.name)} onClose={props.onClose}>
        <div className={styles.made}>
          <Link className={buttonClass('main', true)} to={paths.room(created.guild_id, created.id)}>
            {t.open}
          </Link>
          <Button block kind="quiet" onPress={props.onClose}>
            {t.done}
          </Button>
        </div>
      </Sheet>
    )
  return (
    <Sheet title={type === channelType.category ? t.newCategory : t.newChannel} onClose={props.onClose}>
      <NewChannelForm guild={props.guild} type={type} onType={setType} onCreated={done} />
    </Sheet>
  )
}

function NewChannelForm(props: {
  guild: Guild
  type: ChannelType
  onType: (type: ChannelType) => void
  onCreated: (channel: Created) => void
}) {
  const { guild, type } = props
  const t = useText(settingsText)
  const { textChannel, voiceChannel } = useText(text)
  const [name, setName] = useState('')
  const [parent, setParent] = useState('')
  const form = useForm(['name'])
  const creating = useCall(createChannel)
  const isCategory = type === channelType.category
  const submit = async () => {
    const input = isCategory ? { is_category: true } : { type, parent_id: parent }
    const made = await creating.run({ guild_id: guild.id, name, ...input }, form.refused)
    if (made) props.onCreated(made)
  }
  return (
    <Form
      form={form}
      button={t.create}
      busy={creating.status === 'busy'}
      className={styles.form}
      onSubmit={() => void submit()}
    >
      <NameField value={name} error={form.errors.name} onChange={setName} />
      <Select
        label={t.type}
        options={[
          { value: channelType.text, name: textChannel },
          { value: channelType.voice, name: voiceChannel },
          { value: channelType.category, name: t.category },
        ]}
        value={type}
        onChange={props.onType}
      />
      {type === channelType.voice && <p>{t.voiceWhy}</p>}
      {!isCategory && (
        <Select
          label={t.inCategory}
          options={categoriesFor(guild, t.outside)}
          value={parent}
          onChange={setParent}
        />
      )}
    </Form>
  )
}

/** The name of a channel or a category. The server says what is wrong with one in its own words. */
export function NameField(props: {
  value: string
  error: string | undefined
  onChange: (name: string) => void
}) {
  const t = useText(settingsText)
  return (
    <Field
      label={t.name}
      name="name"
      autoComplete="off"
      // The browser counts an emoji as two characters.
      maxLength={2 * CHANNEL_NAME_MAX}
      autoFocus
      {...props}
    />
  )
}
