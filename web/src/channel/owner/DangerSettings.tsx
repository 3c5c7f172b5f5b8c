import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { deleteGuild, listDeletedGuilds } from '@guildhall/wire/guild/deletion.ts'
import { hasRight } from '@guildhall/wire/guild/levelRights.ts'
import {
  cancelTransfer,
  type GuildTransfer,
  offerGuild,
  viewTransfer,
} from '@guildhall/wire/guild/transfer.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../kit/call.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { useAct } from '../../kit/useAct.ts'
import { ActionRow, ActionRows } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { goneAfter } from '../goneAfter.ts'
import styles from './Owner.module.css'
import { ownerText } from './ownerText.ts'
import { ReceiverSheet } from './ReceiverSheet.tsx'

/** What only the owner of a guild can do with it: hand it over, and delete it. */
export default function DangerSettings({ guild }: { guild: Guild }) {
  const t = useText(ownerText)
  const transfer = useRouteQuery(viewTransfer, { guild_id: guild.id })
  return (
    <>
      <section className={styles.part} aria-labelledby="transfer">
        <h2 className={styles.title} id="transfer">
          {t.transfer}
        </h2>
        <p className={styles.why}>{t.transferWhy}</p>
        <Loaded of={transfer} title={t.transferFailed}>
          {(answer) =>
            answer.transfer ? <Pending guild={guild} transfer={answer.transfer} /> : <Offer guild={guild} />
          }
        </Loaded>
      </section>
      <section className={styles.part} aria-labelledby="dissolve">
        <h2 className={styles.title} id="dissolve">
          {t.dissolve}
        </h2>
        <Dissolve guild={guild} />
      </section>
    </>
  )
}

function Pending({ guild, transfer }: { guild: Guild; transfer: GuildTransfer }) {
  const t = useText(ownerText)
  const locale = useLocale()
  const cancelling = useAct(cancelTransfer)
  const { receiver, ends_at } = transfer
  const cancel = async () => {
    if (await cancelling.run({ guild_id: guild.id }, ({ message }) => toast(message))) toast(t.withdrawn)
    invalidateRoute(viewTransfer)
  }
  return (
    <ActionRows label={t.transfer}>
      <ActionRow
        picture={<Avatar of={receiver} size={40} />}
        title={`${receiver.username}#${receiver.identify_num}`}
        facts={[t.until(timeLabel(ends_at, Date.now(), locale))]}
        action={t.withdraw}
        actionLabel={t.withdraw}
        isBusy={cancelling.isBusy}
        onAction={() => void cancel()}
      />
    </ActionRows>
  )
}

function Offer({ guild }: { guild: Guild }) {
  const t = useText(ownerText)
  const [isChoosing, setChoosing] = useState(false)
  const [chosen, setChosen] = useState<User | null>(null)
  const offering = useAct(offerGuild)
  const offer = async (receiver: User) => {
    setChosen(null)
    const input = { guild_id: guild.id, user_id: receiver.id }
    if (await offering.run(input, ({ message }) => toast(message))) toast(t.offered(receiver.username))
    invalidateRoute(viewTransfer)
  }
  return (
    <>
      <Button kind="soft" block busy={offering.isBusy} onPress={() => setChoosing(true)}>
        {t.chooseReceiver}
      </Button>
      {isChoosing && (
        <ReceiverSheet
          guild={guild}
          onChoose={(receiver) => {
            setChoosing(false)
            setChosen(receiver)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      {chosen && (
        <Dialog
          title={t.offerTitle(chosen.username)}
          message={t.offerMessage}
          confirm={t.offer}
          danger
          onConfirm={() => void offer(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}

function Dissolve({ guild }: { guild: Guild }) {
  const t = useText(ownerText)
  const navigate = useNavigate()
  const form = useForm(['name'])
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const dissolve = async () => {
    if (!form.show(name.trim() === guild.name ? {} : { name: t.nameWrong })) return
    setBusy(true)
    const isGone = await goneAfter(call(deleteGuild, { guild_id: guild.id }), guild.id, navigate)
    setBusy(false)
    if (!isGone) return
    invalidateRoute(listDeletedGuilds)
    toast(t.dissolved)
  }
  return (
    <>
      <p className={styles.why}>
        {hasRight('restore_delete_guild', guild.level) ? t.dissolveRestorable : t.dissolveWords}
      </p>
      <Form form={form} button={t.dissolve} danger busy={isBusy} onSubmit={() => void dissolve()}>
        <Field
          label={t.typeName(guild.name)}
          name="name"
          autoComplete="off"
          value={name}
          onChange={setName}
          error={form.errors.name}
        />
      </Form>
    </>
  )
}
