/** `product …`: what is sold, and for how much. */
import { market } from '@guildhall/wire/product/product.ts'
import {
  LABEL_MAX,
  PRODUCT_NAME_MAX,
  type ProductTranslations,
  productTranslations,
  TIP_MAX,
} from '@guildhall/wire/product/translation.ts'
import { KINDS } from '../app/payments.ts'
import { clock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { OperatorError } from '../kit/operatorError.ts'
import {
  allProducts,
  type Changing,
  changesOf,
  type ProductRow,
  putProduct,
  retireProduct,
} from '../product/product.ts'
import { type Commands, count, type Options, readName } from './command.ts'

const PRICE_MOST = 10_000_000
const ID_MOST = 2 ** 31 - 1
const GROUP_MOST = 1_000_000
const REASON_MAX = 200
const LISTED = 50
const LIST_MOST = 1_000

const shown = ({ retired_at, ...row }: ProductRow) => ({ ...row, on_sale: retired_at === null })

export const productCommands: Commands = {
  'product list': {
    usage: '',
    isReading: true,
    run: async (_options, { appContext }) => (await allProducts(appContext.db)).map(shown),
  },

  'product put': {
    usage:
      '[--id PRODUCT_ID] [--kind KIND] [--name NAME] [--price FEN] [--origin-price FEN] [--label TEXT] [--tip TEXT] [--en-name NAME] [--en-label TEXT] [--en-tip TEXT] [--market 0|1] [--group N] [--place N] [--renews 0|1] [--details JSON] [--from TIME] [--reason TEXT]',
    async run(options, { appContext }) {
      const id = options.id === undefined ? null : count('id', options.id, ID_MOST)
      const known = (await allProducts(appContext.db)).find((row) => row.id === id)
      const it = readProduct(options, known?.translations ?? {})
      if (id === null)
        for (const name of ['kind', 'name', 'price', 'details'] as const)
          if (options[name] === undefined)
            throw new OperatorError(`--${name} is missing: a new product needs it.`)
      const by = readChanging(options)
      if (id === null && by.validFrom !== undefined)
        throw new OperatorError('--from is for changes: a new product is on sale at once.')
      const kind = KINDS.get(it.kind ?? known?.kind ?? '')
      if (it.details && !kind?.details.safeParse(it.details).success)
        throw new OperatorError(`--details is nothing that ${kind?.name ?? 'this kind'} can grant.`)
      if (it.period_buy && !kind?.endsAt)
        throw new OperatorError(
          `--renews is for what ends by itself, and ${kind?.name ?? 'this kind'} does not.`,
        )
      const row = await transaction(appContext.db, (tx) =>
        putProduct(tx, id, id === null ? { ...NEW, ...it } : it, by),
      )
      if (!row) throw new OperatorError(`There is no product ${id}.`)
      return shown(row)
    },
  },

  'product retire': {
    usage: '--id PRODUCT_ID [--from TIME] [--reason TEXT]',
    async run({ id = '', ...options }, { appContext }) {
      const productId = count('id', id, ID_MOST)
      const by = readChanging(options)
      if (!(await transaction(appContext.db, (tx) => retireProduct(tx, productId, by))))
        throw new OperatorError(`There is no product ${id} on sale.`)
      return { id: productId, on_sale: by.validFrom !== undefined }
    },
  },

  'product history': {
    usage: '--id PRODUCT_ID [--limit N]',
    isReading: true,
    run: ({ id = '', limit }, { appContext }) =>
      changesOf(appContext.db, count('id', id, ID_MOST), {
        before: null,
        limit: limit === undefined ? LISTED : count('limit', limit, LIST_MOST),
      }),
  },
}

const NEW = {
  origin_price: 0,
  discount_label: '',
  buy_tip: '',
  translations: {},
  market: 0,
  group_id: 0,
  period_buy: false,
  place: 0,
}

/** @throws OperatorError */
function readProduct(input: Options, known: ProductTranslations): Partial<ProductRow> {
  if (input.kind !== undefined && !KINDS.has(input.kind))
    throw new OperatorError(`--kind must be one of ${[...KINDS.keys()].join(', ')}, not "${input.kind}".`)
  return {
    ...(input.kind !== undefined && { kind: input.kind }),
    ...(input.name !== undefined && { name: readName(input.name) }),
    ...(input.price !== undefined && { price: count('price', input.price, PRICE_MOST) }),
    ...(input['origin-price'] !== undefined && {
      origin_price: whole('origin-price', input['origin-price'], PRICE_MOST),
    }),
    ...(input.label !== undefined && { discount_label: input.label }),
    ...(input.tip !== undefined && { buy_tip: input.tip }),
    ...readTranslations(input, known),
    ...(input.market !== undefined && { market: whole('market', input.market, market.ios) }),
    ...(input.group !== undefined && { group_id: whole('group', input.group, GROUP_MOST) }),
    ...(input.place !== undefined && { place: whole('place', input.place, GROUP_MOST) }),
    ...(input.renews !== undefined && { period_buy: whole('renews', input.renews, 1) === 1 }),
    ...(input.details !== undefined && { details: readDetails(input.details) }),
  }
}

/** What it is called in English; what is not given stays as it is known. @throws OperatorError */
function readTranslations(
  { 'en-name': name, 'en-label': label, 'en-tip': tip }: Options,
  known: ProductTranslations,
): Partial<ProductRow> {
  if (name === undefined && label === undefined && tip === undefined) return {}
  const en = {
    name: name ?? known.en?.name ?? '',
    discount_label: label ?? known.en?.discount_label ?? '',
    buy_tip: tip ?? known.en?.buy_tip ?? '',
  }
  const read = productTranslations.safeParse({ en })
  if (!read.success)
    throw new OperatorError(
      `--en-name may have ${PRODUCT_NAME_MAX} characters, --en-label ${LABEL_MAX}, --en-tip ${TIP_MAX}.`,
    )
  return { translations: { ...known, ...read.data } }
}

/** @throws OperatorError */
function readChanging({ from, reason = '' }: Options): Changing {
  if (reason.length > REASON_MAX)
    throw new OperatorError(`--reason must have at most ${REASON_MAX} characters.`)
  if (from === undefined) return { actor: 'operator', reason }
  const validFrom = Date.parse(from)
  if (Number.isNaN(validFrom) || validFrom <= clock.now())
    throw new OperatorError(`--from must be a time to come like 2026-12-01T00:00+08:00, not "${from}".`)
  return { actor: 'operator', reason, validFrom }
}

const whole = (option: string, value: string, most: number): number =>
  value === '0' ? 0 : count(option, value, most)

function readDetails(value: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(value)
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return read as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new OperatorError('--details must be a JSON object, such as {"days":30}.')
}
