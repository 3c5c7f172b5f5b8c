/** Forgets to which numbers codes were sent (ui/smsCodeCountdown.ts). */
export function forgetCodesSent(): void {
  for (const [name] of document.cookie.matchAll(/code_sent_\w+/g)) {
    // biome-ignore lint/suspicious/noDocumentCookie: as the page does
    document.cookie = `${name}=; max-age=0; path=/`
  }
}
