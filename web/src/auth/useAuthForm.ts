import type { CallFailureName } from '../kit/call.ts'
import { type FormState, type Refusal, useForm } from '../ui/form/useForm.ts'

/** What forms about numbers and passwords say in words of their own. */
const OWN_WORDS = {
  'auth.mobile_required': 'mobileRequired',
  'auth.mobile_wrong': 'mobileWrong',
  'auth.password_required': 'passwordRequired',
  'auth.code_required': 'codeRequired',
} as const satisfies Partial<Record<CallFailureName, string>>

/**
 * The state of a form about numbers and passwords: a refusal is said in the words of `t`, where it has some.
 * chat.md §8 "Login error with an object message".
 */
export function useAuthForm<Name extends string>(
  names: readonly Name[],
  t: Readonly<Record<(typeof OWN_WORDS)[keyof typeof OWN_WORDS], string>>,
): FormState<Name> {
  const form = useForm(names)
  const refused = ({ name, fields, message }: Refusal) => {
    const own = name in OWN_WORDS ? t[OWN_WORDS[name as keyof typeof OWN_WORDS]] : undefined
    return form.refused({
      name,
      message,
      fields: own ? Object.fromEntries(Object.keys(fields).map((field) => [field, own])) : fields,
    })
  }
  return { ...form, refused }
}
