/**
 * Leads the browser to a payment provider. The provider sees the site that it comes from, which WeChat's page for browsers checks: the
 * site's own policy tells other sites nothing. False: the address is none that a browser may follow.
 */
export function leaveFor(address: string): boolean {
  if (!/^https?:\/\/./i.test(address)) return false
  const link = document.createElement('a')
  link.href = address
  link.referrerPolicy = 'origin'
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
  return true
}
