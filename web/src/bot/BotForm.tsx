import type { GuildBot } from '@guildhall/wire/bot/bot.ts'
import { readName } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import type { usePickedIcon } from '../kit/picture/usePickedIcon.ts'
import { Field } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { type Refusal, useForm } from '../ui/form/useForm.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { IconPicker } from '../ui/picture/IconPicker.tsx'
import { iconText } from '../ui/picture/iconText.ts'
import styles from './Bots.module.css'
import { text } from './text.ts'

/** The picture and the name of a bot; null: it is new. */
export function BotForm(props: {
  bot: GuildBot | null
  icon: ReturnType<typeof usePickedIcon>
  button: string
  busy: boolean
  /** `address`: that of the picked picture; empty: none was picked. */
  onSubmit: (
    typed: { readonly name: string; readonly address: string },
    refused: (failure: Refusal) => void,
  ) => Promise<void>
}) {
  const { bot, icon } = props
  const t = useText(text)
  const pictures = useText(iconText)
  const form = useForm(['username'])
  const [name, setName] = useState(bot?.user.username ?? '')
  const submit = async () => {
    form.show({})
    const address = await icon.store()
    if (address !== null) await props.onSubmit({ name: readName(name), address }, form.refused)
  }
  const problem = icon.problem ? pictures[icon.problem] : (icon.failure?.message ?? form.problem)
  return (
    <Form
      form={Object.assign({}, form, { problem })}
      button={icon.sent === null ? props.button : t.uploading(Math.round(icon.sent * 100))}
      busy={props.busy || icon.sent !== null}
      className={styles.form}
      onSubmit={() => void submit()}
    >
      <IconPicker
        label={t.icon}
        icon={icon}
        empty={
          <Avatar
            of={{ id: bot?.user.id ?? name, username: name || '＋', avatar: bot?.user.avatar ?? '' }}
            size={88}
          />
        }
      />
      <Field
        label={t.name}
        name="username"
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={setName}
        error={form.errors.username}
      />
    </Form>
  )
}
