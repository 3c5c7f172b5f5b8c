import { listDeletedGuilds, restoreGuild } from '@guildhall/wire/guild/deletion.ts'
import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import { firstLevelOf } from '@guildhall/wire/guild/levelRights.ts'
import {
  createGuild,
  GUILD_TEMPLATES,
  type GuildTemplate,
  isGuildName,
} from '@guildhall/wire/guild/ownGuild.ts'
import { codeIn } from '@guildhall/wire/invite/inviteLink.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { readName } from '@guildhall/wire/words.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { upload } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { usePickedIcon } from '../kit/picture/usePickedIcon.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { GuildsIcon } from '../ui/icon/channelIcons.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { LinkIcon, RetryIcon } from '../ui/icon/laterIcons.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import menuStyles from '../ui/overlay/Menu.module.css'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { IconPicker } from '../ui/picture/IconPicker.tsx'
import { iconText } from '../ui/picture/iconText.ts'
import { InviteLink } from './InviteFriends.tsx'
import { useAcceptInvite } from './invite.ts'
import styles from './Sharing.module.css'
import { sharingText } from './sharingText.ts'

/** A sheet that creates a guild, or joins one by a link or code. */
export default function NewGuild({ onClose }: { onClose: () => void }) {
  const t = useText(sharingText)
  const navigate = useNavigate()
  const [step, setStep] = useState<'choose' | 'create' | 'join' | 'restore' | GuildSummary>('choose')
  const deleted = useRouteQuery(listDeletedGuilds, {}).answer?.items ?? []
  const open = async (path: string) => {
    invalidateRoute(listGuilds)
    await leaveLayers()
    // The screen behind closes the sheet when it shows another guild: until then it must not choose one
    // itself.
    if (path === location.pathname) return onClose()
    await navigate(path)
  }
  if (step === 'create')
    return (
      <Sheet title={t.create} onClose={onClose}>
        <Create onCreated={setStep} />
      </Sheet>
    )
  if (step === 'join')
    return (
      <Sheet title={t.join} onClose={onClose}>
        <Join onJoined={(path) => void open(path)} />
      </Sheet>
    )
  if (step === 'restore')
    return (
      <Sheet title={t.restore} onClose={onClose}>
        <Restore deleted={deleted} onRestored={(id) => void open(paths.guild(id))} />
      </Sheet>
    )
  if (step !== 'choose')
    return (
      <Sheet title={t.created(step.name)} onClose={() => void open(paths.guild(step.id))}>
        <InviteLink guildId={step.id} />
        <Button block kind="soft" onPress={() => void open(paths.guild(step.id))}>
          {t.enter}
        </Button>
      </Sheet>
    )
  return (
    <Sheet title={t.newTitle} onClose={onClose}>
      <div className={menuStyles.menu}>
        <Choice icon={<GuildsIcon />} label={t.create} why={t.createWhy} onPress={() => setStep('create')} />
        <Choice icon={<LinkIcon />} label={t.join} why={t.joinWhy} onPress={() => setStep('join')} />
        {deleted.length > 0 && (
          <Choice
            icon={<RetryIcon />}
            label={t.restore}
            why={t.restoreWhy(deleted.length)}
            onPress={() => setStep('restore')}
          />
        )}
      </div>
    </Sheet>
  )
}

function Choice(props: { icon: ReactNode; label: string; why: string; onPress: () => void }) {
  return (
    <button type="button" className={menuStyles.item} onClick={props.onPress}>
      {props.icon}
      <span className={styles.choice}>
        <span>{props.label}</span>
        <span className={styles.why}>{props.why}</span>
      </span>
      <NextIcon size={16} />
    </button>
  )
}

