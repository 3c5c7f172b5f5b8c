import { inviteCodeOf } from '@guildhall/wire/invite/inviteLink.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import type { AnchorHTMLAttributes } from 'react'
import { Link } from 'react-router'
import { paths } from '../kit/paths.ts'

/** What people link to on this site: it opens in place. */
const OWN_PATHS = /^\/(?:channels|chats|friends|invite|user-invite)(?:\/|$)/

/** The address, when it is one of this site. */
function ownAddress(href: string): URL | null {
  try {
    const url = new URL(href)
    return url.origin === location.origin && url.username + url.password === '' ? url : null
  } catch {
    return null
  }
}

/**
 * A link in the words of people. Places of this site open in place; other sites open in a new tab through the
 * warning page (commerce.md §2 "/go-wild"), however they are opened: the browser knows no other address. The
 * real one is in `title`. Decision 90.
 */
export function WebLink({
  href,
  ...rest
}: { href: string } & Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href' | 'rel' | 'target' | 'title' | 'onClick' | 'onAuxClick'
>) {
  const own = ownAddress(href)
  const code = inviteCodeOf(href, location.origin)
  if (code !== null) return <Link to={paths.invite(code)} {...rest} />
  if (own && OWN_PATHS.test(own.pathname)) return <Link to={own.pathname + own.search + own.hash} {...rest} />
  return (
    <a
      {...rest}
      href={own ? href : goWildPath(href)}
      title={own ? undefined : href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    />
  )
}
