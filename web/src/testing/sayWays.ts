/** Tells pages which ways to register and log in are on, as the server does: `sms.email`; empty: by phone. */
export function sayWays(ways: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `ways=${ways}; path=/`
}
