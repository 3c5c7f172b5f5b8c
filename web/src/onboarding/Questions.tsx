import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Question } from '@guildhall/wire/onboarding/onboarding.ts'
import { useId } from 'react'
import { useTheme } from '../kit/browser/useTheme.ts'
import { useText } from '../kit/i18n.ts'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { colorsOf, nameLook } from '../ui/picture/nameLook.ts'
import styles from './Onboarding.module.css'
import { text } from './text.ts'

/** What somebody chose: roles that they take and roles that they give back. */
export interface Choice {
  readonly taken: readonly number[]
  readonly left: readonly number[]
}

/** The questions of a guild, each with the roles that answer it: one of them, or several. */
export function Questions(props: {
  guild: Guild
  questions: readonly Question[]
  isHeld: (roleId: number) => boolean
  onChoose: (choice: Choice) => void
}) {
  return props.questions.map((question, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a question is its position
    <QuestionBox key={at} {...props} question={question} />
  ))
}

function QuestionBox(props: Parameters<typeof Questions>[0] & { question: Question }) {
  const { question, isHeld, onChoose } = props
  const { title, several, role_ids } = question
  const t = useText(text)
  const theme = useTheme()
  const name = useId()
  const roles = props.guild.roles.filter(({ role_id }) => role_ids.includes(role_id))
  const held = role_ids.filter(isHeld)
  return (
    <fieldset className={styles.question}>
      <legend>
        {title}
        <span className={styles.how}>{several ? t.several : t.one}</span>
      </legend>
      {!several && (
        <label className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={held.length === 0}
            onChange={() => onChoose({ taken: [], left: held })}
          />
          {t.none}
        </label>
      )}
      {roles.map((role) => (
        <label key={role.role_id} className={styles.option}>
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            checked={isHeld(role.role_id)}
            onChange={({ currentTarget }) =>
              onChoose({
                taken: currentTarget.checked ? [role.role_id] : [],
                left: several ? (currentTarget.checked ? [] : [role.role_id]) : held,
              })
            }
          />
          <span {...nameLook(colorsOf(role), theme)}>
            <EmojiText>{role.name}</EmojiText>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
