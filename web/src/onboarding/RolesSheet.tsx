import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { chooseRole } from '@guildhall/wire/onboarding/onboarding.ts'
import { useRef, useState } from 'react'
import { guildChanged } from '../guild/guild.ts'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { both, Loaded } from '../ui/state/Loaded.tsx'
import { keepOwn } from './keepOwn.ts'
import styles from './Onboarding.module.css'
import { type Choice, Questions } from './Questions.tsx'
import { text } from './text.ts'
import { useOnboarding } from './useOnboarding.ts'

/** The roles that a guild offers its members: each is taken and given back at once. */
export function RolesSheet({ guildId, onClose }: { guildId: GuildId; onClose: () => void }) {
  const t = useText(text)
  const onboarding = useOnboarding(guildId)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const { isHeld, choose } = useChoices(guildId, guild.answer?.my_roles ?? [])
  return (
    <Sheet title={t.choose} onClose={onClose}>
      <Loaded of={both(guild, onboarding)} title={t.rolesFailed}>
        {([of, { questions }]) =>
          questions.length === 0 || of.user_config.owes_rules ? (
            <p className={styles.words}>{questions.length === 0 ? t.noRoles : t.gate}</p>
          ) : (
            <Questions guild={of} questions={questions} isHeld={isHeld} onChoose={choose} />
          )
        }
      </Loaded>
    </Sheet>
  )
}

/** Choices are shown at once and made one after the other; one that is refused is taken back, and why. */
function useChoices(guildId: GuildId, held: readonly number[]) {
  const [pending, setPending] = useState<ReadonlyMap<number, boolean>>(new Map())
  const line = useRef(Promise.resolve())
  const waiting = useRef(0)
  const make = async (role_id: number, chosen: boolean) => {
    const answer = await call(chooseRole, { guild_id: guildId, role_id, chosen }).catch(
      ({ message }: Error) => toast(message),
    )
    if (answer) keepOwn(guildId, { role_ids: answer.roles })
    waiting.current -= 1
    if (waiting.current > 0) return
    setPending(new Map())
    guildChanged(guildId)
  }
  const choose = ({ taken, left }: Choice) => {
    const took = taken.map((id) => [id, true] as const)
    const gave = left.map((id) => [id, false] as const)
    setPending((all) => new Map([...all, ...gave, ...took]))
    // Where a question has one answer, the server takes the others.
    const calls = took.length > 0 ? took : gave
    for (const [id, is] of calls) {
      waiting.current += 1
      line.current = line.current.then(() => make(id, is))
    }
  }
  return { isHeld: (id: number) => pending.get(id) ?? held.includes(id), choose }
}
