/** The calls of the word rules. */
import * as wire from '@guildhall/wire/staff/words.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import type { DecideDeps, WordRules } from '../../screening/screening.ts'
import { staffActorOf } from '../staffActor.ts'
import * as staff from './words.ts'

export interface WordRulesDeps extends DecideDeps {
  /** The rules in the memory of this node, which follows its own changes at once. */
  readonly words: WordRules
}

export const wordsRoutes = (deps: WordRulesDeps): Binding[] => {
  const { appContext, words } = deps
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work
    await words.refresh()
    return answer
  }
  return [
    bindStaff(wire.listWords, (_context, input) => staff.listWords(appContext.db, input)),
    bindStaff(wire.addWord, async (context, input) => ({
      id: await changed(staff.addWord(appContext, staffActorOf(context), input)),
    })),
    bindStaff(wire.changeWord, async (context, { id, ...it }) => {
      await changed(staff.changeWord(appContext, staffActorOf(context), { ...it, id: String(id) }))
      return {}
    }),
    bindStaff(wire.removeWord, async (context, { id, reason }) => {
      await changed(staff.removeWord(appContext, staffActorOf(context), { id: String(id) }, reason))
      return {}
    }),
    bindStaff(wire.tryWords, async (_context, { text }) => ({ matches: await words.try(text) })),
  ]
}
