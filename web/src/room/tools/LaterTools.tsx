import { isDesktop } from '../../composer/isDesktop.ts'
import MessageBar from '../list/MessageBar.tsx'
import type { ToolsProps } from './tools.ts'
import { useSharedPictures } from './useSharedPictures.ts'

/** What a list of messages has beyond its rows, loaded after it: for a mouse, for fingers, and for the viewer. */
export default function LaterTools(props: ToolsProps) {
  useSharedPictures(props)
  return isDesktop() ? <MessageBar {...props} /> : null
}
