import {
  type CodeBatch,
  listCodes,
  listCodeUses,
  pauseCodes,
  viewCodes,
} from '@guildhall/wire/staff/codes.ts'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { codesText } from '../codesText.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { DataTable } from '../parts/DataTable.tsx'
import { NamedPerson } from '../parts/Named.tsx'
import { Loaded } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { text } from '../text.ts'
import { BatchTag } from './BatchTag.tsx'
import { End } from './CodesList.tsx'

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
  const [isAsked, setAsked] = useState(false)
  const isPaused = batch.paused_at > 0
  const act = isPaused ? t.resume : t.pause
  return (
    <SectionPage
      title={t.batchOf(batch.id)}
      actions={
        <Button kind="soft" onPress={() => setAsked(true)}>
          {act}
        </Button>
      }
    >
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
            [t.by, batch.actor === 'operator' ? t.operator : batch.actor_name || batch.actor],
            [t.created, <Moment key="at" at={batch.created_at} />],
          ]}
        />
      </Card>
      <Uses id={batch.id} />
      {isAsked && (
        <ActDialog
          route={pauseCodes}
          input={{ batch_id: Number(batch.id), paused: !isPaused }}
          title={act}
          message={isPaused ? t.resumeMessage : t.pauseMessage}
          confirm={act}
          reason="reason"
          onDone={() => {
            setAsked(false)
            for (const route of [viewCodes, listCodes]) invalidateRoute(route)
          }}
          onClose={() => setAsked(false)}
        />
      )}
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
        empty={t.noUses}
        rows={rows}
        keyOf={(it) => it.id}
        columns={[
          { key: 'at', title: t.usedAt, cell: ({ used_at }) => <Moment at={used_at} /> },
          {
            key: 'by',
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