/** The guilds that the user deleted and may still restore. */
function Restore(props: {
  deleted: AnswerOf<typeof listDeletedGuilds>['items']
  onRestored: (guildId: string) => void
}) {
  const t = useText(sharingText)
  const restoring = useCall(restoreGuild)
  const [busy, setBusy] = useState('')
  const restore = async (id: (typeof props.deleted)[number]['id'], name: string) => {
    setBusy(id)
    const done = await restoring.run({ guild_id: id }, ({ message }) => toast(message))
    setBusy('')
    if (!done) return
    invalidateRoute(listDeletedGuilds)
    toast(t.restored(name))
    props.onRestored(id)
  }
  return (
    <ul className={styles.deleted}>
      {props.deleted.map(({ id, name, icon, can_restore, restorable_until }) => (
        <li key={id} className={styles.deletedGuild}>
          <GuildIcon id={id} name={name} src={icon} size={40} />
          <span className={styles.choice}>
            <span>{name}</span>
            <span className={styles.why}>
              {can_restore ? t.daysLeft(daysUntil(restorable_until)) : t.restoreLevel(RESTORE_LEVEL)}
            </span>
          </span>
          {can_restore && (
            <Button
              kind="soft"
              busy={busy === id}
              aria-label={t.restoreOf(name)}
              onPress={() => void restore(id, name)}
            >
              {t.restoreNow}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

const RESTORE_LEVEL = firstLevelOf('restore_delete_guild')
const daysUntil = (at: number): number => Math.max(1, Math.ceil((at - Date.now()) / DAY_MS))

function Create({ onCreated }: { onCreated: (guild: GuildSummary) => void }) {
  const t = useText(sharingText)
  const pictures = useText(iconText)
  const [name, setName] = useState('')
  const [template, setTemplate] = useState<GuildTemplate | ''>('')
  const [wrong, setWrong] = useState('')
  const icon = usePickedIcon(upload)
  const creating = useCall(createGuild)
  const isBusy = creating.status === 'busy' || icon.sent !== null

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const given = readName(name)
    if (given === '') return setWrong(t.nameRequired)
    // The server says what is wrong with a name in its own words.
    const address = isGuildName(given) ? await icon.store() : ''
    if (address === null) return
    const input = { name: given, icon: address, ...(template && { template }) }
    const guild = await creating.run(input, (failure) => setWrong(failure.fields?.name ?? ''))
    if (guild) onCreated(guild)
  }
  const message = icon.problem
    ? pictures[icon.problem]
    : (icon.failure?.message ?? (wrong ? '' : creating.failure?.message))
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <IconPicker
        label={icon.url ? t.iconChange : t.icon}
        icon={icon}
        empty={<GuildIcon id={name} name={readName(name) || '＋'} src="" size={88} />}
      />
      <Field
        label={t.name}
        name="name"
        value={name}
        maxLength={60}
        placeholder={t.namePlaceholder}
        error={wrong || undefined}
        autoFocus
        onChange={(value) => {
          setName(value)
          setWrong('')
        }}
      />
      <Select
        label={t.template}
        options={[
          { value: '', name: t.noTemplate },
          ...GUILD_TEMPLATES.map((it) => ({ value: it as GuildTemplate | '', name: t[it] })),
        ]}
        value={template}
        onChange={setTemplate}
      />
      <p className={styles.problem} role="alert">
        {message}
      </p>
      <Button type="submit" block busy={isBusy}>
        {icon.sent === null ? t.done : t.uploading(Math.round(icon.sent * 100))}
      </Button>
    </form>
  )
}

function Join({ onJoined }: { onJoined: (path: string) => void }) {
  const t = useText(sharingText)
  const [link, setLink] = useState('')
  const [wrong, setWrong] = useState('')
  const joining = useAcceptInvite(onJoined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = codeIn(link)
    if (!code) return setWrong(t.linkWrong)
    void joining.accept({ code }, (failure) => setWrong(failure.message))
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label={t.link}
        name="invite"
        value={link}
        inputMode="text"
        placeholder={`${location.host}/…`}
        error={wrong || undefined}
        autoFocus
        onChange={(value) => {
          setLink(value)
          setWrong('')
        }}
      />
      <Button type="submit" block busy={joining.isBusy}>
        {t.join}
      </Button>
    </form>
  )
}
