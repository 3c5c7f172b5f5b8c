import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { SEARCH_REASON_MIN, STAFF_QUERY_MAX, searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import type { ReportCase, viewReport } from '@guildhall/wire/staff/reports.ts'
import { ACT_REASON_MAX } from '@guildhall/wire/staff/staff.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import type { CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { type Calling, useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { type Errors, useForm } from '../../ui/form/useForm.ts'
import partStyles from '../parts/parts.module.css'
import { Card } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { MessageSeen } from './MessageSeen.tsx'
import styles from './reports.module.css'
import { reportsText } from './reportsText.ts'

type Where = Pick<CallInput<typeof searchReported>, 'channel_id' | 'guild_id' | 'chat_code'>

/**
 * Where staff may search because of a case; null: nowhere, as of a person, and when nothing of it is kept.
 */
export function searchedIn({ case: of, evidence }: AnswerOf<typeof viewReport>): Where | null {
  const seen = evidence[0]?.seen
  if (seen?.kind === 'guild') return { guild_id: of.target_id as GuildId }
  if (seen?.kind !== 'message') return null
  return seen.channel ? { channel_id: seen.channel.id as ChannelId } : { chat_code: seen.chat_code }
}

/**
 * A search of the messages around a case, or of those of the author alone. Each one is in the staff log, with
 * its words and its reason: nothing is asked by itself or again.
 */
export function SearchCard({ where, of }: { where: Where; of: ReportCase }) {
  const t = useText(reportsText)
  const common = useText(text)
  const [q, setQ] = useState('')
  const [reason, setReason] = useState('')
  const [isTheirs, setTheirs] = useState(false)
  const form = useForm(['q', 'reason'])
  const searching = useCall(searchReported)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong: Errors<'q' | 'reason'> = {}
    const asked = isTheirs ? `${q} ${fromOf(of)}`.trim() : q
    if (asked.trim() === '') wrong.q = t.searchWordsNeeded
    if (readWords(reason).length < SEARCH_REASON_MIN) wrong.reason = t.searchReasonNeeded
    if (form.show(wrong)) void searching.run({ q: asked, reason, ...where }, form.refused)
  }
  return (
    <Card title={t.searchTitle}>
      <p className={styles.note}>{where.chat_code ? t.searchWhyPrivate : t.searchWhy}</p>
      <search>
        <form className={styles.search} noValidate ref={form.ref} onSubmit={submit}>
          <Field
            label={t.searchWords}
            name="q"
            type="search"
            maxLength={STAFF_QUERY_MAX - fromOf(of).length - 1}
            value={q}
            error={form.errors.q}
            onChange={setQ}
          />
          <Field
            label={t.searchReason}
            name="reason"
            maxLength={ACT_REASON_MAX}
            value={reason}
            error={form.errors.reason}
            onChange={setReason}
          />
          <div className={styles.searchEnd}>
            <Button type="submit" busy={searching.status === 'busy'}>
              {common.search}
            </Button>
            {where.channel_id !== undefined && <Theirs of={of} isOn={isTheirs} onChange={setTheirs} />}
          </div>
        </form>
      </search>
      {form.problem && (
        <p className={partStyles.refused} role="alert">
          {form.problem}
        </p>
      )}
      <Found by={searching} targetId={of.target_id} />
    </Card>
  )
}

/** What narrows a search down to the author of a reported message. */
const fromOf = ({ user_id }: ReportCase): string => `from:${user_id}`

function Theirs(props: { of: ReportCase; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const t = useText(reportsText)
  return (
    <label className={styles.theirs}>
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={({ currentTarget: { checked } }) => props.onChange(checked)}
      />
      <span>{t.searchTheirs(props.of.name || props.of.user_id)}</span>
    </label>
  )
}

function Found({ by, targetId }: { by: Calling<typeof searchReported>; targetId: string }) {
  const t = useText(reportsText)
  if (by.status !== 'done') return null
  const { items, has_more } = by.answer
  return (
    <>
      <p className={styles.note} role="status">
        {has_more ? t.searchMore(items.length) : t.searchFound(items.length)}
      </p>
      <ol className={styles.messages} aria-label={t.searchList}>
        {items.map(({ message, channel, marks }) => (
          <MessageSeen
            key={message.id}
            of={message}
            channel={channel?.name}
            marks={marks}
            isAround={message.id !== targetId}
          />
        ))}
      </ol>
    </>
  )
}
