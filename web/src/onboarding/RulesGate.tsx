import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { acceptRules, chooseRole } from '@guildhall/wire/onboarding/onboarding.ts'
import { useState } from 'react'
import { guildChanged } from '../guild/guild.ts'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { keepOwn } from './keepOwn.ts'
import styles from './Onboarding.module.css'
import { type Choice, Questions } from './Questions.tsx'
import { text } from './text.ts'
import { useOnboarding } from './useOnboarding.ts'

/** In place of the composer, for who has to accept the guild's rules first: the way to them. */
export default function RulesGate({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.gate} data-part="rules-gate">
      <p className={styles.why}>{t.gate}</p>
      <Button onPress={() => setOpen(true)}>{t.read}</Button>
      {isOpen && guild.answer && <RulesSheet guild={guild.answer} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The rules of a guild, the roles to choose, and the button that accepts. */
function RulesSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(text)
  const onboarding = useOnboarding(guild.id)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(guild.my_roles))
  const [isBusy, setBusy] = useState(false)
  const accept = async () => {
    setBusy(true)
    // The event may come before the answer, and takes this sheet away: the call does not end with it.
    const answer = await call(acceptRules, { guild_id: guild.id }).catch(({ message }: Error) =>
      toast(message),
    )
    setBusy(false)
    if (!answer) return
    onClose()
    toast(t.accepted)
    // The composer is there before the guild was asked for again.
    keepOwn(guild.id, { owes_rules: false })
    guildChanged(guild.id)
    await chooseAll(guild, chosen)
  }
  const choose = ({ taken, left }: Choice) =>
    setChosen((all) => new Set([...all].filter((id) => !left.includes(id)).concat(taken)))
  return (
    <Sheet title={t.title} onClose={onClose}>
      <Loaded of={onboarding} title={t.failed}>
        {({ rules, questions }) => (
          <>
            <ol className={styles.rules}>
              {rules.map(({ title, words }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its position
                <li key={at}>
                  <h3 className={styles.title}>{title}</h3>
                  {words !== '' && <p className={styles.words}>{words}</p>}
                </li>
              ))}
            </ol>
            <Questions
              guild={guild}
              questions={questions}
              isHeld={(id) => chosen.has(id)}
              onChoose={choose}
            />
            <div className={styles.accept}>
              <Button block busy={isBusy} onPress={() => void accept()}>
                {t.accept}
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

/** Takes the roles that were chosen together with the rules, one after the other. */
async function chooseAll({ id, my_roles }: Guild, chosen: ReadonlySet<number>): Promise<void> {
  for (const role_id of chosen) {
    if (my_roles.includes(role_id)) continue
    const answer = await call(chooseRole, { guild_id: id, role_id, chosen: true }).catch(
      ({ message }: Error) => toast(message),
    )
    if (answer) keepOwn(id, { role_ids: answer.roles })
  }
}
