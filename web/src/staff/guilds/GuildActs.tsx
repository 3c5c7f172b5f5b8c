import { GUILD_RESTORABLE_MS } from '@guildhall/wire/guild/guild.ts'
import { findGuilds, recommendGuild, type StaffGuild, staffViewGuild } from '@guildhall/wire/staff/guilds.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { closeGuild, restoreGuild } from '@guildhall/wire/staff/staff.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { guildsText } from '../guildsText.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { momentLabel } from '../parts/Section.tsx'
import { OwnerDialog } from './OwnerDialog.tsx'

type Act = 'owner' | 'recommend' | 'close' | 'restore'

/** Something was done to a guild: what shows it is requested again. */
function guildChanged(): void {
  for (const route of [staffViewGuild, findGuilds, listStaffLog]) invalidateRoute(route)
}

/** The acts on a guild, and the dialog of the chosen one. */
export function GuildActs({ guild }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  const [act, setAct] = useState<Act | null>(null)
  const isOpen = guild.state === 'open'
  const offered: readonly (readonly [Act, string, boolean])[] = [
    ['owner', t.changeOwner, isOpen],
    ['recommend', guild.recommended ? t.unrecommend : t.recommend, isOpen],
    ['restore', t.restore, guild.state === 'closed' && guild.restorable_until > Date.now()],
    ['close', t.close, isOpen],
  ]
  const close = () => setAct(null)
  const done = () => {
    close()
    guildChanged()
  }
  return (
    <>
      {offered
        .filter(([, , isOffered]) => isOffered)
        .map(([name, label]) => (
          <Button key={name} kind={name === 'close' ? 'quiet' : 'soft'} onPress={() => setAct(name)}>
            {label}
          </Button>
        ))}
      {act === 'owner' && <OwnerDialog guild={guild} onDone={done} onClose={close} />}
      {act !== null && act !== 'owner' && <Asked act={act} guild={guild} onDone={done} onClose={close} />}
    </>
  )
}

function Asked(props: {
  act: Exclude<Act, 'owner'>
  guild: StaffGuild
  onDone: () => void
  onClose: () => void
}) {
  const t = useText(guildsText)
  const { act, guild } = props
  const input = { guild_id: guild.id }
  const end = { reason: 'reason', onDone: props.onDone, onClose: props.onClose }
  if (act === 'restore')
    return (
      <ActDialog
        {...end}
        input={input}
        route={restoreGuild}
        title={t.restore}
        message={t.restoreMessage}
        confirm={t.restore}
      />
    )
  if (act === 'close') {
    const until = momentLabel(Date.now() + GUILD_RESTORABLE_MS)
    return (
      <ActDialog
        {...end}
        input={input}
        route={closeGuild}
        title={t.close}
        message={t.closeMessage(until)}
        confirm={t.close}
        again={t.closeAgain(guild.name)}
        danger
      />
    )
  }
  const title = guild.recommended ? t.unrecommend : t.recommend
  return (
    <ActDialog
      {...end}
      route={recommendGuild}
      title={title}
      confirm={title}
      input={{ ...input, on: !guild.recommended }}
      message={guild.recommended ? t.unrecommendMessage : t.recommendMessage}
    />
  )
}
