/**
 * Errors of this page, reported to the server. What reports them is loaded upon the first. chat.md §7
 * "users/log".
 */

/** Reports an error that the page survived. `filename`: the script it comes from. Never throws. */
export function reportError(error: unknown, filename = ''): void {
  import('./clientErrorReport.ts').then(
    (it) => it.report(error, filename),
    () => undefined,
  )
}

/** Reports what nothing else catches. */
export function reportUncaught(): void {
  addEventListener('error', ({ error, filename }) => error && reportError(error, filename))
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason))
}
