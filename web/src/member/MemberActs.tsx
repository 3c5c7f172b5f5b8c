import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import {
  createBan,
  createMute,
  deleteMute,
  isNickname,
  kickOut,
  listMutes,
  muteType,
  NICKNAME_MAX,
  setNickname,
} from '@guildhall/wire/member/moderation.ts'
import { grantable, outranks } from '@guildhall/wire/permission/hierarchy.ts'
import { MODERATING } from '@guildhall/wire/permission/moderating.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { readName } from '@guildhall/wire/words.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { CallFailure, type CallInput, call } from '../kit/call.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { EditIcon, ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { ClockIcon, NextIcon } from '../ui/icon/icons.tsx'
import { LeaveIcon } from '../ui/icon/laterIcons.tsx'
import { BanIcon, MuteIcon } from '../ui/icon/personIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './MemberActs.module.css'
import { RolesSheet } from './RolesSheet.tsx'
import { recordPath } from './recordPath.ts'
import { refreshMembers } from './refreshMembers.ts'
import type { Target } from './target.ts'
import { text } from './text.ts'

/** What the reader may do to a member, by the rules of the server. protocol.md §8.3 and §8.4. */
export function actsOn(guild: Guild, meId: string, target: Pick<Target, 'id' | 'roles' | 'isMaster'>) {
  const { permissions } = guild
  const isSelf = meId === target.id
  const actor = { is_master: guild.is_master, roles: guild.my_roles }
  const isAbove = outranks(actor, { is_master: target.isMaster, roles: target.roles }, guild.roles)
  const may = (right: number) => isAbove && has(permissions, right)
  return {
    rename: isSelf ? has(permissions, permission.change_nickname) : may(permission.manage_nickname),
    roles: may(permission.manage_role) && grantable(guild).length > 0,
    mute: may(permission.mute_member),
    kick: may(permission.remove_member),
    ban: may(permission.ban_member),
  }
}

/** Whether the reader sees more of a person than others do: their history, or notes of moderators on them. */
export const mayKnow = ({ permissions }: Pick<Guild, 'permissions'>, meId: string, id: string): boolean =>
  has(permissions, permission.view_log) || (meId !== id && (permissions & MODERATING) !== 0)

type Step = 'nickname' | 'roles' | 'mute' | 'kick' | 'ban'

/**
 * The buttons of what the reader may do to a member, with the steps after them; nothing when there is none.
 */
export function MemberActs(props: { guild: Guild; meId: string; target: Target; onGone: () => void }) {
  const { guild, target } = props
  const t = useText(text)
  const may = actsOn(guild, props.meId, target)
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const gone = (message: string) => {
    toast(message)
    props.onGone()
  }
  const isKnown = mayKnow(guild, props.meId, target.id)
  if (!isKnown && !may.rename && !may.roles && !may.mute && !may.kick && !may.ban) return null
  return (
    <>
      <ul className={styles.acts} aria-label={t.manage}>
        {isKnown && <Record guildId={guild.id} userId={target.id} />}
        {may.rename && (
          <Act icon={<EditIcon />} onPress={() => setStep('nickname')}>
            {t.nickname}
          </Act>
        )}
        {may.roles && (
          <Act icon={<ShieldIcon />} onPress={() => setStep('roles')}>
            {t.roles}
          </Act>
        )}
        {may.mute && <Mute guildId={guild.id} target={target} onMute={() => setStep('mute')} />}
        {may.kick && (
          <Act danger icon={<LeaveIcon />} onPress={() => setStep('kick')}>
            {t.kick}
          </Act>
        )}
        {may.ban && (
          <Act danger icon={<BanIcon />} onPress={() => setStep('ban')}>
            {t.ban}
          </Act>
        )}
      </ul>
      {step === 'nickname' && <NicknameSheet guildId={guild.id} target={target} onClose={close} />}
      {step === 'roles' && <RolesSheet guild={guild} target={target} act={act} onClose={close} />}
      {step === 'mute' && <MuteSheet guildId={guild.id} target={target} onClose={close} />}
      {step === 'kick' && (
        <Dialog
          danger
          title={t.kickTitle(target.name)}
          message={t.kickWhy}
          confirm={t.kickNow}
          onClose={close}
          onConfirm={async () => {
            close()
            if (await act(kickOut, { guild_id: guild.id, target_id: target.id })) gone(t.kicked)
          }}
        />
      )}
      {step === 'ban' && (
        <BanSheet guildId={guild.id} target={target} onClose={close} onBanned={() => gone(t.banned)} />
      )}
    </>
  )
}

/** The way to what moderators know of a person. */
function Record({ guildId, userId }: { guildId: GuildId; userId: string }) {
  const t = useText(text)
  return (
    <li>
      <Link className={styles.act} to={recordPath(guildId, userId)}>
        <ClockIcon />
        <span className={styles.words}>{t.about}</span>
        <NextIcon />
      </Link>
    </li>
  )
}

/** The same on its own, of somebody who is no member any more; nothing for who may not know it. */
export function GoneActs({ guild, meId, userId }: { guild: Guild; meId: string; userId: string }) {
  const t = useText(text)
  if (!mayKnow(guild, meId, userId)) return null
  return (
    <ul className={styles.acts} aria-label={t.manage}>
      <Record guildId={guild.id} userId={userId} />
    </ul>
  )
}

