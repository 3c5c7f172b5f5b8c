import { isDesktop } from '../../composer/isDesktop.ts'
import MessageBar from '../list/MessageBar.tsx'
import { NewMessageAnnouncer } from '../list/NewMessageAnnouncer.tsx'
import { UnreadBar } from '../list/UnreadBar.tsx'
import { ReplySwipe } from './ReplySwipe.tsx'
import type { ToolsProps } from './tools.ts'
import { useEdgeDrag } from './useEdgeDrag.ts'
import { useSharedPictures } from './useSharedPictures.ts'
import { useTapTwice } from './useTapTwice.ts'

/** What a list of messages has beyond its rows, loaded after it: for mouse, fingers, viewer and ears. */
export default function LaterTools(props: ToolsProps) {
  useSharedPictures(props)
  useTapTwice(props)
  useEdgeDrag(props.scroller)
  return (
    <>
      <ReplySwipe {...props} />
      <NewMessageAnnouncer room={props.room} />
      <UnreadBar {...props} onPress={props.jumpTo} />
      {isDesktop() && <MessageBar {...props} />}
    </>
  )
}
