/**
 * What one member of staff may not do alone: it waits until somebody else with the same right agrees, or the
 * operator by command. Decision 107.
 */
import { isDeepStrictEqual } from 'node:util'
import { dayNumber } from '@guildhall/wire/beijing.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_MS,
  APPROVAL_RIGHTS,
  APPROVALS_PAGE,
  type Approval,
  type ApprovalFacts,
  type ApprovalKind,
  type ApprovalWhy,
  type listApprovals,
} from '@guildhall/wire/staff/approvals.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import type { StaffBounds } from '../../config/staff.ts'
import { clock } from '../../kit/clock.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { type Actor, recordSecurity } from '../../kit/securityLog.ts'
import { identitiesOf, staffRightsOf } from '../../user/user.ts'
import type { MadeCodes } from '../codes/codes.ts'
import { recordStaff } from '../log.ts'
import type { NotifyingContext } from '../people/people.ts'
import { reasonDetail, record, type StaffActor } from '../staffAction.ts'
import * as rows from './approvalSql.ts'
import { type ActAnswers, type ActInputs, type Acting, type Weighed, weighedActs } from './weighedActs.ts'

export interface ApprovalDeps extends NotifyingContext {
  readonly bounds: StaffBounds
}

/** Below this a price is next to nothing, fen: no change to it or from it is small. */
const NEARLY_NOTHING_FEN = 100

/** An act that is too much for one person. Thrown so that its transaction takes it back. */
class MustWait extends Error {
  readonly why: ApprovalWhy
  readonly facts: ApprovalFacts

  constructor(why: ApprovalWhy, facts: ApprovalFacts) {
    super(`must wait: ${why}`)
    this.why = why
    this.facts = facts
  }
}

/**
 * Does an act of staff, or, when it is too much for one person, asks for approval in its place: then the
 * answer is null, and `approvalId` is the request's. What could not be done is refused, and asks for nothing.
 */
export async function doOrAsk<Kind extends ApprovalKind>(
  deps: ApprovalDeps,
  by: StaffActor & { readonly actor: UserId },
  kind: Kind,
  input: ActInputs[Kind] & { readonly reason?: string | undefined },
): Promise<{ readonly answer: ActAnswers[Kind] | null; readonly approvalId: string }> {
  try {
    const answer = await commit(deps.appContext, async (tx, emit) => {
      const weighed = await weighedActs[kind]({ ...deps, tx, emit, by }, input)
      const why = await whyWaits(tx, deps.bounds, kind, weighed)
      if (why) throw new MustWait(why, weighed.facts)
      return weighed.answer
    })
    return { answer, approvalId: '' }
  } catch (error) {
    if (!(error instanceof MustWait)) throw error
    return { answer: null, approvalId: await ask(deps.appContext.db, by, { kind, input, of: error }) }
  }
}

/** Why an act waits; null: it need not, and what it made is counted. */
async function whyWaits(
  tx: Tx,
  bounds: StaffBounds,
  kind: ApprovalKind,
  { valueFen, prices }: Pick<Weighed<unknown>, 'valueFen' | 'prices'>,
): Promise<ApprovalWhy | null> {
  if (kind === 'guild') return 'owner'
  if (prices.some(([from, to]) => isFar(from, to, bounds.pricePercent))) return 'price'
  if (kind === 'codes' && valueFen > bounds.batchFen) return 'value'
  const isCounted = valueFen === 0 || (await rows.addValue(tx, today(), valueFen, bounds.dayFen))
  return isCounted ? null : 'day'
}

const today = (): number => dayNumber(clock.now())

/** Whether a price changes by more than a part of it, or to or from next to nothing. */
const isFar = (from: number, to: number, percent: number): boolean =>
  from !== to && (Math.min(from, to) < NEARLY_NOTHING_FEN || Math.abs(to - from) * 100 > percent * from)

/** Asks for approval; the same request again is the one that waits. */
const ask = (
  db: Db,
  by: StaffActor & { readonly actor: UserId },
  { kind, input, of }: { kind: ApprovalKind; input: { readonly reason?: string | undefined }; of: MustWait },
): Promise<string> =>
  transaction(db, async (tx) => {
    const { actor } = by
    await rows.lockAsker(tx, actor)
    const now = clock.now()
    const known = await rows.sameWaiting(tx, { actor, kind, input }, now)
    if (known !== null) return known
    const id = await rows.addApproval(tx, {
      kind,
      actor,
      input,
      why: of.why,
      facts: of.facts,
      reason: input.reason ?? '',
      created_at: now,
      expires_at: now + APPROVAL_MS,
    })
    await record(tx, by, 'approval ask', {
      target: id,
      detail: { ...reasonDetail(input.reason), kind, why: of.why, ...of.facts },
    })
    return id
  })

