import { emojiCharacters, emojiId } from '@guildhall/wire/message/emoji.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { useLayoutEffect, useRef } from 'react'
import { loadEmojiFinder } from '../../emoji/emoji.tsx'
import { mayReact } from '../../message/rights.ts'
import { toggleReaction } from '../../message/toggleReaction.ts'
import { OWN_TAPS, rowAt } from './rowAt.ts'
import type { ToolsProps } from './tools.ts'

/** Between the taps, ms, and from one to the other, px. */
const TWICE_WITHIN_MS = 300
const STRAY = 24
/** How long a finger rests at most in a tap, ms; longer opens the menu. */
const TAP_MAX_MS = 250

const THUMB: Emoji = { id: emojiId('👍'), name: '👍' }

/** Two taps on a message react with the emoji that the person picked last, or take that reaction back. */
export function useTapTwice(props: ToolsProps): void {
  const { scroller } = props
  const latest = useRef(props)
  latest.current = props
  useLayoutEffect(() => {
    const list = scroller.current
    if (!list) return
    let pressed = { at: 0, x: 0, y: 0 }
    let last = { at: 0, x: 0, y: 0, id: '' }
    let isFinger = false
    const isNear = (event: PointerEvent, from: { x: number; y: number }) =>
      Math.hypot(event.clientX - from.x, event.clientY - from.y) < STRAY
    const down = (event: PointerEvent) => {
      isFinger = event.pointerType !== 'mouse'
      pressed = { at: event.timeStamp, x: event.clientX, y: event.clientY }
    }
    const up = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') return
      const target = event.target as Element
      const found = target.closest(OWN_TAPS) ? null : rowAt(target, latest.current.rows)
      if (!found || event.timeStamp - pressed.at > TAP_MAX_MS || !isNear(event, pressed)) {
        last = { ...last, id: '' }
        return
      }
      const { id } = found.row.message
      const isSecond = last.id === id && event.timeStamp - last.at < TWICE_WITHIN_MS && isNear(event, last)
      last = { at: event.timeStamp, x: event.clientX, y: event.clientY, id: isSecond ? '' : id }
      if (isSecond) void react(found.row.message, latest.current)
    }
    // What two clicks of a mouse do is not meant as well.
    const twice = (event: Event) => {
      if (isFinger) event.stopPropagation()
    }
    list.addEventListener('pointerdown', down)
    list.addEventListener('pointerup', up)
    list.addEventListener('dblclick', twice, { capture: true })
    return () => {
      list.removeEventListener('pointerdown', down)
      list.removeEventListener('pointerup', up)
      list.removeEventListener('dblclick', twice, { capture: true })
    }
  }, [scroller])
}

async function react(message: Message, { actions, rights }: ToolsProps): Promise<void> {
  const { recentEmoji } = await loadEmojiFinder()
  // An emoji of another guild may not be used here.
  const isUsable = ({ id }: Emoji) => emojiCharacters(id) !== null || id.startsWith(`${message.guild_id}/`)
  const emoji = recentEmoji().find(isUsable) ?? THUMB
  if (mayReact(message, emoji.id, rights)) toggleReaction(actions, message, emoji)
}
