import {
  type CodeBatch,
  listCodes,
  listCodeUses,
  pauseCodes,
  viewCodes,
} from '@guildhall/wire/staff/codes.ts'
import { useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { UsesDrawing } from '../drawings.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import { NamedPerson } from '../parts/Named.tsx'
import { Loaded } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { text } from '../text.ts'
import { BatchTag } from './BatchTag.tsx'
import { End } from './CodesList.tsx'
import { codesText } from './codesText.ts'

/** /staff/codes/:id: one batch, who used its codes, and pausing it. */
export function BatchPage() {
  const { id = '' } = useParams()
  return (
    <Loaded route={viewCodes} input={{ batch_id: Number(id) }} back="/staff/codes">
      {(batch) => <Batch batch={batch} />}
    </Loaded>
  )
}

function Batch({ batch }: { batch: CodeBatch }) {
  const t = useText(codesText)
  const c = useText(text)
  const isPaused = batch.paused_at > 0
  const act: Act = {
    label: isPaused ? t.resume : t.pause,
    dialog: (end) => (
      <ActDialog
        {...end}
        route={pauseCodes}
        input={{ batch_id: Number(batch.id), paused: !isPaused }}
        title={isPaused ? t.resume : t.pause}
        message={isPaused ? t.resumeMessage : t.pauseMessage}
      />
    ),
  }
  const changed = () => {
    for (const route of [viewCodes, listCodes]) invalidateRoute(route)
  }
  return (
    <SectionPage title={t.batchOf(batch.id)} actions={<Acts of={[act]} onDone={changed} />}>
      <BatchTag of={batch} />
      {isPaused && <p className={styles.notice}>{t.pausedSince(momentLabel(batch.paused_at))}</p>}
      <Card title={t.facts}>
        <Facts
          of={[
            [t.product, `${batch.product_name} (${batch.product_id})`],
            [t.note, batch.note || c.none],
            [t.used, t.usedOf(batch.used, batch.count)],
            [t.perUser, t.times(batch.per_user)],
            [t.expires, <End key="end" at={batch.expires_at} />],
            [t.by, <StaffName key="by" id={batch.actor} name={batch.actor_name} />],
            ...(batch.approved_by === ''
              ? []
              : [
                  [
                    t.approvedBy,
                    <StaffName key="approved" id={batch.approved_by} name={batch.approved_by_name} />,
                  ] as const,
                ]),
            [t.created, <Moment key="at" at={batch.created_at} />],
          ]}
        />
      </Card>
      <Uses id={batch.id} />
    </SectionPage>
  )
}

function Uses({ id }: { id: string }) {
  const t = useText(codesText)
  const rows = useStaffPages(listCodeUses, { batch_id: Number(id) }, (it) => ({ before: Number(it.id) }))
  return (
    <Card title={t.uses}>
      <DataTable
        caption={t.uses}
        empty={{
          icon: <UsesDrawing />,
          title: t.noUses,
          message: t.noUsesWhy,
        }}
        rows={rows}
        keyOf={(it) => it.id}
        columns={[
          { title: t.usedAt, cell: ({ used_at }) => <Moment at={used_at} /> },
          {
            title: t.usedBy,
            cell: ({ user_id, username }) =>
              user_id === '' ? (
                <span className={styles.note}>{t.hidden}</span>
              ) : (
                <NamedPerson id={user_id} username={username || user_id} />
              ),
          },
        ]}
      />
    </Card>
  )
}
