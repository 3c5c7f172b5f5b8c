import type { Guild } from '@guildhall/wire/channel/channel.ts'
import {
  createRule,
  type deleteRule,
  type GuildRule,
  listRules,
  RULE_NAME_MAX,
  updateRule,
} from '@guildhall/wire/moderation/moderation.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { type Calling, useCall } from '../kit/useCall.ts'
import { Toggle } from '../role/role.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { actsOf, changesOf, type Draft, fieldsOf } from './draft.ts'
import styles from './Moderation.module.css'
import { RuleActs } from './RuleActs.tsx'
import { RuleLooks } from './RuleLooks.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { kindText, text } from './text.ts'

interface RuleProps {
  readonly guild: Guild
  /** Null: it is new. */
  readonly rule: GuildRule | null
  /** The rule as it was when the page opened. */
  readonly start: Draft
  readonly removing: Calling<typeof deleteRule>
}

/** One rule: what it looks for, what it does, and what it would have caught. */
export function RulePage({ guild, rule, start, removing }: RuleProps) {
  const t = useText(text)
  const [before] = useState(start)
  const [draft, setDraft] = useState(start)
  const form = useForm(['name'])
  const saving = useSaving(guild, rule)
  const set = (change: Partial<Draft>) => setDraft((all) => ({ ...all, ...change }))
  const submit = () => {
    if (actsOf(draft).length === 0) form.show({}, t.noAct)
    else if (draft.kind === 'restriction' && draft.conditions.length === 0) form.show({}, t.noCondition)
    else void saving.save(before, draft, form.refused)
  }
  const [name, why] = useText(kindText)[draft.kind]
  return (
    <div className={styles.section}>
      <h2 className={styles.heading}>{name}</h2>
      <p className={styles.why}>{why}</p>
      <Form form={form} button={t.save} busy={saving.isBusy} className={styles.form} onSubmit={submit}>
        <Field
          label={t.name}
          name="name"
          autoComplete="off"
          maxLength={RULE_NAME_MAX}
          value={draft.name}
          error={form.errors.name}
          onChange={(typed) => set({ name: typed })}
        />
        <RuleLooks guild={guild} draft={draft} onChange={set} />
        <RuleActs guild={guild} draft={draft} onChange={set} />
        <div className={styles.card}>
          <Toggle name={t.isOn} why={t.isOnWhy} isOn={draft.isOn} onChange={(isOn) => set({ isOn })} />
        </div>
        {draft.kind !== 'raid' && <RuleTrial guild={guild} draft={draft} />}
      </Form>
      {rule && <Removal guild={guild} rule={rule} removing={removing} />}
    </div>
  )
}

/** Makes the rule, or changes what differs, and leads back to the list. */
function useSaving(guild: Guild, rule: GuildRule | null) {
  const t = useText(text)
  const navigate = useNavigate()
  const making = useCall(createRule)
  const changing = useCall(updateRule)
  const save = async (before: Draft, after: Draft, refused: Parameters<typeof making.run>[1]) => {
    const done = rule
      ? await changing.run({ guild_id: guild.id, id: Number(rule.id), ...changesOf(before, after) }, refused)
      : await making.run({ guild_id: guild.id, kind: after.kind, ...fieldsOf(after) }, refused)
    invalidateRoute(listRules)
    if (!done) return
    toast(t.saved)
    void navigate({ search: '' }, { replace: true })
  }
  return { save, isBusy: making.status === 'busy' || changing.status === 'busy' }
}

function Removal({ guild, rule, removing }: Pick<RuleProps, 'guild' | 'removing'> & { rule: GuildRule }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    setAsked(false)
    const input = { guild_id: guild.id, id: Number(rule.id) }
    const done = await removing.run(input, ({ message }) => toast(message))
    invalidateRoute(listRules)
    if (!done) return
    toast(t.removed)
    void navigate({ search: '' }, { replace: true })
  }
  return (
    <>
      <Button block kind="danger" busy={removing.status === 'busy'} onPress={() => setAsked(true)}>
        {t.remove}
      </Button>
      {isAsked && (
        <Dialog
          title={t.removeTitle}
          message={t.removeMessage}
          confirm={t.remove}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
