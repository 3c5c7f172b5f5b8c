import { yuan } from '@guildhall/wire/money.ts'
import { NUMBER_RANGES, type NumberDay, viewNumbers } from '@guildhall/wire/staff/numbers.ts'
import { saveFile } from '../../kit/browser/saveFile.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { PeriodChart } from '../../ui/chart/PeriodChart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { DataTable } from '../parts/DataTable.tsx'
import shared from '../parts/parts.module.css'
import { Choice, useSearched } from '../parts/SearchForm.tsx'
import { Card, momentLabel, SectionPage } from '../parts/Section.tsx'
import { fixedRows } from '../parts/useStaffPages.ts'
import { sectionText, text } from '../text.ts'
import { netOf, numbersCsv } from './csv.ts'
import styles from './Numbers.module.css'
import { numbersText } from './numbersText.ts'

const RANGE_FIRST = 30

interface Numbers {
  readonly days: readonly NumberDay[]
  readonly before: readonly NumberDay[]
  readonly counted_at: number
}

/** /staff/numbers: people, messages, orders and money by day, beside the period before. */
export default function NumbersSection() {
  const t = useText(text)
  const n = useText(numbersText)
  const names = useText(sectionText)
  const searched = useSearched()
  const days = NUMBER_RANGES.find((it) => String(it) === searched.days) ?? RANGE_FIRST
  const query = useRouteQuery(viewNumbers, { days })
  const { answer } = query
  return (
    <SectionPage
      title={names.numbers}
      lead={n.lead}
      actions={
        answer && (
          <Button kind="soft" onPress={() => save(answer.days, n)}>
            {n.csv}
          </Button>
        )
      }
    >
      <div className={shared.search}>
        <Choice
          name="days"
          label={n.range}
          options={NUMBER_RANGES.map((it) => [it === RANGE_FIRST ? '' : String(it), n.days(it)] as const)}
        />
      </div>
      {query.failure ? (
        <ErrorState title={t.failed} message={query.failure.message} onRetry={query.refetch} />
      ) : answer ? (
        <Cards of={answer} />
      ) : (
        <LoadingState />
      )}
    </SectionPage>
  )
}

type Texts = (typeof numbersText)['zh-CN']

/** Saves the days of the period as a table. */
function save(days: readonly NumberDay[], n: Texts): void {
  const headings = [
    n.day,
    n.registrations,
    n.active,
    n.messages,
    n.placed,
    n.paidOrders,
    `${n.gross} ${n.wechat}${n.yuan}`,
    `${n.gross} ${n.alipay}${n.yuan}`,
    `${n.refunds} ${n.wechat}${n.yuan}`,
    `${n.refunds} ${n.alipay}${n.yuan}`,
    `${n.net}${n.yuan}`,
  ]
  const name = `guildhall-${days[0]?.day}-${days.at(-1)?.day}.csv`
  saveFile(name, numbersCsv(days, headings), 'text/csv;charset=utf-8')
}

function Cards({ of }: { of: Numbers }) {
  const n = useText(numbersText)
  const card = (
    title: string,
    columns: readonly (readonly [name: string, countOf: (day: NumberDay) => number])[],
    how: { kind?: 'lines'; isAverage?: true; format?: (value: number) => string } = {},
  ) => (
    <Card title={title}>
      <PeriodChart
        title={title}
        days={of.days}
        before={of.before}
        columns={columns.map(([name, countOf]) => ({ name, countOf }))}
        {...how}
      />
    </Card>
  )
  return (
    <>
      <p className={shared.detail} role="status">
        {of.counted_at === 0 ? n.notCounted : n.counted(momentLabel(of.counted_at))}
      </p>
      <div className={styles.cards}>
        {card(n.registrations, [[n.now, (it) => it.registrations]])}
        {card(n.active, [[n.now, (it) => it.active]], { kind: 'lines', isAverage: true })}
        {card(n.messages, [[n.now, (it) => it.messages]])}
        {card(n.placed, [[n.now, (it) => it.orders]])}
        {card(n.paidOrders, [[n.now, (it) => it.paid_orders]])}
        {card(
          n.gross,
          [
            [n.wechat, (it) => it.gross_wechat],
            [n.alipay, (it) => it.gross_alipay],
          ],
          { format: yuan },
        )}
        {card(
          n.refunds,
          [
            [n.wechat, (it) => it.refunds_wechat],
            [n.alipay, (it) => it.refunds_alipay],
          ],
          { format: yuan },
        )}
        {card(n.net, [[n.now, netOf]], { kind: 'lines', format: yuan })}
      </div>
      <Money of={of} />
    </>
  )
}

/** What came and went by provider, in both periods. */
function Money({ of }: { of: Numbers }) {
  const n = useText(numbersText)
  const total = (days: readonly NumberDay[], countOf: (day: NumberDay) => number) =>
    days.reduce((sum, day) => sum + countOf(day), 0)
  const row = (name: string, gross: (day: NumberDay) => number, refunds: (day: NumberDay) => number) => ({
    name,
    gross: total(of.days, gross),
    refunds: total(of.days, refunds),
    before: total(of.before, gross) - total(of.before, refunds),
  })
  const rows = [
    row(
      n.wechat,
      (it) => it.gross_wechat,
      (it) => it.refunds_wechat,
    ),
    row(
      n.alipay,
      (it) => it.gross_alipay,
      (it) => it.refunds_alipay,
    ),
    row(
      n.all,
      (it) => it.gross_wechat + it.gross_alipay,
      (it) => it.refunds_wechat + it.refunds_alipay,
    ),
  ]
  return (
    <Card title={n.money}>
      <DataTable
        caption={n.money}
        rows={fixedRows(rows)}
        keyOf={({ name }) => name}
        columns={[
          { title: n.provider, cell: ({ name }) => name },
          { title: n.gross, isNumber: true, cell: ({ gross }) => yuan(gross) },
          { title: n.refunds, isNumber: true, cell: ({ refunds }) => yuan(refunds) },
          { title: n.net, isNumber: true, cell: ({ gross, refunds }) => yuan(gross - refunds) },
          { title: `${n.net} · ${n.before}`, isNumber: true, cell: ({ before }) => yuan(before) },
        ]}
      />
    </Card>
  )
}
