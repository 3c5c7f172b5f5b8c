import { inviteCodeOf } from '@guildhall/wire/invite/inviteLink.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../kit/paths.ts'

/** What people link to on this site: it opens in place. */
const PLACES = /^\/(?:channels|chats|friends|invite|user-invite)(?:\/|$)/

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
 * A link in the words of people. Places of this site open in place; other sites open in a new tab through the warning page
 * (commerce.md §2 "/go-wild"). `href` stays the real address: that is what people copy and what screen readers say.
 */
export function WebLink({
  href,
  ...rest
}: { href: string } & Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href' | 'rel' | 'target' | 'onClick' | 'onAuxClick'
>) {
  const own = ownAddress(href)
  const code = inviteCodeOf(href, location.origin)
  if (code !== null) return <Link to={paths.invite(code)} {...rest} />
  if (own && PLACES.test(own.pathname)) return <Link to={own.pathname + own.search + own.hash} {...rest} />
  const open = ({ currentTarget: link, button }: MouseEvent<HTMLAnchorElement>) => {
    // The right button opens a menu, which copies the address.
    if (button > 1 || own) return
    // The browser reads the address after this handler, however it opens the link.
    link.href = goWildPath(href)
    setTimeout(() => {
      link.href = href
    })
  }
  return (
    <a
      {...rest}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={open}
      onAuxClick={open}
    />
  )
}
