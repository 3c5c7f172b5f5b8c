import { useEffect, useRef } from 'react'

/** The ref of a form: when it gets new errors, its first wrong field has the focus. */
export function useFirstWrong(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the errors are why the fields are wrong now
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [errors])
  return form
}
