import { type CodeBatch, listCodes } from '@guildhall/wire/staff/codes.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { CodesDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import { Moment, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { sectionText, text } from '../text.ts'
import { BatchTag } from './BatchTag.tsx'
import { codesText } from './codesText.ts'

export function CodesList() {
  const t = useText(codesText)
  const c = useText(text)
  const names = useText(sectionText)
  const rows = useStaffPages(listCodes, {}, ({ id }) => ({ before: Number(id) }))
  const columns: readonly Column<CodeBatch>[] = [
    { title: t.batch, cell: ({ id }) => <Link to={`/staff/codes/${id}`}>{t.batchOf(id)}</Link> },
    { title: t.product, cell: ({ product_name }) => product_name },
    { title: t.note, cell: ({ note }) => note || c.none },
    { title: t.used, isNumber: true, cell: ({ used, count }) => t.usedOf(used, count) },
    { title: t.perUser, isNumber: true, cell: ({ per_user }) => t.times(per_user) },
    { title: t.expires, cell: ({ expires_at }) => <End at={expires_at} /> },
    { title: t.state, cell: (it) => <BatchTag of={it} /> },
    { title: t.by, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} /> },
    { title: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  const make = (
    <Link className={buttonClass('main')} to="/staff/codes/new">
      {t.make}
    </Link>
  )
  return (
    <SectionPage title={names.codes} lead={t.lead} actions={make}>
      <DataTable
        caption={names.codes}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={{
          icon: <CodesDrawing />,
          title: t.none,
          message: t.noneWhy,
        }}
      />
    </SectionPage>
  )
}

/** Until when codes are valid. */
export function End({ at }: { at: number }) {
  const t = useText(codesText)
  return at === 0 ? t.endless : <Moment at={at} />
}
