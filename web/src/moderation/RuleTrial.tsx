import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { tryRule } from '@guildhall/wire/moderation/moderation.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { type Draft, looksOf } from './draft.ts'
import styles from './Moderation.module.css'
import { text } from './text.ts'

/** What a rule would have caught of the last messages, before it is switched on. */
export function RuleTrial({ guild, draft }: { guild: Guild; draft: Draft }) {
  const t = useText(text)
  const trying = useCall(tryRule)
  const answer = trying.status === 'done' ? trying.answer : null
  const start = () => void trying.run({ guild_id: guild.id, kind: draft.kind, ...looksOf(draft) })
  return (
    <>
      <Button block kind="soft" busy={trying.status === 'busy'} onPress={start}>
        {t.try}
      </Button>
      <p className={styles.why} role="status">
        {answer ? t.tried(answer.tried, answer.caught) : trying.failure?.message}
      </p>
      {answer && answer.items.length > 0 && (
        <ul className={styles.card} aria-label={t.examples}>
          {answer.items.map((it) => (
            <li key={it.msg_id} className={styles.example}>
              <p className={styles.words}>{it.content}</p>
              <p className={styles.fact}>{t.in(it.username, it.channel_name)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
