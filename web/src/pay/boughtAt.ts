/** The page on which this tab bought something last: the result of the payment leads back to it. */
const KEY = 'bought_at'

export function rememberBoughtAt(path: string): void {
  try {
    sessionStorage.setItem(KEY, path)
  } catch {
    // The result leads to the product then.
  }
}

/** Its path; null: nothing was bought in this tab, or storage is refused. */
export function boughtAt(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
