import { type RefObject, useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { useFirstWrong } from './useFirstWrong.ts'

/** What is wrong with the fields of a form, by their names. */
export type Errors<Name extends string> = Partial<Record<Name, string>>

/** What a form reads of a refused call. */
export type Refusal = Pick<CallFailure, 'name' | 'fields' | 'message'>

/** What a form shows of what is wrong, and its element. */
export interface FormState<Name extends string> {
  readonly ref: RefObject<HTMLFormElement | null>
  readonly errors: Errors<Name>
  /** What belongs under none of the fields. */
  readonly problem: string
  /** Shows what is wrong, and nothing else. Returns whether nothing is wrong with the fields. */
  readonly show: (errors: Errors<Name>, problem?: string) => boolean
  /** Shows why a call was refused. Returns what belongs under none of the fields. */
  readonly refused: (failure: Refusal) => string
}

/** The state of a form in which refused calls may name these fields. */
export function useForm<Name extends string>(names: readonly Name[] = []): FormState<Name> {
  const [wrong, setWrong] = useState<{ errors: Errors<Name>; problem: string }>({ errors: {}, problem: '' })
  const show = (errors: Errors<Name>, problem = '') => {
    setWrong({ errors, problem })
    return Object.keys(errors).length === 0
  }
  const refused = ({ fields, message }: Refusal) => {
    const found: Errors<Name> = {}
    for (const name of names) if (fields[name]) found[name] = fields[name]
    const problem = Object.keys(found).length > 0 ? '' : message
    show(found, problem)
    return problem
  }
  return { ...wrong, ref: useFirstWrong(wrong.errors), show, refused }
}
