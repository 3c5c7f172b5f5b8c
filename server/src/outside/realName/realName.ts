/** Asking a service whether a name and the number of an identity card belong together. */
export type RealNameVerdict = 'match' | 'mismatch'

export interface RealNameService {
  /**
   * @throws an error without the name or the number in it, when the service gives no verdict; Unreadable,
   *   when it may have given one that cannot be read
   */
  check(name: string, number: string, signal: AbortSignal): Promise<RealNameVerdict>
}
