import type { AnswerOf } from '@guildhall/wire/route.ts'
import { decideReport, listReports, type ReportCase, viewReport } from '@guildhall/wire/staff/reports.ts'
import { removeMessage } from '@guildhall/wire/staff/staff.ts'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { toast } from '../../ui/Toast.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { GuildLink, PersonLink } from '../parts/Links.tsx'
import { Loaded } from '../parts/Page.tsx'
import { Card, Facts, Moment, SectionPage } from '../parts/Section.tsx'
import { reportsText } from '../reportsText.ts'
import { useMay } from '../self.ts'
import { text } from '../text.ts'
import { Beside } from './Beside.tsx'
import { Categories, Decider, nameOf, State } from './CaseList.tsx'
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
  return (
    <SectionPage title={nameOf(t, it)}>
      <Card title={t[it.state]} actions={<Acts of={of} />}>
        <Facts of={useFacts(of)} />
      </Card>
      <SeenAndNow of={of} />
      <Beside of={of} />
    </SectionPage>
  )
}

function useFacts({ case: it, evidence }: Answer): (readonly [string, ReactNode])[] {
  const t = useText(reportsText)
  const seen = evidence[0]?.seen
  const whose = { message: t.author, user: t.person, guild: t.owner }[it.kind]
  const guild = seen?.kind === 'message' ? seen.guild : null
  const placed: (readonly [string, ReactNode])[] =
    it.kind === 'user'
      ? []
      : it.guild_id !== ''
        ? [
            [
              it.kind === 'guild' ? t.guild : t.place,
              <>
                <GuildLink id={it.guild_id} name={it.kind === 'guild' ? it.name : (guild?.name ?? '')} />
                {seen?.kind === 'message' && seen.channel && ` · #${seen.channel.name}`}
              </>,
            ],
          ]
        : [[t.place, t.inPrivate]]
  return [
    [t.categories, <Categories key="categories" of={it} />],
    [whose, <PersonLink key="whose" id={it.user_id} name={it.kind === 'guild' ? '' : it.name} />],
    ...placed,
    [t.opened, <Moment key="opened" at={it.opened_at} />],
    [t.reported, <Moment key="reported" at={it.reported_at} />],
    [t.targetId, it.target_id],
    ...closedFacts(t, it),
  ]
}

const closedFacts = (t: (typeof reportsText)['zh-CN'], it: ReportCase): (readonly [string, ReactNode])[] =>
  it.decided_at === null
    ? []
    : [
        [t.state, <State key="state" of={it} />],
        [t.decidedBy, <Decider key="by" of={it} />],
        [t.decidedAt, <Moment key="at" at={it.decided_at} />],
        [t.reason, it.reason],
      ]

/** What is done from here; what is done elsewhere has links in the facts. */
function Acts({ of: { case: it, now } }: { of: Answer }) {
  const t = useText(reportsText)
  const may = useMay()
  const [step, setStep] = useState<'remove' | 'dismissed' | 'acted' | null>(null)
  const close = () => setStep(null)
  const changed = () => {
    close()
    invalidateRoute(viewReport)
    invalidateRoute(listReports)
  }
  const isThere = now.kind === 'message' && now.message !== null
  return (
    <>
      {isThere && may('content') && (
        <Button kind="danger" onPress={() => setStep('remove')}>
          {t.remove}
        </Button>
      )}
      {it.state === 'open' && (
        <>
          <Button onPress={() => setStep('acted')}>{t.close}</Button>
          <Button kind="quiet" onPress={() => setStep('dismissed')}>
            {t.dismiss}
          </Button>
        </>
      )}
      {step === 'remove' && (
        <ActDialog
          route={removeMessage}
          input={{ msg_id: it.target_id as never }}
          title={t.removeTitle}
          message={t.removeWhy}
          confirm={t.remove}
          danger
          reason="reason"
          onDone={changed}
          onClose={close}
        />
      )}
      {(step === 'dismissed' || step === 'acted') && (
        <ActDialog
          key={step}
          route={decideReport}
          input={{ id: Number(it.id), outcome: step }}
          title={step === 'acted' ? t.closeTitle : t.dismissTitle}
          message={step === 'acted' ? t.closeWhy : t.dismissWhy}
          confirm={step === 'acted' ? t.close : t.dismiss}
          reason="reason"
          onDone={changed}
          onRefused={({ name }) => {
            if (name !== 'report.decided') return false
            toast(t.alreadyDecided)
            changed()
            return true
          }}
          onClose={close}
        />
      )}
    </>
  )
}
