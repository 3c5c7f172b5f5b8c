import {
  addBot,
  deleteBot,
  type GuildBot,
  removeBot,
  renewBotToken,
  updateBot,
} from '@guildhall/wire/bot/bot.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { useState } from 'react'
import { upload } from '../asset/asset.ts'
import { guildChanged } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { usePickedIcon } from '../kit/picture/usePickedIcon.ts'
import { useAct } from '../kit/useAct.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { BotForm } from './BotForm.tsx'
import styles from './Bots.module.css'
import { botsChanged } from './botsChanged.ts'
import { TokenShown } from './TokenShown.tsx'
import { text } from './text.ts'

interface Props {
  readonly guild: Guild
  readonly bot: GuildBot
  /** The guilds into which the user may bring it. */
  readonly targets: readonly { readonly id: GuildId; readonly name: string }[]
  readonly onClose: () => void
}

/** Looks after a bot: its name and picture, its token, its guilds, and its end. */
export function BotSheet(props: Props) {
  const { guild, bot, onClose } = props
  const t = useText(text)
  const [token, setToken] = useState<string | null>(null)
  const { username } = bot.user
  if (token !== null)
    return (
      <Sheet title={t.renewed(username)} onClose={onClose}>
        <TokenShown token={token} onDone={onClose} />
      </Sheet>
    )
  return (
    <Sheet title={t.manageOf(username)} onClose={onClose}>
      {bot.is_mine ? (
        <>
          <Face bot={bot} onSaved={onClose} />
          <Targets {...props} />
        </>
      ) : (
        <p className={styles.why}>{t.notYours}</p>
      )}
      <div className={styles.acts}>
        {bot.is_mine && <Renewal bot={bot} onRenewed={setToken} />}
        <Removal guild={guild} bot={bot} onDone={onClose} />
        {bot.is_mine && <Deletion bot={bot} onDone={onClose} />}
      </div>
    </Sheet>
  )
}

function Face({ bot, onSaved }: { bot: GuildBot; onSaved: () => void }) {
  const t = useText(text)
  const icon = usePickedIcon(upload)
  const saving = useCall(updateBot)
  return (
    <BotForm
      bot={bot}
      icon={icon}
      button={t.save}
      busy={saving.status === 'busy'}
      onSubmit={async ({ name, address }, refused) => {
        const change = { name: name === bot.user.username ? undefined : name, icon: address || undefined }
        if (!(await saving.run({ bot_id: bot.user.id, ...change }, refused))) return
        botsChanged()
        toast(t.saved)
        onSaved()
      }}
    />
  )
}

function Targets({ bot, targets }: Props) {
  const t = useText(text)
  const adding = useCall(addBot)
  const [chosen, setChosen] = useState<GuildId | null>(null)
  const open = targets.filter(({ id }) => !bot.guilds.some((guild) => guild.id === id))
  const target = open.find(({ id }) => id === chosen) ?? open[0]
  if (!target) return null
  const add = async () => {
    const input = { bot_id: bot.user.id, guild_id: target.id }
    if (await adding.run(input, ({ message }) => toast(message))) toast(t.added(target.name))
    botsChanged()
  }
  return (
    <div className={styles.target}>
      <Select
        label={t.target}
        options={open.map(({ id, name }) => ({ value: id, name }))}
        value={target.id}
        onChange={setChosen}
      />
      <Button kind="soft" busy={adding.status === 'busy'} onPress={() => void add()}>
        {t.add}
      </Button>
    </div>
  )
}

function Renewal({ bot, onRenewed }: { bot: GuildBot; onRenewed: (token: string) => void }) {
  const t = useText(text)
  const renewing = useCall(renewBotToken)
  return (
    <Asked
      label={t.renew}
      title={t.renewTitle(bot.user.username)}
      message={t.renewWhy}
      isBusy={renewing.status === 'busy'}
      onConfirm={async () => {
        const answer = await renewing.run({ bot_id: bot.user.id }, ({ message }) => toast(message))
        if (answer) onRenewed(answer.token)
      }}
    />
  )
}

function Removal({ guild, bot, onDone }: { guild: Guild; bot: GuildBot; onDone: () => void }) {
  const t = useText(text)
  const removing = useAct(removeBot)
  const { id, username } = bot.user
  return (
    <Asked
      label={t.remove}
      title={t.removeTitle(username)}
      message={t.removeWhy}
      isBusy={removing.isBusy}
      onConfirm={async () => {
        const input = { bot_id: id, guild_id: guild.id }
        const isDone = await removing.run(input, ({ message }) => toast(message))
        botsChanged()
        if (!isDone) return
        toast(t.removed(username))
        guildChanged(guild.id)
        onDone()
      }}
    />
  )
}

function Deletion({ bot, onDone }: { bot: GuildBot; onDone: () => void }) {
  const t = useText(text)
  const deleting = useAct(deleteBot)
  const { id, username } = bot.user
  return (
    <Asked
      label={t.erase}
      title={t.eraseTitle(username)}
      message={t.eraseWhy}
      isBusy={deleting.isBusy}
      onConfirm={async () => {
        const isDone = await deleting.run({ bot_id: id }, ({ message }) => toast(message))
        botsChanged()
        if (!isDone) return
        toast(t.erased(username))
        onDone()
      }}
    />
  )
}

/** A button for what is done after a question. */
function Asked(props: {
  label: string
  title: string
  message: string
  isBusy: boolean
  onConfirm: () => Promise<void>
}) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button block kind="quiet" busy={props.isBusy} onPress={() => setAsked(true)}>
        {props.label}
      </Button>
      {isAsked && (
        <Dialog
          title={props.title}
          message={props.message}
          confirm={props.label}
          danger
          onConfirm={() => {
            setAsked(false)
            void props.onConfirm()
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