/** An approved act that could not be done. Its transaction is taken back, and it still waits. */
class NotDone extends Error {
  readonly failure: Failure
  /** What it would do now; null: nothing, it is refused. */
  readonly facts: ApprovalFacts | null

  constructor(failure: Failure, facts: ApprovalFacts | null) {
    super(failure.message)
    this.failure = failure
    this.facts = facts
  }
}

const NO_CODES: MadeCodes = { batchId: '', codes: [] }

export interface Decision {
  readonly id: number
  readonly isApproved: boolean
  readonly reason: string
}

/**
 * Approves an act of somebody else, which is done in the same transaction as it is without, or rejects it.
 * The same decision again has no effect. Answers the codes that it made.
 * @throws Failure staff.approval_unknown, staff.approval_own, forbidden, staff.approval_decided,
 *   staff.approval_over, staff.approval_changed, bad_input (a rejection without a reason), and as the act
 *   does
 */
export async function decideApproval(
  deps: NotifyingContext,
  by: StaffActor,
  decision: Decision,
): Promise<MadeCodes> {
  try {
    return await commit(deps.appContext, async (tx, emit) => {
      const row = await rows.lockApproval(tx, decision.id)
      if (!row) throw fail('staff.approval_unknown')
      await refuseDecider(tx, by, row)
      if (row.state !== 'waiting') {
        const isSame = row.decided_by === by.actor && (row.state === 'approved') === decision.isApproved
        if (isSame) return NO_CODES
        throw fail('staff.approval_decided')
      }
      if (row.expires_at <= clock.now()) throw fail('staff.approval_over')
      const { reason, isApproved } = decision
      if (!isApproved && reason === '') throw fail('bad_input', { fields: ['reason'] })
      const answer = isApproved ? await carryOut({ ...deps, tx, emit, by }, row) : NO_CODES
      await rows.setDecided(tx, row.id, {
        state: isApproved ? 'approved' : 'rejected',
        decided_by: by.actor,
        decided_at: clock.now(),
        decided_why: reason,
      })
      const detail = { ...reasonDetail(reason), kind: row.kind, of: row.actor, ...row.facts }
      await record(tx, by, isApproved ? 'approval approve' : 'approval reject', { target: row.id, detail })
      return answer
    })
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    const { failure, facts } = error
    await rows.setTried(deps.appContext.db, decision.id, { failure: failure.failure, facts })
    throw failure
  }
}

/**
 * Takes a request back that somebody made and nobody decided. Once more has no effect.
 * @throws Failure staff.approval_unknown, forbidden (of somebody else), staff.approval_decided,
 *   staff.approval_over
 */
export const withdrawApproval = (
  { db }: Pick<AppContext, 'db'>,
  by: StaffActor & { readonly actor: UserId },
  id: number,
): Promise<void> =>
  transaction(db, async (tx) => {
    const row = await rows.lockApproval(tx, id)
    if (!row) throw fail('staff.approval_unknown')
    if (row.actor !== by.actor) throw fail('forbidden')
    if (row.state === 'withdrawn') return
    if (row.state !== 'waiting') throw fail('staff.approval_decided')
    if (row.expires_at <= clock.now()) throw fail('staff.approval_over')
    await rows.setDecided(tx, row.id, {
      state: 'withdrawn',
      decided_by: by.actor,
      decided_at: clock.now(),
      decided_why: '',
    })
    await record(tx, by, 'approval withdraw', { target: row.id, detail: { kind: row.kind, ...row.facts } })
  })

/** @throws Failure staff.approval_own, forbidden */
async function refuseDecider(tx: Tx, by: StaffActor, row: rows.ApprovalRow): Promise<void> {
  if (by.actor === 'operator') return
  if (by.actor === row.actor) throw fail('staff.approval_own')
  if (!(await staffRightsOf(tx, by.actor)).includes(APPROVAL_RIGHTS[row.kind])) throw fail('forbidden')
}

