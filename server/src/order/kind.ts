/** Product kinds: how the nouns of the shop plug into orders, which do not know them. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Schema } from '@guildhall/wire/schema.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'

/** One line of an order, as a kind grants it; or what was won without one. */
export interface GrantedLine {
  /** Null: there is no order, as with a redeemed code. */
  readonly orderId: string | null
  /** Who receives it. */
  readonly userId: UserId
  readonly guildId: GuildId | null
  readonly count: number
  /** What one of it grants, in the kind's own shape. */
  readonly details: unknown
}

/** One line of an order, as a kind revokes it. */
export type OrderedLine = GrantedLine & { readonly orderId: string }

/** What an order granted, and what became of it. */
export interface GrantFact {
  /** Which: a kind of entitlement, or `boost`. */
  readonly what: string
  readonly grantedAt: Millis
  /** Null: it counts. */
  readonly revokedAt: Millis | null
  /** How long it lasts, ms; null: it does not end by itself. */
  readonly length: Millis | null
  /** How many there are, and how many of them were used; null: it is not counted. */
  readonly count: number | null
  readonly used: number | null
}

export interface ProductKind {
  readonly name: string
  /** The shape of a product's details. */
  readonly details: Schema
  /** Whether an order names a guild; `maybe`: the buyer may. */
  readonly forGuild: boolean | 'maybe'
  /** Whether it may be ordered for a friend. */
  readonly isGift: boolean
  /** More than one of it at once. */
  readonly isCounted: boolean
  /**
   * Gives the receiver what was bought, within the order's transaction, under its lock: once per order, where
   * there is one. An error is tried again; in the end the money goes back.
   */
  grants(tx: Tx, emit: Emit, line: GrantedLine): Promise<void>
  /** Takes back what is left of it. */
  revokes(tx: Tx, emit: Emit, line: OrderedLine): Promise<void>
  /**
   * Of some people, those who have it already, so that nobody gives it to them: nobody where more of it is
   * welcome.
   */
  owners(db: Db, userIds: readonly UserId[], details: unknown): Promise<ReadonlySet<UserId>>
  /**
   * Whether somebody has a better one, beside which this one would bring them nothing; null: it has no better
   * one.
   */
  readonly hasBetter: ((db: Db, userId: UserId, details: unknown) => Promise<boolean>) | null
  /**
   * Until when somebody has what is bought, ms, also when that is over; null for what does not end by itself,
   * and cannot renew itself.
   */
  readonly endsAt: ((db: Db, userId: UserId, details: unknown) => Promise<Millis>) | null
  /** What an order granted of it, for staff. */
  granted(db: Db, orderId: string): Promise<readonly GrantFact[]>
  /** Of some orders, those whose grant stands. */
  standing(db: Db, orderIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** The kinds by name. */
export type ProductKinds = ReadonlyMap<string, ProductKind>
