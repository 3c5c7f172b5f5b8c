import type { GuildId } from '@guildhall/wire/id.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import styles from './Members.module.css'
import { text } from './text.ts'
import { type Bulk, type Outcome, undoOf } from './useBulk.ts'

const number = (outcomes: readonly Outcome[], ...states: Outcome['state'][]) =>
  outcomes.filter(({ state }) => states.includes(state)).length

/** What an act came to, person by person; what was refused is tried again, what can be is undone. */
export function OutcomeSheet(props: {
  guildId: GuildId
  bulk: Bulk
  onAgain: () => void
  onUndo: () => void
  onClose: () => void
}) {
  const t = useText(text)
  const { act, outcomes, isBusy } = props.bulk
  const refused = number(outcomes, 'refused')
  const done = number(outcomes, 'done')
  const canUndo = outcomes.some(
    ({ state, member }) => state === 'done' && undoOf(props.guildId, act, member) !== null,
  )
  const title = () => {
    if (isBusy) return t.working(number(outcomes, 'done', 'refused', 'undone'), outcomes.length)
    return refused > 0 ? t.finishedSome(done, refused) : t.finished(done)
  }
  return (
    <Sheet title={t[act.kind]} onClose={props.onClose}>
      <p className={styles.summary} role="status">
        {title()}
      </p>
      <ul className={styles.outcomes} aria-label={t[act.kind]}>
        {outcomes.map(({ member, state, why }) => (
          <li key={member.id} className={styles.outcome} data-state={state}>
            <Avatar of={member} size={32} />
            <span className={styles.name}>{member.nickname}</span>
            <span className={styles.state}>{why || (state === 'refused' ? '' : t[state])}</span>
          </li>
        ))}
      </ul>
      {!isBusy && (refused > 0 || canUndo) && (
        <div className={styles.after}>
          {canUndo && (
            <Button kind="soft" onPress={props.onUndo}>
              {t.undo}
            </Button>
          )}
          {refused > 0 && (
            <Button kind="soft" onPress={props.onAgain}>
              {t.again}
            </Button>
          )}
        </div>
      )}
    </Sheet>
  )
}
