/** `ledger …`: whether every fen is explained, here and at the providers. */
import { open, rename, rm } from 'node:fs/promises'
import { beijingDay } from '@guildhall/wire/beijing.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { faultsOfMoney } from '../app/payments.ts'
import { clock } from '../kit/clock.ts'
import { PRIVATE_FILE } from '../kit/files/directory.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { balances } from '../ledger/ledger.ts'
import { PAY_WAYS, PayFailed, type PayWay } from '../outside/payment/payProvider.ts'
import { CSV_HEAD, csvRow } from '../pay/reconcile/ledgerCsv.ts'
import { differencesOf, isBillReady, ledgerAfter, reconcileDay } from '../pay/reconcile/reconcile.ts'
import { type CommandContext, type Commands, count, readSince } from './command.ts'
import { withPay } from './pay.ts'

const LISTED = 100
const LIST_MOST = 10_000
const ENTRIES_AT_ONCE = 1_000

export const ledgerCommands: Commands = {
  'ledger check': {
    usage: '',
    isReading: true,
    async run(_options, { appContext }) {
      const differences = await faultsOfMoney(appContext.db)
      if (differences.length > 0) process.exitCode = 1
      return { ok: differences.length === 0, accounts: await balances(appContext.db), differences }
    },
  },

  'ledger reconcile': {
    usage: '[--day YYYY-MM-DD] [--way wechat|alipay]',
    async run({ day = beijingDay(clock.now() - DAY_MS), way }, context) {
      if (!/^\d{4}-\d\d-\d\d$/.test(day) || !isBillReady(day))
        throw new OperatorError(
          `--day must be a day whose bill is ready: before today, after ten in Beijing.`,
        )
      if (way !== undefined && !PAY_WAYS.includes(way as PayWay))
        throw new OperatorError(`--way must be wechat or alipay, not "${way}".`)
      const days = await reconcile(context, day, way as PayWay | undefined)
      const differences = await differencesOf(context.appContext.db, LIST_MOST)
      const found = differences.filter((it) => it.day === day)
      if (found.length > 0) process.exitCode = 1
      return { days, differences: found }
    },
  },

  'ledger differences': {
    usage: '[--limit N]',
    isReading: true,
    run: ({ limit }, { appContext }) =>
      differencesOf(appContext.db, limit === undefined ? LISTED : count('limit', limit, LIST_MOST)),
  },

  'ledger export': {
    usage: '--file FILE [--since TIME] [--until TIME]',
    isReading: true,
    async run({ file = '', since, until }, { appContext }) {
      const span = {
        from: since === undefined ? 0 : readSince(since),
        to: until === undefined ? Number.MAX_SAFE_INTEGER : readSince(until),
      }
      // A file that is half written never has the name.
      const unfinished = `${file}.unfinished`
      const out = await open(unfinished, 'w', PRIVATE_FILE).catch((error: NodeJS.ErrnoException) => {
        throw new OperatorError(`${file} cannot be written: ${error.code}.`)
      })
      let rows = 0
      try {
        await out.write(CSV_HEAD)
        for (let after = '0'; ; ) {
          const lines = await ledgerAfter(appContext.db, after, { ...span, limit: ENTRIES_AT_ONCE })
          const last = lines.at(-1)
          if (!last) break
          await out.write(lines.map(csvRow).join(''))
          rows += lines.length
          after = last.entry_id
        }
        await out.sync()
        await out.close()
        await rename(unfinished, file)
      } catch (error) {
        await out.close().catch(() => undefined)
        await rm(unfinished, { force: true })
        throw error
      }
      return { rows, file }
    },
  },
}

/** @throws OperatorError */
const reconcile = (context: CommandContext, day: string, way: PayWay | undefined) =>
  withPay(context, async (deps) => {
    const ways = [...deps.providers.keys()].filter((it) => way === undefined || it === way)
    if (ways.length === 0) throw new OperatorError('No provider of payments is configured.')
    const days: { way: PayWay; day: string; lines: number }[] = []
    for (const it of ways)
      try {
        days.push({ way: it, day, lines: await reconcileDay(deps, it, day) })
      } catch (error) {
        if (error instanceof PayFailed) throw new OperatorError(`The bill was not fetched: ${error.message}.`)
        throw error
      }
    return days
  })
