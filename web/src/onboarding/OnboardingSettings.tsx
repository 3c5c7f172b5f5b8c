import type { Guild } from '@guildhall/wire/channel/channel.ts'
import {
  type Onboarding,
  RULE_TITLE_MAX,
  RULE_WORDS_MAX,
  RULES_MAX,
  type Rule,
  updateOnboarding,
  viewOnboarding,
} from '@guildhall/wire/onboarding/onboarding.ts'
import { isVisible } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Toggle } from '../role/role.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { WordsField } from '../ui/form/WordsField.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { StepDownIcon, StepUpIcon, TrashIcon } from '../ui/icon/laterIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './Onboarding.module.css'
import { useOnboarding } from './onboarding.tsx'
import { PostRoles } from './PostRoles.tsx'
import { QuestionsEditor } from './QuestionsEditor.tsx'
import { settingsText } from './settingsText.ts'

/** What newcomers are shown: the rules that they accept, and the roles that they choose. */
export default function OnboardingSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const onboarding = useOnboarding(guild.id)
  return (
    <Loaded of={onboarding} title={t.failed}>
      {(stored) => (
        <>
          <SettingsForm guild={guild} stored={stored} />
          <PostRoles guild={guild} isOffering={stored.questions.length > 0} />
        </>
      )}
    </Loaded>
  )
}

/** What is typed stays when somebody else changes the rest; only what differs is sent. */
function SettingsForm({ guild, stored }: { guild: Guild; stored: Onboarding }) {
  const t = useText(settingsText)
  const form = useForm()
  const saving = useCall(updateOnboarding)
  const [change, setChange] = useState<Partial<Onboarding>>({})
  const typed = { ...stored, ...change }
  const set = (more: Partial<Onboarding>) => setChange((all) => ({ ...all, ...more }))
  const save = async () => {
    const isComplete =
      typed.rules.every(({ title }) => isVisible(title)) &&
      typed.questions.every(({ title, role_ids }) => isVisible(title) && role_ids.length > 0)
    if (!isComplete) return void form.show({}, t.incomplete)
    const input = { guild_id: guild.id }
    const now = await saving.run({ ...input, ...change }, form.refused)
    if (!now) return
    form.show({})
    cache.setQueryData(queryKeyOf(viewOnboarding, input), now)
    setChange({})
    toast(t.saved)
  }
  return (
    <Form
      form={form}
      button={t.save}
      busy={saving.status === 'busy'}
      className={styles.form}
      onSubmit={() => void save()}
    >
      <Toggle
        name={t.rulesOn}
        why={t.rulesWhy}
        isOn={typed.rules_on}
        onChange={(rules_on) => set({ rules_on })}
      />
      <h2 className={styles.heading}>{t.rules}</h2>
      <RulesEditor rules={typed.rules} onChange={(rules) => set({ rules })} />
      <h2 className={styles.heading}>{t.rolesTitle}</h2>
      <QuestionsEditor
        guild={guild}
        questions={typed.questions}
        onChange={(questions) => set({ questions })}
      />
    </Form>
  )
}

/** The rules in their order, each with its title and words. */
function RulesEditor({ rules, onChange }: { rules: readonly Rule[]; onChange: (rules: Rule[]) => void }) {
  const t = useText(settingsText)
  const isFull = rules.length >= RULES_MAX
  const put = (at: number, more: Partial<Rule>) =>
    onChange(rules.map((rule, each) => (each === at ? { ...rule, ...more } : rule)))
  const move = (at: number, by: -1 | 1) => {
    const left = rules.toSpliced(at, 1)
    onChange(left.toSpliced(at + by, 0, ...rules.slice(at, at + 1)))
  }
  return (
    <>
      <ol className={styles.editor} aria-label={t.rules}>
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its position
          <li key={at} className={styles.rule}>
            <div className={styles.ruleHead}>
              <h3 className={styles.name}>{t.ruleOf(at + 1)}</h3>
              {at > 0 && (
                <IconButton label={t.up(at + 1)} onPress={() => move(at, -1)}>
                  <StepUpIcon />
                </IconButton>
              )}
              {at < rules.length - 1 && (
                <IconButton label={t.down(at + 1)} onPress={() => move(at, 1)}>
                  <StepDownIcon />
                </IconButton>
              )}
              <IconButton label={t.remove(at + 1)} onPress={() => onChange(rules.toSpliced(at, 1))}>
                <TrashIcon />
              </IconButton>
            </div>
            <Field
              label={t.ruleTitle}
              name={`title ${at}`}
              autoComplete="off"
              maxLength={RULE_TITLE_MAX}
              value={rule.title}
              onChange={(title) => put(at, { title })}
            />
            <WordsField
              label={t.ruleWords}
              name={`words ${at}`}
              most={RULE_WORDS_MAX}
              rows={2}
              placeholder={t.ruleHint}
              value={rule.words}
              error={undefined}
              onChange={(words) => put(at, { words })}
            />
          </li>
        ))}
      </ol>
      <Button
        block
        kind="soft"
        disabled={isFull}
        onPress={() => onChange([...rules, { title: '', words: '' }])}
      >
        {isFull ? t.most(RULES_MAX) : t.add}
      </Button>
    </>
  )
}
