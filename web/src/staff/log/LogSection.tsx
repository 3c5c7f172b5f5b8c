import { STAFF_LOG_KINDS } from '@guildhall/wire/staff/log.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { useText } from '../../kit/i18n.ts'
import { Choice, SearchForm, useSearched } from '../parts/SearchForm.tsx'
import { SectionPage } from '../parts/Section.tsx'
import { sectionText, text } from '../text.ts'
import { LogTable } from './LogTable.tsx'
import { logKindText, logText } from './logText.ts'

/** /staff/log: who looked at what and did what. */
export default function LogSection() {
  const t = useText(text)
  const l = useText(logText)
  const kinds = useText(logKindText)
  const names = useText(sectionText)
  const searched = useSearched()
  return (
    <SectionPage title={names.log} lead={l.lead}>
      <SearchForm
        fields={[
          { name: 'actor', label: l.actor },
          { name: 'user', label: l.user, read: foldCode },
        ]}
      >
        <Choice
          name="kind"
          label={l.kind}
          options={[['', t.all], ...STAFF_LOG_KINDS.map((each) => [each, kinds[each]] as const)]}
        />
      </SearchForm>
      <LogTable
        actor={searched.actor}
        user={searched.user}
        kind={STAFF_LOG_KINDS.find((each) => each === searched.kind)}
      />
    </SectionPage>
  )
}