/** A row that does something, in a list of acts. */
export function Act(props: {
  danger?: boolean
  icon?: ReactNode
  onPress: () => void
  children: ReactNode
  note?: string | undefined
}) {
  return (
    <li>
      <button
        type="button"
        className={styles.act}
        data-danger={props.danger || undefined}
        onClick={props.onPress}
      >
        {props.icon}
        <span className={styles.words}>{props.children}</span>
        {props.note && <span className={styles.note}>{props.note}</span>}
      </button>
    </li>
  )
}

/** Makes a call and says why it failed. True when it was done. */
async function act<R extends Route>(route: R, input: CallInput<R>): Promise<boolean> {
  try {
    await call(route, input)
    invalidateRoute(viewUser)
    invalidateRoute(listMembers)
    refreshMembers()
    return true
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    toast(error.message)
    return false
  }
}

function Mute(props: { guildId: GuildId; target: Target; onMute: () => void }) {
  const { guildId, target } = props
  const t = useText(text)
  const locale = useLocale()
  const mutes = useRouteQuery(listMutes, { guild_id: guildId, return_type: 'detail' })
  const mute = mutes.answer?.write?.ends_at.find(({ user_id }) => user_id === target.id)
  if (!mute)
    return (
      <Act icon={<MuteIcon />} onPress={props.onMute}>
        {t.mute}
      </Act>
    )
  const end = mute.ends_at
  const note = end === 0 ? t.muted : t.mutedUntil(timeLabel(end, Date.now(), locale))
  const unmute = async () => {
    const input = { guild_id: guildId, user_id: target.id, type: muteType.write }
    if (await act(deleteMute, input)) toast(t.unmuted)
    mutes.refetch()
  }
  return (
    <Act icon={<MuteIcon />} onPress={() => void unmute()} note={note}>
      {t.unmute}
    </Act>
  )
}

function NicknameSheet(props: { guildId: GuildId; target: Target; onClose: () => void }) {
  const { guildId, target, onClose } = props
  const t = useText(text)
  const [name, setName] = useState(target.nickname)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const nickname = readName(name)
    if (nickname !== '' && !isNickname(nickname)) return setError(t.nicknameWrong)
    setBusy(true)
    const isSaved = await act(setNickname, { guild_id: guildId, user_id: target.id, nickname })
    setBusy(false)
    if (!isSaved) return
    invalidateRoute(viewGuild, { id: guildId })
    toast(t.saved)
    onClose()
  }
  return (
    <Sheet title={t.nickname} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label={t.nicknameOf(target.name)}
          name="nickname"
          value={name}
          onChange={(value) => {
            setName(value)
            setError(undefined)
          }}
          error={error}
          placeholder={t.nicknameHint}
          maxLength={NICKNAME_MAX * 2}
          autoFocus
        />
        <Button block busy={busy} type="submit">
          {t.save}
        </Button>
      </form>
    </Sheet>
  )
}

const S = SECOND_MS

/** How long somebody may be muted, with the words for it: seconds, null without an end. */
export const muteChoices = (
  t: Pick<(typeof text)['zh-CN'], 'minutes' | 'hours' | 'days' | 'endless'>,
): readonly (readonly [string, number | null])[] => [
  [t.minutes(10), (10 * MINUTE_MS) / S],
  [t.hours(1), HOUR_MS / S],
  [t.days(1), DAY_MS / S],
  [t.days(7), (7 * DAY_MS) / S],
  [t.endless, null],
]

function MuteSheet(props: { guildId: GuildId; target: Target; onClose: () => void }) {
  const { guildId, target, onClose } = props
  const t = useText(text)
  const mute = async (duration: number | null) => {
    onClose()
    const input = { guild_id: guildId, user_id: target.id, type: muteType.write }
    if (await act(createMute, { ...input, ...(duration !== null && { duration }) })) toast(t.didMute)
    invalidateRoute(listMutes)
  }
  return (
    <Sheet title={t.muteFor} onClose={onClose}>
      <ul className={styles.acts}>
        {muteChoices(t).map(([label, duration]) => (
          <Act key={label} onPress={() => void mute(duration)}>
            {label}
          </Act>
        ))}
      </ul>
    </Sheet>
  )
}

const DELETED_DAYS = [0, 1, 7]

/** Of how many days before a ban the messages go with it. */
export function DeletedDays({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const t = useText(text)
  return (
    <fieldset className={styles.choice}>
      <legend>{t.banDeletes}</legend>
      {DELETED_DAYS.map((n) => (
        <label key={n} className={styles.option}>
          <input type="radio" name="days" checked={days === n} onChange={() => onChange(n)} />
          {n === 0 ? t.banDeletesNone : t.banDeletesDays(n)}
        </label>
      ))}
    </fieldset>
  )
}

function BanSheet(props: { guildId: GuildId; target: Target; onClose: () => void; onBanned: () => void }) {
  const { guildId, target, onClose } = props
  const t = useText(text)
  const [days, setDays] = useState(0)
  const [busy, setBusy] = useState(false)
  const ban = async () => {
    setBusy(true)
    const isBanned = await act(createBan, { guild_id: guildId, target_id: target.id, del_msg_days: days })
    setBusy(false)
    onClose()
    if (isBanned) props.onBanned()
  }
  return (
    <Sheet title={t.banTitle(target.name)} onClose={onClose}>
      <p className={styles.why}>{t.banWhy}</p>
      <DeletedDays days={days} onChange={setDays} />
      <Button block kind="danger" busy={busy} onPress={() => void ban()}>
        {t.ban}
      </Button>
    </Sheet>
  )
}
