import { CallFailure } from '../kit/call.ts'

/** What a call of the page fails with; it must fail. */
export const failureOf = (made: Promise<unknown>): Promise<CallFailure> =>
  made.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => {
      if (error instanceof CallFailure) return error
      throw error
    },
  )
