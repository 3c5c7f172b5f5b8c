import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import {
  ANSWERS_MAX,
  QUESTION_MAX,
  QUESTIONS_MAX,
  type Question,
} from '@guildhall/wire/onboarding/onboarding.ts'
import { mayBeChosen } from '@guildhall/wire/permission/dangerous.ts'
import { grantable } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../kit/i18n.ts'
import { RoleDot, Toggle } from '../role/role.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { TrashIcon } from '../ui/icon/laterIcons.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import styles from './Onboarding.module.css'
import { settingsText } from './settingsText.ts'

/** The questions by which members choose roles, each with the roles that answer it. */
export function QuestionsEditor(props: {
  guild: Guild
  questions: readonly Question[]
  onChange: (questions: Question[]) => void
}) {
  const { guild, questions, onChange } = props
  const t = useText(settingsText)
  const isFull = questions.length >= QUESTIONS_MAX
  const open = has(guild.permissions, permission.manage_role) ? grantable(guild).filter(mayBeChosen) : []
  const put = (at: number, more: Partial<Question>) =>
    onChange(questions.map((question, each) => (each === at ? { ...question, ...more } : question)))
  /** Those that it has, and those that no other has. */
  const rolesFor = (question: Question) => {
    const taken = questions.filter((it) => it !== question).flatMap(({ role_ids }) => role_ids)
    return guild.roles.filter(
      (role) =>
        question.role_ids.includes(role.role_id) || (open.includes(role) && !taken.includes(role.role_id)),
    )
  }
  return (
    <>
      <p className={styles.hint}>{open.length === 0 ? t.noRoles : t.rolesWhy}</p>
      <ol className={styles.editor} aria-label={t.questions}>
        {questions.map((question, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a question is its position
          <li key={at} className={styles.rule}>
            <div className={styles.ruleHead}>
              <h3 className={styles.name}>{t.questionOf(at + 1)}</h3>
              <IconButton
                label={t.removeQuestion(at + 1)}
                onPress={() => onChange(questions.toSpliced(at, 1))}
              >
                <TrashIcon />
              </IconButton>
            </div>
            <QuestionFields
              at={at}
              question={question}
              roles={rolesFor(question)}
              onChange={(more) => put(at, more)}
            />
          </li>
        ))}
      </ol>
      <Button
        block
        kind="soft"
        disabled={isFull || open.length === 0}
        onPress={() => onChange([...questions, { title: '', several: false, role_ids: [] }])}
      >
        {isFull ? t.mostQuestions(QUESTIONS_MAX) : t.addQuestion}
      </Button>
    </>
  )
}

function QuestionFields(props: {
  at: number
  question: Question
  roles: readonly Role[]
  onChange: (more: Partial<Question>) => void
}) {
  const { at, question, roles, onChange } = props
  const t = useText(settingsText)
  const { role_ids } = question
  const toggle = (id: number) =>
    onChange({
      role_ids: role_ids.includes(id) ? role_ids.filter((each) => each !== id) : [...role_ids, id],
    })
  return (
    <>
      <Field
        label={t.question}
        name={`question ${at}`}
        autoComplete="off"
        maxLength={QUESTION_MAX}
        placeholder={t.questionHint}
        value={question.title}
        onChange={(title) => onChange({ title })}
      />
      <Toggle
        name={t.several}
        why={t.severalWhy}
        isOn={question.several}
        onChange={(several) => onChange({ several })}
      />
      <fieldset className={styles.roles}>
        <legend>{t.rolesOf(role_ids.length, ANSWERS_MAX)}</legend>
        {roles.map((role) => (
          <label key={role.role_id} className={styles.option}>
            <input
              type="checkbox"
              checked={role_ids.includes(role.role_id)}
              disabled={role_ids.length >= ANSWERS_MAX && !role_ids.includes(role.role_id)}
              onChange={() => toggle(role.role_id)}
            />
            <RoleDot role={role} />
            <EmojiText>{role.name}</EmojiText>
          </label>
        ))}
      </fieldset>
    </>
  )
}
