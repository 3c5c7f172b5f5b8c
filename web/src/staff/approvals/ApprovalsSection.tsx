import type { FailureName } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import {
  type Approval,
  decideApproval,
  listApprovals,
  withdrawApproval,
} from '@guildhall/wire/staff/approvals.ts'
import { listCodes } from '@guildhall/wire/staff/codes.ts'
import { staffViewGuild } from '@guildhall/wire/staff/guilds.ts'
import { staffViewPerson } from '@guildhall/wire/staff/people.ts'
import { listProductChanges, listStaffProducts } from '@guildhall/wire/staff/products.ts'
import { use, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLocale, useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { FreshCodes, type Made } from '../codes/FreshCodes.tsx'
import { ApprovalsDrawing } from '../drawings.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import styles from '../parts/parts.module.css'
import { Choice, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { Self } from '../self.ts'
import { sectionText } from '../text.ts'
import { approvalStateText, approvalsText, approvalWhyText } from './approvalsText.ts'
import { useApprovalText } from './approvalWords.ts'

/** /staff/approvals: what waits until somebody else agrees, and what was decided. */
export default function ApprovalsSection() {
  const t = useText(approvalsText)
  const names = useText(sectionText)
  const isDecided = useSearched().state === 'decided'
  const state = isDecided ? 'decided' : 'waiting'
  const rows = useStaffPages(listApprovals, { state }, ({ id }) => ({ before: Number(id) }))
  const [made, setMade] = useState<Made | null>(null)
  const navigate = useNavigate()
  const columns: readonly Column<Approval>[] = [
    { title: t.number, cell: ({ id }) => id },
    { title: t.what, cell: (of) => <What of={of} /> },
    { title: t.who, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} isFull /> },
    { title: t.reason, cell: ({ reason }) => reason },
    { title: t.at, cell: ({ created_at }) => <Moment at={created_at} /> },
    ...(isDecided ? decidedColumns(t) : waitingColumns(t, { rows, setMade })),
  ]
  return (
    <SectionPage title={names.approvals} lead={t.lead}>
      <div className={styles.search}>
        <Choice
          name="state"
          label={t.show}
          options={[
            ['', t.waiting],
            ['decided', t.decided],
          ]}
        />
      </div>
      <DataTable
        caption={isDecided ? t.decided : t.waiting}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={{
          icon: <ApprovalsDrawing />,
          title: isDecided ? t.noneDecided : t.noneWaiting,
          message: isDecided ? t.noneDecidedWhy : t.noneWaitingWhy,
        }}
      />
      {made && <FreshCodes made={made} onLeave={() => navigate(`/staff/codes/${made.id}`)} />}
    </SectionPage>
  )
}

type Texts = (typeof approvalsText)['zh-CN']
const TAGS = {
  waiting: 'wait',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'plain',
  expired: 'plain',
} as const

const waitingColumns = (
  t: Texts,
  { rows, setMade }: { rows: { refetch: () => void }; setMade: (made: Made) => void },
): readonly Column<Approval>[] => [
  { title: t.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
  { title: t.decision, cell: (of) => <Decide of={of} onChanged={rows.refetch} onCodes={setMade} /> },
]

const decidedColumns = (t: Texts): readonly Column<Approval>[] => [
  {
    title: t.state,
    cell: ({ state, decided_why }) => (
      <span>
        <State of={state} /> {decided_why}
      </span>
    ),
  },
  {
    title: t.by,
    cell: ({ decided_by, decided_by_name }) => <StaffName id={decided_by} name={decided_by_name} />,
  },
  { title: t.decidedAt, cell: ({ decided_at }) => decided_at !== null && <Moment at={decided_at} /> },
]

function State({ of }: { of: Approval['state'] }) {
  const states = useText(approvalStateText)
  return <Tag kind={TAGS[of]}>{states[of]}</Tag>
}

/** What exactly will happen, why it waits, and why it was not done. */
function What({ of }: { of: Approval }) {
  const t = useText(approvalsText)
  const locale = useLocale()
  const whys = useText(approvalWhyText)
  const describe = useApprovalText()
  return (
    <div>
      <Tag kind="wait">{whys[of.why]}</Tag> {describe(of)}
      {of.failure !== '' && (
        <p className={styles.refused}>{t.tried(failureText(of.failure as FailureName, locale))}</p>
      )}
    </div>
  )
}

/** Approving and rejecting, for others than who asked, who may withdraw it. */
function Decide(props: { of: Approval; onChanged: () => void; onCodes: (made: Made) => void }) {
  const t = useText(approvalsText)
  const describe = useApprovalText()
  const self = use(Self)
  const { of } = props
  const what = describe(of)
  if (of.actor === self?.id) return <Own id={of.id} what={what} onChanged={props.onChanged} />
  const dialogOf =
    (isApproved: boolean): Act['dialog'] =>
    (end) => (
      <ActDialog
        {...end}
        route={decideApproval}
        input={{ id: Number(of.id), approve: isApproved }}
        title={isApproved ? t.approveAsk : t.rejectAsk}
        message={
          isApproved
            ? [t.approveMessage(what), of.kind === 'codes' && t.codesHere].filter(Boolean).join('\n')
            : t.rejectMessage(what)
        }
        confirm={isApproved ? t.approve : t.reject}
        hasNoReason={isApproved}
        danger={!isApproved}
        onDone={({ batch_id, codes }) => {
          end.onDone()
          if (batch_id !== '') props.onCodes({ id: batch_id, codes })
        }}
        onRefused={() => {
          // What it would do may have changed, or somebody else was faster: the refusal stays beside it.
          props.onChanged()
          return false
        }}
      />
    )
  const acts: readonly Act[] = [
    { label: t.approve, kind: 'main', dialog: dialogOf(true) },
    { label: t.reject, dialog: dialogOf(false) },
  ]
  return (
    <div className={styles.tags}>
      <Acts of={acts} onDone={decided} />
    </div>
  )
}

/** Withdrawing, for who asked. */
function Own({ id, what, onChanged }: { id: string; what: string; onChanged: () => void }) {
  const t = useText(approvalsText)
  const withdraw: Act['dialog'] = (end) => (
    <ActDialog
      {...end}
      route={withdrawApproval}
      input={{ id: Number(id) }}
      title={t.withdrawAsk}
      message={t.rejectMessage(what)}
      confirm={t.withdraw}
      hasNoReason
      onRefused={() => {
        onChanged()
        return false
      }}
    />
  )
  return (
    <div className={styles.tags}>
      <span className={styles.note}>{t.own}</span>
      <Acts of={[{ label: t.withdraw, dialog: withdraw }]} onDone={() => invalidateRoute(listApprovals)} />
    </div>
  )
}

/** What an approved act may have changed is requested again. */
function decided(): void {
  for (const route of [listApprovals, listCodes, staffViewGuild, staffViewPerson]) invalidateRoute(route)
  for (const route of [listStaffProducts, listProductChanges]) invalidateRoute(route)
}
