import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { type ReactNode, useEffect, useState } from 'react'
import styles from '../../composer/EmojiDock.module.css'
import { boardText } from '../../emoji/boardText.ts'
import { type CatalogueEmoji, loadCatalogue } from '../../emoji/catalogue.ts'
import EmojiPicker from '../../emoji/EmojiPicker.tsx'
import { useText } from '../../kit/i18n.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import type { Section } from './section.ts'

const few: readonly CatalogueEmoji[] = ['😀', '😂', '❤️'].map((name) => ({
  id: emojiId(name),
  name,
  group: 0,
  hasTones: false,
  labels: { 'zh-CN': name, en: name },
  keywords: '',
}))
const own = [
  { id: '10/a', name: '加油', emoji_type: 1 },
  { id: '10/b', name: '名字很长很长很长很长很长很长的表情', emoji_type: 1 },
]
const nothing = () => undefined

function Dock({ children }: { children: ReactNode }) {
  return <div className={styles.dock}>{children}</div>
}

function Whole() {
  const [all, setAll] = useState<readonly CatalogueEmoji[]>([])
  useEffect(() => {
    void loadCatalogue().then(setAll)
  }, [])
  return <EmojiPicker catalogue={all} own={[]} guildName="星海公会" onPick={nothing} onErase={nothing} />
}

function Loading() {
  return <LoadingState message={useText(boardText).loading} />
}

function Failed() {
  return <ErrorState title={useText(boardText).failed} onRetry={nothing} />
}

const dock = (name: string, inside: ReactNode) => ({ name, draw: () => <Dock>{inside}</Dock> })

export const emoji: Section = {
  id: 'emoji',
  title: 'Emoji',
  states: [
    dock('picker', <Whole />),
    dock(
      'picker with pictures that are gone',
      <EmojiPicker catalogue={few} own={own} guildName="星海公会" onPick={nothing} onErase={nothing} />,
    ),
    dock(
      'picker without the guild’s own',
      <EmojiPicker catalogue={few} own={null} guildName="星海公会" onPick={nothing} onRetryOwn={nothing} />,
    ),
    dock('picker loading', <Loading />),
    dock('picker that did not load', <Failed />),
  ],
}
