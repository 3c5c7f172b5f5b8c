import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isBlank, type OpenRoom } from '../useOpenRoom.ts'

/**
 * Jumps to the message that the address names by `m`, once the room shows messages, and takes it out of the
 * address.
 */
export function useLinkedMessage(room: OpenRoom): void {
  const { list } = room
  const isReady = !isBlank(room)
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const linked = new URLSearchParams(search).get('m')
  useEffect(() => {
    if (!linked || !isReady) return
    list.current?.jumpTo(linked)
    void navigate(pathname, { replace: true, state })
  }, [list, linked, isReady, navigate, pathname, state])
}
