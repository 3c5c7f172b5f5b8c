import { listWords, removeWord, WORD_ACTIONS, type WordRule } from '@guildhall/wire/staff/words.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { WordsDrawing } from '../drawings.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import styles from '../parts/parts.module.css'
import { Choice, SearchForm, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { useMay } from '../self.ts'
import { sectionText, text } from '../text.ts'
import { TryBox } from './TryBox.tsx'
import { WordDialog } from './WordDialog.tsx'
import { targetsLabel, wordsText } from './wordsText.ts'

const changed = () => invalidateRoute(listWords)

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
  const action = WORD_ACTIONS.find((each) => each === searched.action)
  const rows = useStaffPages(
    listWords,
    { ...(searched.word && { word: searched.word }), ...(action && { action }) },
    ({ id }) => ({ before: Number(id) }),
  )
  const adding: Act = { label: w.add, kind: 'main', dialog: (end) => <WordDialog rule={null} {...end} /> }
  return (
    <SectionPage title={names.words} lead={w.lead} actions={<Acts of={[adding]} onDone={changed} />}>
      <SearchForm fields={[{ name: 'word', label: w.word, placeholder: w.wordHint }]}>
        <Choice
          name="action"
          label={w.action}
          options={[['', t.all], ...WORD_ACTIONS.map((each) => [each, w[each]] as const)]}
        />
      </SearchForm>
      <DataTable
        caption={names.words}
        columns={useColumns()}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          searched.word || action
            ? undefined
            : { icon: <WordsDrawing />, title: w.empty, message: w.emptyWhy }
        }
      />
      <TryBox />
      {may('review') && (
        <p className={styles.lead}>
          <Link to="/staff/reviews?kind=message">{w.toHeld}</Link>
        </p>
      )}
    </SectionPage>
  )
}

function useColumns(): readonly Column<WordRule>[] {
  const t = useText(text)
  const w = useText(wordsText)
  return [
    { title: w.word, cell: ({ word }) => <b>{word}</b> },
    {
      title: w.action,
      cell: ({ action }) => <Tag kind={action === 'refuse' ? 'bad' : 'wait'}>{w[action]}</Tag>,
    },
    { title: w.targets, cell: ({ places }) => targetsLabel(places, w) },
    { title: w.note, cell: ({ note }) => note || t.none },
    { title: w.by, cell: (rule) => <LastChange of={rule} /> },
    { title: w.acts, cell: (rule) => <RuleActs rule={rule} /> },
  ]
}

function RuleActs({ rule }: { rule: WordRule }) {
  const t = useText(text)
  const w = useText(wordsText)
  const acts: readonly Act[] = [
    { label: t.edit, dialog: (end) => <WordDialog rule={rule} {...end} /> },
    {
      label: w.remove,
      kind: 'quiet',
      dialog: (end) => (
        <ActDialog
          {...end}
          route={removeWord}
          input={{ id: Number(rule.id) }}
          title={w.removeTitle(rule.word)}
          message={w.removeWhy}
          confirm={w.remove}
          danger
        />
      ),
    },
  ]
  return (
    <div className={styles.actions}>
      <Acts of={acts} onDone={changed} />
    </div>
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
