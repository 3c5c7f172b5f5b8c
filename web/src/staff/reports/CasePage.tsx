import type { AnswerOf } from '@guildhall/wire/route.ts'
import { decideReport, listReports, type ReportCase, viewReport } from '@guildhall/wire/staff/reports.ts'
import { removeMessage } from '@guildhall/wire/staff/staff.ts'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts, type End } from '../parts/Acts.tsx'
import { GuildLink, PersonLink, StaffName } from '../parts/Links.tsx'
import { Loaded } from '../parts/Page.tsx'
import { Card, Facts, Moment, SectionPage } from '../parts/Section.tsx'
import { useMay } from '../self.ts'
import { text } from '../text.ts'
import { Beside } from './Beside.tsx'
import { Categories, nameOf, State } from './CaseList.tsx'
import { reportsText } from './reportsText.ts'
import { SearchCard, searchedIn } from './SearchCard.tsx'
import { SeenAndNow } from './SeenAndNow.tsx'

type Answer = AnswerOf<typeof viewReport>

/** One case: what was seen beside how it is now, who reported it, and what to do. */
export function CasePage() {
  const t = useText(text)
  const { id = '' } = useParams()
  const isId = /^[1-9]\d{0,15}$/.test(id)
  if (!isId) return <ErrorState title={t.notFound} />
  return (
    <Loaded route={viewReport} input={{ id: Number(id) }} back="/staff/reports">
      {(answer) => <Case key={id} of={answer} />}
    </Loaded>
  )
}

function Case({ of }: { of: Answer }) {
  const t = useText(reportsText)
  const it = of.case
  const where = searchedIn(of)
  return (
    <SectionPage title={nameOf(t, it)}>
      <Card title={t[it.state]} actions={<CaseActs of={of} />}>
        <Facts of={useFacts(of)} />
      </Card>
      <SeenAndNow of={of} />
      {where && <SearchCard where={where} of={it} />}
      <Beside of={of} />
    </SectionPage>
  )
}

function useFacts({ case: of, evidence }: Answer): (readonly [string, ReactNode])[] {
  const t = useText(reportsText)
  const seen = evidence[0]?.seen
  const whose = { message: t.author, user: t.person, guild: t.owner }[of.kind]
  const guild = seen?.kind === 'message' ? seen.guild : null
  const placed: (readonly [string, ReactNode])[] =
    of.kind === 'user'
      ? []
      : of.guild_id !== ''
        ? [
            [
              of.kind === 'guild' ? t.guild : t.location,
              <>
                <GuildLink id={of.guild_id} name={of.kind === 'guild' ? of.name : (guild?.name ?? '')} />
                {seen?.kind === 'message' && seen.channel && ` · #${seen.channel.name}`}
              </>,
            ],
          ]
        : [[t.location, t.inPrivate]]
  return [
    [t.categories, <Categories key="categories" of={of} />],
    [whose, <PersonLink key="whose" id={of.user_id} name={of.kind === 'guild' ? '' : of.name} />],
    ...placed,
    [t.opened, <Moment key="opened" at={of.opened_at} />],
    [t.reported, <Moment key="reported" at={of.reported_at} />],
    [t.targetId, of.target_id],
    ...closedFacts(t, of),
  ]
}

const closedFacts = (t: (typeof reportsText)['zh-CN'], of: ReportCase): (readonly [string, ReactNode])[] =>
  of.decided_at === null
    ? []
    : [
        [t.state, <State key="state" of={of} />],
        [t.decidedBy, <StaffName key="by" id={of.decided_by} name={of.decided_by_name} />],
        [t.decidedAt, <Moment key="at" at={of.decided_at} />],
        [t.reason, of.reason],
      ]

function changed(): void {
  invalidateRoute(viewReport)
  invalidateRoute(listReports)
}

/** What is done from here; what is done elsewhere has links in the facts. */
function CaseActs({ of: { case: of, now } }: { of: Answer }) {
  const t = useText(reportsText)
  const may = useMay()
  const isOpen = of.state === 'open'
  const isRemovable = now.kind === 'message' && now.message !== null && may('content')
  const acts: readonly (Act | false)[] = [
    isRemovable && {
      label: t.remove,
      kind: 'danger',
      dialog: (end) => (
        <ActDialog
          {...end}
          route={removeMessage}
          input={{ msg_id: of.target_id as never }}
          title={t.removeTitle}
          message={t.removeWhy}
          confirm={t.remove}
          danger
        />
      ),
    },
    isOpen && {
      label: t.close,
      kind: 'main',
      dialog: (end) => <DecideDialog id={of.id} outcome="acted" {...end} />,
    },
    isOpen && {
      label: t.dismiss,
      kind: 'quiet',
      dialog: (end) => <DecideDialog id={of.id} outcome="dismissed" {...end} />,
    },
  ]
  return <Acts of={acts} onDone={changed} />
}

function DecideDialog({ id, outcome, ...end }: { id: string; outcome: 'acted' | 'dismissed' } & End) {
  const t = useText(reportsText)
  const isActed = outcome === 'acted'
  return (
    <ActDialog
      {...end}
      route={decideReport}
      input={{ id: Number(id), outcome }}
      title={isActed ? t.closeTitle : t.dismissTitle}
      message={isActed ? t.closeWhy : t.dismissWhy}
      confirm={isActed ? t.close : t.dismiss}
      onRefused={({ name }) => {
        if (name !== 'report.decided') return false
        toast(t.alreadyDecided)
        end.onDone()
        return true
      }}
    />
  )
}
