/** The operator that is being typed into a query, and what it becomes. Pure. */
import { type Operator, operatorOf } from '@guildhall/wire/search/query.ts'

/** An operator whose value is being typed, from its label to the caret. UTF-16 units. */
export interface Typing {
  readonly operator: Operator
  /** As it is written, with its colon. */
  readonly label: string
  readonly value: string
  readonly from: number
  readonly to: number
}

const OPEN =
  /(?:^|\s)(?<label>[a-z]+|[\u4e00-\u9fff]{2})(?<colon>[:：])(?:"(?<quoted>[^"]*)|“(?<curly>[^”]*)|(?<value>[^\s"“”]*))$/iu
const WORD = /(?:^|\s)([^\s":：“”]+)$/u

/** The operator before the caret; null: there is none, or its value is complete. */
export function typingAt(typed: string, caret: number): Typing | null {
  const before = typed.slice(0, caret)
  const groups = OPEN.exec(before)?.groups
  const operator = groups && operatorOf(groups.label!)
  if (!operator) return null
  const label = groups.label! + groups.colon!
  const value = groups.quoted ?? groups.curly ?? groups.value ?? ''
  const isQuoted = groups.value === undefined
  const from = caret - value.length - label.length - (isQuoted ? 1 : 0)
  return {
    operator,
    label,
    value,
    from,
    to: caret,
  }
}

/** The word before the caret, which may become an operator; empty: there is none. */
export const wordAt = (typed: string, caret: number): string => WORD.exec(typed.slice(0, caret))?.[1] ?? ''

/** What is typed once its part between `from` and `to` is replaced, and where the caret stands then. */
function replaced(typed: string, from: number, to: number, by: string): { typed: string; caret: number } {
  const after = typed.slice(to).replace(/^["”]?\s*/, '')
  return { typed: typed.slice(0, from) + by + after, caret: from + by.length }
}

/** The query with a value for the operator that is being typed. Values with spaces stand in quotes. */
export function withValue(typed: string, typing: Typing, value: string) {
  const written = /[\s"“”]/.test(value) ? `"${value.replace(/["“”]/g, '')}"` : value
  return replaced(typed, typing.from, typing.to, `${typing.label}${written} `)
}

/** The query with the beginning of an operator in place of the word before the caret. */
export const withOperator = (typed: string, caret: number, label: string) =>
  replaced(typed, caret - wordAt(typed, caret).length, caret, `${label}:`)
