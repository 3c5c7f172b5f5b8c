import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { chooseRole } from '@guildhall/wire/onboarding/onboarding.ts'
import { useRef, useState } from 'react'
import { guildChanged } from '../guild/guild.ts'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { keepOwn } from './keepOwn.ts'
import styles from './Onboarding.module.css'
import { type Choice, Questions } from './Questions.tsx'
import { text } from './text.ts'
import { useOnboarding } from './useOnboarding.ts'

/** The roles that a guild offers its members: each is taken and given back at once. */
export function RolesSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(text)
  const onboarding = useOnboarding(guild.id)
  const { isHeld, choose } = useChoices(guild)
  return (
    <Sheet title={t.choose} onClose={onClose}>
      <Loaded of={onboarding} title={t.rolesFailed}>
        {({ questions }) =>
          questions.length === 0 || guild.user_config.owes_rules ? (
            <p className={styles.words}>{questions.length === 0 ? t.noRoles : t.gate}</p>
          ) : (
            <Questions guild={guild} questions={questions} isHeld={isHeld} onChoose={choose} />
          )
        }
      </Loaded>
    </Sheet>
  )
}

/** Choices are shown at once and made one after the other; one that is refused is taken back, and why. */
function useChoices(guild: Guild) {
  const [pending, setPending] = useState<ReadonlyMap<number, boolean>>(new Map())
  const line = useRef(Promise.resolve())
  const waiting = useRef(0)
  const make = async (role_id: number, chosen: boolean) => {
    const answer = await call(chooseRole, { guild_id: guild.id, role_id, chosen }).catch(
      ({ message }: Error) => toast(message),
    )
    if (answer) keepOwn(guild.id, { role_ids: answer.roles })
    waiting.current -= 1
    if (waiting.current > 0) return
    setPending(new Map())
    guildChanged(guild.id)
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
  return { isHeld: (id: number) => pending.get(id) ?? guild.my_roles.includes(id), choose }
}
