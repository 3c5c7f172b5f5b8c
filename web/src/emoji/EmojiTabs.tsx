import { letters } from '@guildhall/wire/user/letter.ts'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useText } from '../kit/i18n.ts'
import { ClockIcon } from '../ui/icon/icons.tsx'
import { keepFocus, type Section } from './cell.ts'
import styles from './EmojiTabs.module.css'
import { text } from './text.ts'

/** The emoji on the tabs of Unicode's groups. */
const FACES: Readonly<Record<number, string>> = {
  0: '😀',
  1: '👋',
  3: '🐻',
  4: '🍜',
  5: '🚗',
  6: '⚽',
  7: '💡',
  8: '❤️',
  9: '🚩',
}

/**
 * The tabs of the groups. `active`: the id of the group on screen, which is marked; empty during a search.
 */
export function EmojiTabs(props: {
  sections: readonly Section[]
  active: string
  onOpen: (section: string) => void
}) {
  const { sections, active } = props
  const t = useText(text)
  const strip = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active tab has changed
  useEffect(() => {
    const here = strip.current
    const tab = here?.querySelector<HTMLElement>('button[aria-current]')
    if (!tab || !here) return
    const [from, to] = [tab.offsetLeft - here.offsetLeft, here.clientWidth - tab.offsetWidth]
    if (from < here.scrollLeft || from - here.scrollLeft > to) here.scrollLeft = from - to / 2
  }, [active])
  return (
    <div className={styles.tabs} ref={strip} role="toolbar" aria-label={t.groups} onKeyDown={alongTabs}>
      {sections.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          className={styles.tab}
          aria-label={title}
          title={title}
          aria-current={active === id ? 'true' : undefined}
          // One tab stop; the arrows move from there.
          tabIndex={id === (active || sections[0]?.id) ? 0 : -1}
          onPointerDown={keepFocus}
          onClick={() => props.onOpen(id)}
        >
          {faceOfTab(id, title)}
        </button>
      ))}
    </div>
  )
}

/** The arrows move from tab to tab. */
function alongTabs(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const tabs = [...event.currentTarget.querySelectorAll('button')]
  const here = tabs.indexOf(document.activeElement as HTMLButtonElement)
  tabs[(here + step + tabs.length) % tabs.length]?.focus()
}

function faceOfTab(id: string, title: string): ReactNode {
  if (id === 'recent') return <ClockIcon size={20} />
  if (id === 'own' || id.startsWith('guild')) return <span className={styles.tabGuild}>{letters(title)}</span>
  return <span className={styles.tabFace}>{FACES[Number(id.slice('group'.length))]}</span>
}
