import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { deleteMute, listMutes, type MuteType, muteType } from '@guildhall/wire/member/moderation.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useAct } from '../kit/useAct.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { MutesDrawing } from './settings/drawings.tsx'
import { settingsText } from './settingsText.ts'

interface Mute {
  readonly userId: UserId
  readonly type: MuteType
  /** ms; 0: without an end. */
  readonly endsAt: number
}

/** Those of all types, as they are listed. */
function mutesOf({ mic, headset, write }: AnswerOf<typeof listMutes>): readonly Mute[] {
  const ends = new Map(write?.ends_at.map((it) => [it.user_id, it.ends_at]))
  const of = (ids: readonly UserId[] | undefined, type: MuteType) =>
    (ids ?? []).map((userId) => ({ userId, type, endsAt: ends.get(userId) ?? 0 }))
  return [
    ...of(write?.user_ids, muteType.write),
    ...of(mic?.user_ids, muteType.mic),
    ...of(headset?.user_ids, muteType.headset),
  ]
}

/** Who is muted in a guild, and until when; a mute is lifted here. */
export default function MutesSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const mutes = useRouteQuery(listMutes, { guild_id: guild.id, return_type: 'detail' })
  return (
    <Loaded of={mutes} title={t.mutesFailed}>
      {(answer) => {
        const people = new Map(answer.users?.map((it: User) => [it.id, it]))
        const all = mutesOf(answer)
        if (all.length === 0)
          return <EmptyState icon={<MutesDrawing />} title={t.noMutes} message={t.noMutesWhy} />
        return (
          <ActionRows label={t.mutes}>
            {all.map((mute) => (
              <MuteRow
                key={`${mute.userId}.${mute.type}`}
                guild={guild}
                mute={mute}
                user={people.get(mute.userId)}
                onLifted={mutes.refetch}
              />
            ))}
          </ActionRows>
        )
      }}
    </Loaded>
  )
}

interface RowProps {
  readonly guild: Guild
  readonly mute: Mute
  /** Absent: nothing is known of them any more. */
  readonly user: User | undefined
  readonly onLifted: () => void
}

function MuteRow({ guild, mute, user, onLifted }: RowProps) {
  const t = useText(settingsText)
  const locale = useLocale()
  const lifting = useAct(deleteMute)
  const { userId, type, endsAt } = mute
  const name = user ? `${user.username}#${user.identify_num}` : userId
  const fact = () => {
    if (type === muteType.mic) return t.mic
    if (type === muteType.headset) return t.headset
    return endsAt === 0 ? t.endless : t.until(timeLabel(endsAt, Date.now(), locale))
  }
  const lift = async () => {
    const target = { guild_id: guild.id, user_id: userId, type }
    if (!(await lifting.run(target, ({ message }) => toast(message)))) return
    toast(t.unmuted(user?.username ?? name))
    onLifted()
  }
  return (
    <ActionRow
      picture={<Avatar of={user ?? { id: userId, username: '', avatar: '' }} size={40} />}
      title={name}
      facts={[fact()]}
      action={t.unmute}
      actionLabel={t.unmuteOf(name)}
      isBusy={lifting.isBusy}
      onAction={() => void lift()}
    />
  )
}
