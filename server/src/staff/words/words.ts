/** Word rules as staff and operators change them. Each change is in the staff log. */

import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import type * as wire from '@guildhall/wire/staff/words.ts'
import type { Db } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import * as screening from '../../screening/screening.ts'
import { identitiesOf } from '../../user/user.ts'
import { record, type StaffActor } from '../staffAction.ts'

type Rule = Pick<screening.NewRule, 'word' | 'action' | 'places' | 'note'>
const ruleOf = ({ word, action, places, note }: Rule) => ({ word, action, places, note })

/** A page of the rules, the newest first. */
export async function listWords(
  db: Db,
  input: InputOf<typeof wire.listWords>,
): Promise<AnswerOf<typeof wire.listWords>> {
  const { items, hasMore } = await screening.pageOfRules(db, input)
  const people = await identitiesOf(
    db,
    items.flatMap(({ changed_by: by }) => (/^\d+$/.test(by) ? [by as UserId] : [])),
  )
  return {
    items: items.map(({ changed_by: by, places, ...row }) => ({
      ...row,
      places: [...places],
      by,
      by_name: people.get(by as UserId)?.username ?? '',
    })),
    has_more: hasMore,
  }
}

/** Adds a rule, and returns its id. @throws Failure word.wrong, word.taken, word.full */
export const addWord = (
  appContext: AppContext,
  by: StaffActor,
  input: Rule & { readonly reason: string },
): Promise<string> =>
  commit(appContext, async (tx) => {
    const id = await screening.addRule(tx, ruleOf(input), by.actor)
    await record(tx, by, 'word add', { target: id, detail: { after: ruleOf(input), reason: input.reason } })
    return id
  })

/** Changes what a rule does. @throws Failure word.unknown */
export const changeWord = (
  appContext: AppContext,
  by: StaffActor,
  input: Omit<Rule, 'word'> & { readonly id: string; readonly reason: string },
): Promise<void> =>
  commit(appContext, async (tx) => {
    const before = await screening.changeRule(tx, input.id, input, by.actor)
    const after = ruleOf({ ...input, word: before.word })
    await record(tx, by, 'word update', {
      target: input.id,
      detail: { before: ruleOf(before), after, reason: input.reason },
    })
  })

/** Removes a rule, by its id or its word. @throws Failure word.unknown */
export const removeWord = (
  appContext: AppContext,
  by: StaffActor,
  input: { readonly id: string } | { readonly word: string },
  reason: string,
): Promise<string> =>
  commit(appContext, async (tx) => {
    const before =
      'id' in input ? await screening.removeRule(tx, input.id) : await screening.removeRuleOf(tx, input.word)
    await record(tx, by, 'word remove', { target: before.id, detail: { before: ruleOf(before), reason } })
    return before.id
  })

/**
 * Adds many rules; words that have one keep it. Returns how many were added. @throws Failure word.wrong,
 * word.full
 */
export const importWords = (
  appContext: AppContext,
  by: StaffActor,
  rules: readonly Rule[],
  reason: string,
): Promise<number> =>
  commit(appContext, async (tx) => {
    const added = await screening.importRules(tx, rules, by.actor)
    await record(tx, by, 'word import', { detail: { given: rules.length, added, reason } })
    return added
  })
