import { readAbroad } from '@guildhall/wire/auth/abroad.ts'
import { CHINA, readMobile } from '@guildhall/wire/auth/mobile.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type FoundPerson, findPeople } from '@guildhall/wire/staff/people.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { foldLine } from '@guildhall/wire/words.ts'
import { useText } from '../../kit/i18n.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { FindPersonDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { NamedPerson } from '../parts/Named.tsx'
import { SearchForm, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { sectionText } from '../text.ts'
import { PersonTags } from './PersonTags.tsx'
import { peopleText } from './peopleText.ts'

/** A number as staff type it: of China, or `+852 61234567`. */
export function numberTyped(typed: string): { readonly mobile_prefix: string; readonly mobile: string } {
  const { prefix, mobile } = readAbroad(typed) ?? readMobile({ prefix: CHINA, mobile: typed })
  return { mobile_prefix: prefix, mobile }
}

/** The fields of a search that are given; null: none is. */
function wanted({ id, mobile, name }: Readonly<Record<string, string>>) {
  if (id) return { user_id: id as UserId }
  if (mobile) return mobile.includes('@') ? { address: mobile } : numberTyped(mobile)
  return name ? { name } : null
}

/** The number or the address of somebody, masked; empty without both. */
export const shownContact = (it: Pick<FoundPerson, 'mobile' | 'mobile_prefix' | 'address'>): string =>
  it.address ?? (it.mobile ? `+${it.mobile_prefix} ${it.mobile}` : '')

export function PeopleSearch() {
  const t = useText(peopleText)
  const names = useText(sectionText)
  const input = wanted(useSearched())
  const rows = useStaffPages(findPeople, input ?? {}, ({ id }) => ({ after: id }), input !== null)
  const columns: readonly Column<FoundPerson>[] = [
    { title: t.user, cell: (it) => <NamedPerson {...it} /> },
    { title: t.id, cell: ({ id }) => id },
    { title: t.state, cell: (it) => <PersonTags of={it} /> },
    {
      title: t.mobile,
      cell: (it) => shownContact(it) || t.noMobile,
    },
    { title: t.registered, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <SectionPage title={names.people} lead={t.lead}>
      <SearchForm
        fields={[
          { name: 'mobile', label: t.mobile, placeholder: t.mobileHint, read: foldLine },
          { name: 'name', label: t.name, placeholder: t.nameHint },
          { name: 'id', label: t.id, read: foldCode },
        ]}
      />
      {input ? (
        <DataTable caption={names.people} columns={columns} rows={rows} keyOf={({ id }) => id} />
      ) : (
        <EmptyState icon={<FindPersonDrawing />} title={t.ask} message={t.askWhy} />
      )}
    </SectionPage>
  )
}
