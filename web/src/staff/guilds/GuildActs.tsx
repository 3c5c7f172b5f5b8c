import { GUILD_RESTORABLE_MS } from '@guildhall/wire/guild/guild.ts'
import { findGuilds, recommendGuild, type StaffGuild, staffViewGuild } from '@guildhall/wire/staff/guilds.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { closeGuild, restoreGuild } from '@guildhall/wire/staff/staff.ts'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { momentLabel } from '../parts/Section.tsx'
import { guildsText } from './guildsText.ts'
import { OwnerDialog } from './OwnerDialog.tsx'

/** Something was done to a guild: what shows it is requested again. */
function guildChanged(): void {
  for (const route of [staffViewGuild, findGuilds, listStaffLog]) invalidateRoute(route)
}

/** The acts on a guild. */
export function GuildActs({ guild }: { guild: StaffGuild }) {
  const t = useText(guildsText)
  const input = { guild_id: guild.id }
  const isOpen = guild.state === 'open'
  const recommending = guild.recommended ? t.unrecommend : t.recommend
  const acts: readonly (Act | false)[] = [
    isOpen && { label: t.changeOwner, dialog: (end) => <OwnerDialog guild={guild} {...end} /> },
    isOpen && {
      label: recommending,
      dialog: (end) => (
        <ActDialog
          {...end}
          route={recommendGuild}
          input={{ ...input, on: !guild.recommended }}
          title={recommending}
          message={guild.recommended ? t.unrecommendMessage : t.recommendMessage}
        />
      ),
    },
    guild.state === 'closed' &&
      guild.restorable_until > Date.now() && {
        label: t.restore,
        dialog: (end) => (
          <ActDialog
            {...end}
            route={restoreGuild}
            input={input}
            title={t.restore}
            message={t.restoreMessage}
          />
        ),
      },
    isOpen && {
      label: t.close,
      kind: 'quiet',
      dialog: (end) => (
        <ActDialog
          {...end}
          route={closeGuild}
          input={input}
          title={t.close}
          message={t.closeMessage(momentLabel(Date.now() + GUILD_RESTORABLE_MS))}
          again={t.closeAgain(guild.name)}
          danger
        />
      ),
    },
  ]
  return <Acts of={acts} onDone={guildChanged} />
}
