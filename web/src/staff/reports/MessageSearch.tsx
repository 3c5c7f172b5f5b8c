import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { SEARCH_REASON_MIN, STAFF_QUERY_MAX, searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import type { viewReport } from '@guildhall/wire/staff/reports.ts'
import { ACT_REASON_MAX } from '@guildhall/wire/staff/staff.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { type Calling, useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useFirstWrong } from '../../ui/form/useFirstWrong.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { SearchedReportDrawing } from '../drawings.tsx'
import { Card } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { MessageSeen } from './MessageSeen.tsx'
import { messageSearchText } from './messageSearchText.ts'
import styles from './reports.module.css'

type Input = InputOf<typeof searchReported>

/** Where it is searched, and in words; `authorId`: whose messages alone may be asked for. */
interface Searched {
  readonly where: Pick<Input, 'guild_id' | 'channel_id' | 'chat_code'>
  readonly name: (t: (typeof messageSearchText)['zh-CN']) => string
  readonly authorId: string | null
}

/** Null: what was seen is no longer kept, or it was a person. */
function searchedOf({ case: of, evidence }: AnswerOf<typeof viewReport>): Searched | null {
  const seen = evidence[0]?.seen
  if (seen?.kind === 'guild') {
    const name = () => seen.guild.name
    return { where: { guild_id: of.target_id as NonNullable<Input['guild_id']> }, name, authorId: null }
  }
  if (seen?.kind !== 'message') return null
  const { channel, chat_code } = seen
  if (chat_code !== '') return { where: { chat_code }, name: (t) => t.kept, authorId: null }
  if (!channel) return null
  const where = { channel_id: channel.id as NonNullable<Input['channel_id']> }
  return { where, name: () => `#${channel.name}`, authorId: of.user_id }
}

/**
 * Searches messages where something was reported, for a reason. Nothing is asked by itself or again, as each
 * search is logged. Decision 81.
 */
export function MessageSearch({ of }: { of: AnswerOf<typeof viewReport> }) {
  const t = useText(messageSearchText)
  const search = useCall(searchReported)
  const searched = searchedOf(of)
  const [asked, setAsked] = useState<Input | null>(null)
  if (!searched) return null
  const ask = (input: Input) => {
    setAsked(input)
    void search.run(input)
  }
  return (
    <Card title={t.title}>
      <p className={styles.note}>{t.lead(searched.name(t))}</p>
      <SearchForm
        searched={searched}
        author={of.case.name}
        isBusy={search.status === 'busy'}
        onSearch={ask}
      />
      <Results search={search} targetId={of.case.target_id} onRetry={() => asked && ask(asked)} />
    </Card>
  )
}

function SearchForm(props: {
  searched: Searched
  author: string
  isBusy: boolean
  onSearch: (input: Input) => void
}) {
  const t = useText(messageSearchText)
  const common = useText(text)
  const { where, authorId } = props.searched
  const [typed, setTyped] = useState({ q: '', reason: '', isTheirs: false })
  const [wrong, setWrong] = useState<{ readonly q?: string; readonly reason?: string }>({})
  const form = useFirstWrong(wrong)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const reason = readWords(typed.reason)
    const from = typed.isTheirs ? ` from:${authorId}` : ''
    const q = `${typed.q.trim()}${from}`.trim()
    const isShort = reason.length < SEARCH_REASON_MIN
    setWrong({ ...(q === '' && { q: t.queryNeeded }), ...(isShort && { reason: t.reasonNeeded }) })
    if (q !== '' && !isShort) props.onSearch({ ...where, q, reason })
  }
  return (
    <search>
      <form ref={form} className={styles.search} onSubmit={submit} noValidate>
        <Field
          label={t.query}
          name="q"
          type="search"
          placeholder={t.queryHint}
          maxLength={STAFF_QUERY_MAX - FROM_MAX}
          value={typed.q}
          error={wrong.q}
          onChange={(q) => setTyped({ ...typed, q })}
        />
        <Field
          label={common.reason}
          name="reason"
          placeholder={t.reasonHint}
          maxLength={ACT_REASON_MAX}
          value={typed.reason}
          error={wrong.reason}
          onChange={(reason) => setTyped({ ...typed, reason })}
        />
        <div className={styles.searchEnd}>
          <Button type="submit" busy={props.isBusy}>
            {t.search}
          </Button>
          {authorId !== null && (
            <label className={styles.theirs}>
              <input
                type="checkbox"
                checked={typed.isTheirs}
                onChange={({ currentTarget: { checked } }) => setTyped({ ...typed, isTheirs: checked })}
              />
              <span>{t.theirs(props.author || authorId)}</span>
            </label>
          )}
        </div>
      </form>
    </search>
  )
}

/** Characters of ` from:` and an id. */
const FROM_MAX = 30

function Results(props: { search: Calling<typeof searchReported>; targetId: string; onRetry: () => void }) {
  const t = useText(messageSearchText)
  const common = useText(text)
  const { search } = props
  const found = search.status === 'done' ? search.answer : null
  const items = found?.items ?? []
  return (
    <>
      {search.status === 'busy' && <LoadingState message={t.searching} />}
      {search.failure && (
        <ErrorState title={common.failed} message={search.failure.message} onRetry={props.onRetry} />
      )}
      {/* Screen readers say what comes into it. */}
      <div role="status">
        {found && items.length === 0 && (
          <EmptyState icon={<SearchedReportDrawing />} title={t.none} message={t.noneWhy} />
        )}
        {found && items.length > 0 && (
          <p className={styles.note}>{found.has_more ? t.firstOnes(items.length) : t.found(items.length)}</p>
        )}
      </div>
      {items.length > 0 && (
        <ol className={styles.messages} aria-label={t.results}>
          {items.map(({ message, channel, marks }) => (
            <MessageSeen
              key={message.id}
              of={message}
              isAround={message.id !== props.targetId}
              marks={marks}
              channel={channel?.name}
            />
          ))}
        </ol>
      )}
    </>
  )
}
