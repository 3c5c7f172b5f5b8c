import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { acceptRules, viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { useState } from 'react'
import { guildChanged } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './Onboarding.module.css'
import { text } from './text.ts'

/** In place of the composer, for who has to accept the guild's rules first: the way to them. */
export default function RulesGate({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.gate} data-part="rules-gate">
      <p className={styles.why}>{t.gate}</p>
      <Button onPress={() => setOpen(true)}>{t.read}</Button>
      {isOpen && <RulesSheet guildId={guildId} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The rules of a guild, and the button that accepts them. */
function RulesSheet({ guildId, onClose }: { guildId: GuildId; onClose: () => void }) {
  const t = useText(text)
  const onboarding = useRouteQuery(viewOnboarding, { guild_id: guildId })
  const accepting = useCall(acceptRules)
  const accept = async () => {
    if (!(await accepting.run({ guild_id: guildId }, ({ message }) => toast(message)))) return
    onClose()
    toast(t.accepted)
    settled(guildId)
  }
  return (
    <Sheet title={t.title} onClose={onClose}>
      <Loaded of={onboarding} title={t.failed}>
        {({ rules }) => (
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
            <div className={styles.accept}>
              <Button block busy={accepting.status === 'busy'} onPress={() => void accept()}>
                {t.accept}
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

/** The reader owes no rules any more: the composer is there before the guild was asked for again. */
function settled(guildId: GuildId): void {
  cache.setQueryData<Guild>(
    queryKeyOf(viewGuild, { id: guildId }),
    (guild) => guild && { ...guild, user_config: { ...guild.user_config, owes_rules: false } },
  )
  guildChanged(guildId)
}
