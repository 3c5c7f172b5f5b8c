import { listWords, removeWord, WORD_ACTIONS, type WordRule } from '@guildhall/wire/staff/words.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { ActDialog } from './parts/ActDialog.tsx'
import { type Column, DataTable } from './parts/DataTable.tsx'
import styles from './parts/parts.module.css'
import { Choice, SearchForm, useSearched } from './parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from './parts/Section.tsx'
import { useStaffPages } from './parts/useStaffPages.ts'
import { useMay } from './self.ts'
import { sectionText, text } from './text.ts'
import { TryBox } from './words/TryBox.tsx'
import { WordDialog } from './words/WordDialog.tsx'
import { placesLabel, wordsText } from './wordsText.ts'

type Act = { readonly kind: 'add' } | { readonly kind: 'change' | 'remove'; readonly rule: WordRule }

/**
 * /staff/words: the list of refused and held words, a box to try it in, and the way to what waits because of
 * it.
 */
export default function WordsSection() {
  const t = useText(text)
  const w = useText(wordsText)
  const names = useText(sectionText)
  const may = useMay()
  const searched = useSearched()
  const [act, setAct] = useState<Act | null>(null)
  const action = WORD_ACTIONS.find((each) => each === searched.action)
  const rows = useStaffPages(
    listWords,
    { ...(searched.word && { word: searched.word }), ...(action && { action }) },
    ({ id }) => ({ before: Number(id) }),
  )
  const done = () => {
    setAct(null)
    invalidateRoute(listWords)
  }
  const columns: readonly Column<WordRule>[] = [
    { key: 'word', title: w.word, cell: ({ word }) => <b>{word}</b> },
    {
      key: 'action',
      title: w.action,
      cell: ({ action }) => <Tag kind={action === 'refuse' ? 'bad' : 'wait'}>{w[action]}</Tag>,
    },
    { key: 'places', title: w.places, cell: ({ places }) => placesLabel(places, w) },
    { key: 'note', title: w.note, cell: ({ note }) => note || t.none },
    { key: 'by', title: w.by, cell: (rule) => <LastChange of={rule} /> },
    {
      key: 'acts',
      title: w.acts,
      cell: (rule) => (
        <div className={styles.actions}>
          <Button kind="soft" onPress={() => setAct({ kind: 'change', rule })}>
            {t.edit}
          </Button>
          <Button kind="quiet" onPress={() => setAct({ kind: 'remove', rule })}>
            {w.remove}
          </Button>
        </div>
      ),
    },
  ]
  return (
    <SectionPage
      title={names.words}
      lead={w.lead}
      actions={<Button onPress={() => setAct({ kind: 'add' })}>{w.add}</Button>}
    >
      <SearchForm fields={[{ name: 'word', label: w.word, placeholder: w.wordHint }]}>
        <Choice
          name="action"
          label={w.action}
          options={[['', t.all], ...WORD_ACTIONS.map((each) => [each, w[each]] as const)]}
        />
      </SearchForm>
      <DataTable
        caption={names.words}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={searched.word || action ? t.nothing : w.empty}
      />
      <TryBox />
      {may('review') && (
        <p className={styles.lead}>
          <Link to="/staff/reviews?kind=message">{w.toHeld}</Link>
        </p>
      )}
      {act?.kind === 'remove' ? (
        <ActDialog
          route={removeWord}
          input={{ id: Number(act.rule.id) }}
          title={w.removeTitle(act.rule.word)}
          message={w.removeWhy}
          confirm={w.remove}
          danger
          reason="reason"
          onDone={done}
          onClose={() => setAct(null)}
        />
      ) : (
        act && (
          <WordDialog
            rule={act.kind === 'change' ? act.rule : null}
            onDone={done}
            onClose={() => setAct(null)}
          />
        )
      )}
    </SectionPage>
  )
}

function LastChange({ of }: { of: WordRule }) {
  const w = useText(wordsText)
  return (
    <span>
      {of.by === 'operator' ? w.operator : of.by_name || of.by} <Moment at={of.updated_at} />
    </span>
  )
}
