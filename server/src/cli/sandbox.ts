/** `sandbox …`: what a buyer, or an attacker, does at the local payment providers. */

import {
  type ControlAnswer,
  type ControlInput,
  ControlRefused,
  openControl,
} from '@guildhall/sandbox/control.ts'
import { findOwnSandbox } from '../app/adapters/payProviders.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { PAY_WAYS, type PayWay } from '../outside/payment/payProvider.ts'
import { paymentsOf, startPayment } from '../pay/pay.ts'
import { type CommandContext, type Commands, count, type Options } from './command.ts'
import { orderFor } from './order.ts'
import { withPay } from './pay.ts'

const TIMES_MOST = 10_000
const LATE_MOST_S = 86_400
const FEE_MOST = 1_000_000_000

export const sandboxCommands: Commands = {
  'sandbox pay': {
    usage:
      '--order ORDER_ID --way wechat|alipay [--times N] [--late SECONDS] [--fee FEN] [--forge] [--cancel] [--fail]',
    async run(options, context) {
      const way = readWay(options.way)
      const order = await orderFor(context.appContext.db, options.order)
      const sandbox = await findOwnSandbox(context.config)
      if (!sandbox)
        throw new OperatorError('There is no sandbox: start a server with one on this data directory first.')
      const { trade, told, answered } = await pay(context, {
        way,
        orderId: order.id,
        input: inputOf(options),
        control: openControl(sandbox),
      })
      return {
        order_id: order.id,
        way,
        trade_no: trade?.tradeNo,
        state: trade?.state,
        server: context.config.publicUrl,
        told: told.map((message, n) => ({ ...message, answered: answered[n] ?? null })),
      }
    },
  },

  'sandbox sign': {
    usage: '[--way wechat|alipay] [--contract NUMBER] [--end] [--forge]',
    async run(options, { config }) {
      const sandbox = await findOwnSandbox(config)
      if (!sandbox)
        throw new OperatorError('There is no sandbox: start a server with one on this data directory first.')
      const answer = await done(() =>
        openControl(sandbox)({
          ...(options.way !== undefined && { way: readWay(options.way) }),
          ...(options.forge !== undefined && { forge: 'signature' as const }),
          contract: {
            ...(options.contract !== undefined && { contractNo: options.contract }),
            do: options.end === undefined ? 'sign' : 'end',
          },
        }),
      )
      const { way, contractNo, state } = answer?.contract ?? {}
      return { way, contract: contractNo, state, answered: answer?.answered ?? [] }
    },
  },
}

function readWay(value: string | undefined): PayWay {
  const way = PAY_WAYS.find((it) => it === value)
  if (!way) throw new OperatorError(`--way must be wechat or alipay, not "${value}".`)
  return way
}

const inputOf = (input: Options): ControlInput => ({
  ...(input.times !== undefined && { times: count('times', input.times, TIMES_MOST) }),
  ...(input.late !== undefined && { lateSeconds: count('late', input.late, LATE_MOST_S) }),
  ...(input.fee !== undefined && { fee: count('fee', input.fee, FEE_MOST) }),
  ...(input.forge !== undefined && { forge: 'signature' as const }),
  ...(input.cancel !== undefined && { cancel: true }),
  ...(input.fail !== undefined && { fail: true }),
})

interface Action {
  readonly way: PayWay
  readonly orderId: string
  readonly input: ControlInput
  readonly control: ReturnType<typeof openControl>
}

/** Pays what was begun last, also when its order is closed. */
async function pay(
  context: CommandContext,
  { way, orderId, input, control }: Action,
): Promise<ControlAnswer> {
  const begun = () => paymentsOf(context.appContext.db, orderId)
  const mine = (await begun()).filter((it) => it.way === way).reverse()
  for (const { trade_no: tradeNo } of mine) {
    const answer = await done(() => control({ ...input, way, tradeNo, anyway: true }))
    if (answer) return answer
  }
  // The buyer looks at the code of every way, so that one order can be paid by several.
  const others = new Set((await begun()).map((it) => it.way)).add(way)
  const opened = (one: PayWay) =>
    withPay(context, (deps) =>
      startPayment(deps, orderId, {
        way: one,
        scene: 'qr',
        clientIp: '127.0.0.1',
        returnUrl: context.config.publicUrl,
      }),
    )
  const data = await opened(way)
  for (const one of PAY_WAYS.filter((it) => !others.has(it)))
    await control({ open: await opened(one), look: true })
  return control({ ...input, open: data })
}

const NO_TRADE = 'there is no such trade'

/** Null: the provider does not know the trade, because the buyer never opened its cashier. */
async function done(act: () => Promise<ControlAnswer>): Promise<ControlAnswer | null> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ControlRefused)) throw error
    if (error.message.includes(NO_TRADE)) return null
    throw new OperatorError(`The sandbox refuses: ${error.message}.`)
  }
}
