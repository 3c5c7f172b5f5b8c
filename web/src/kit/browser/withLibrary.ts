/**
 * Runs `start` once the library of the language is there: at once in nearly all browsers, in older ones after
 * what they lack is loaded.
 */
export function withLibrary(start: () => void): void {
  // The newest function that `olderBrowsers.ts` has.
  if ('toSorted' in Array.prototype) start()
  else void import('./olderBrowsers.ts').then(start)
}
