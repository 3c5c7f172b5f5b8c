/** Forgets to which numbers codes were sent (ui/smsCodeCountdown.ts). */
export function forgetCodesSent(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the page does
  for (const [name] of document.cookie.matchAll(/code_sent_\w+/g))
    document.cookie = `${name}=; max-age=0; path=/`
}
