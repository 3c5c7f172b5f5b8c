import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { lazy } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'

/** What is to be bought, and for which guild or friend. */
export interface NewOrder {
  readonly productId: number
  /** By default 1. */
  readonly count?: number
  readonly guildId?: GuildId
  readonly userId?: UserId
}

export interface PaySheetProps {
  /** A purchase, whose order is placed; or an order that waits. */
  readonly pay: NewOrder | { readonly orderId: string }
  /** The ways that the operator offers in a browser; without it they are asked for. */
  readonly ways?: readonly PayWay[] | undefined
  /** The order was paid while the sheet was open. */
  readonly onPaid?: (() => void) | undefined
  readonly onClose: () => void
}

/**
 * A sheet in which a person pays in a browser: it places the order, offers the ways that fit the environment,
 * and follows the order until it is paid. It suspends until its code is loaded.
 */
export const PaySheet = lazy(() => loadPart(() => import('./PaySheet.tsx')))
