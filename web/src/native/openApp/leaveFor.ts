/**
 * Leads the browser to a payment provider. The provider sees the site that it comes from, which WeChat's page
 * for browsers checks: the site's own policy tells other sites nothing. `isBack`: it sees this page's whole
 * address, because it leads back to it. False: the address is none that a browser may follow.
 */
export function leaveFor(address: string, { isBack = false } = {}): boolean {
  if (!/^https?:\/\/./i.test(address)) return false
  followLink(address, isBack ? 'no-referrer-when-downgrade' : 'origin')
  return true
}

/** Follows an address as a tap on a link does. */
export function followLink(address: string, referrerPolicy: ReferrerPolicy): void {
  const link = document.createElement('a')
  link.href = address
  link.referrerPolicy = referrerPolicy
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}
