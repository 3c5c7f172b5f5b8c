import { useEffect } from 'react'

/**
 * Names the page in the browser's tab and history, with the number of unread messages in front of the name.
 * With null it keeps the name that it has, until this page's is known.
 */
export function usePageTitle(title: string | null, unread = 0): void {
  useEffect(() => {
    if (title === null) return
    document.title = unread > 0 ? `(${unread > 99 ? '99+' : unread}) ${title}` : title
  }, [title, unread])
}
