import type { CallFailure, CallFailureName } from '../kit/call.ts'

/** The texts that the forms about numbers and passwords have of their own. */
interface FormTexts {
  readonly mobileRequired: string
  readonly mobileWrong: string
  readonly passwordRequired: string
  readonly codeRequired: string
}

const own: Readonly<Partial<Record<CallFailureName, keyof FormTexts>>> = {
  'auth.mobile_required': 'mobileRequired',
  'auth.mobile_wrong': 'mobileWrong',
  'auth.password_required': 'passwordRequired',
  'auth.code_required': 'codeRequired',
}

/**
 * What a refusal says under the fields of a form, in the form's own words where it has some; `problem`: what
 * belongs under none of them. chat.md §8 "Login error with an object message".
 */
export function errorsOf<Name extends string>(
  failure: CallFailure,
  names: readonly Name[],
  t: FormTexts,
): { readonly errors: Partial<Record<Name, string>>; readonly problem: string } {
  const key = own[failure.name]
  const errors: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const words = failure.fields[name]
    if (words) errors[name] = key ? t[key] : words
  }
  return { errors, problem: Object.keys(errors).length > 0 ? '' : failure.message }
}