/** Does what was approved, for who asked for it. @throws NotDone */
async function carryOut(acting: Acting, row: rows.ApprovalRow): Promise<MadeCodes> {
  const { tx } = acting
  if (!(await staffRightsOf(tx, row.actor)).includes(APPROVAL_RIGHTS[row.kind]))
    throw new NotDone(fail('staff.approval_over'), null)
  const by: StaffActor = { actor: row.actor, approvedBy: acting.by.actor }
  const weighed = await run(row.kind, { ...acting, by }, row.input).catch((error: unknown) => {
    throw error instanceof Failure ? new NotDone(error, null) : error
  })
  // Who approves agrees to what they saw.
  if (!isDeepStrictEqual(weighed.facts, row.facts))
    throw new NotDone(fail('staff.approval_changed'), weighed.facts)
  if (weighed.valueFen > 0) await rows.addValue(tx, today(), weighed.valueFen, null)
  return row.kind === 'codes' ? (weighed.answer as MadeCodes) : NO_CODES
}

/** The act of a kind, with what was kept of it. */
const run = (kind: ApprovalKind, acting: Acting, input: unknown): Promise<Weighed<unknown>> =>
  (weighedActs[kind] as (acting: Acting, input: unknown) => Promise<Weighed<unknown>>)(acting, input)

const kindsFor = (rights: readonly StaffRight[]): ApprovalKind[] =>
  APPROVAL_KINDS.filter((kind) => rights.includes(APPROVAL_RIGHTS[kind]))

/** A page of what waits, or is over: of the rights of who asks, and their own. */
export async function approvalsFor(
  db: Db,
  viewer: UserId,
  { state, before }: InputOf<typeof listApprovals>,
): Promise<AnswerOf<typeof listApprovals>> {
  const kinds = kindsFor(await staffRightsOf(db, viewer))
  return pageOf(db, {
    kinds,
    isWaiting: state === 'waiting',
    own: viewer,
    except: null,
    before: before ?? null,
  })
}

/** The requests that wait, for the operator. */
export const waitingApprovals = async (db: Db): Promise<readonly Approval[]> =>
  (await pageOf(db, { isWaiting: true, kinds: APPROVAL_KINDS, own: null, except: null, before: null })).items

async function pageOf(
  db: Db,
  input: Omit<rows.ApprovalSearch, 'now' | 'limit'>,
): Promise<AnswerOf<typeof listApprovals>> {
  const now = clock.now()
  const found = await rows.approvals(db, { ...input, now, limit: APPROVALS_PAGE + 1 })
  const page = found.slice(0, APPROVALS_PAGE)
  const people = page.flatMap(({ actor, decided_by }) => [actor, decided_by as UserId])
  const identities = await identitiesOf(db, [...new Set(people.filter((id) => /^\d+$/.test(id)))])
  const nameOf = (id: string) => identities.get(id as UserId)?.username ?? ''
  return {
    items: page.map(({ input: _, ...row }) => ({
      ...row,
      actor_name: nameOf(row.actor),
      decided_by_name: nameOf(row.decided_by),
      state: row.state === 'waiting' && row.expires_at <= now ? 'expired' : row.state,
    })),
    has_more: found.length > APPROVALS_PAGE,
  }
}

/** Those of others that somebody of some rights may decide. */
export async function approvalsToDecide(
  db: Db,
  viewer: UserId,
  rights: readonly StaffRight[],
  limit: number,
): Promise<readonly unknown[]> {
  const kinds = kindsFor(rights)
  const now = clock.now()
  return rows.approvals(db, { isWaiting: true, now, kinds, own: null, except: viewer, before: null, limit })
}

/** Whether somebody of some rights decides anything. */
export const mayApprove = (rights: readonly StaffRight[]): boolean => kindsFor(rights).length > 0

/** Since when the oldest waits, ms, null: none does; and how many were rejected within a day. */
export const stateOfApprovals = (
  db: Db,
): Promise<{ readonly oldestAt: Millis | null; readonly rejected: number }> =>
  rows.stateOfApprovals(db, { now: clock.now(), since: clock.now() - DAY_MS })

/** Writes down that an account of staff tried to redeem a code. */
export const recordStaffRedeem = (
  { db }: Pick<AppContext, 'db'>,
  by: { readonly actor: Actor; readonly network: string; readonly sessionId: string },
): Promise<void> =>
  transaction(db, async (tx) => {
    await recordSecurity(tx, { kind: 'coupon redeem', failure: 'coupon.staff', ...by })
    await recordStaff(tx, {
      ...by,
      kind: 'refused',
      name: 'coupon redeem',
      detail: { failure: 'coupon.staff' },
    })
  })
