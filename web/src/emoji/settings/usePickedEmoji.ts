import { createGuildEmoji, isEmojiName } from '@guildhall/wire/emoji/manage.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { readName } from '@guildhall/wire/words.ts'
import { useEffect, useRef, useState } from 'react'
import type { Area } from 'react-easy-crop'
import { upload as sendFile } from '../../asset/asset.ts'
import { emojiChanged } from '../../guild/guild.ts'
import { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { cutEmoji, drop, type PickedEmoji, pick } from './picked.ts'
import { settingsText } from './settingsText.ts'

interface Taker {
  readonly id: GuildId
  readonly level: number
}

/**
 * The pictures that were picked for a guild, and their uploading one after the other. What was refused stays,
 * with the reason; what is added leaves. `room`: how many more the guild may have.
 */
export function usePickedEmoji(guild: Taker, room: number) {
  const t = useText(settingsText)
  const { change, leave, end, ...opened } = useOpened(guild, room)
  const [isSending, setSending] = useState(false)

  const crop = async (picked: PickedEmoji, part: Area) => {
    const file = await cutEmoji(picked.prepared, part)
    if (!file) return
    URL.revokeObjectURL(picked.url)
    change(picked.key, { file, url: URL.createObjectURL(file) })
  }

  /** Whether it was added. */
  const send = async ({ key, file, name }: PickedEmoji, signal: AbortSignal): Promise<boolean> => {
    if (!isEmojiName(readName(name))) {
      change(key, { problem: t.nameWrong })
      return false
    }
    change(key, { sent: 0, problem: '' })
    try {
      const input = { guild_id: guild.id, name: readName(name) }
      const onProgress = (sent: number) => change(key, { sent })
      await sendFile(file, { signal, onProgress, route: createGuildEmoji, input })
      return true
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      change(key, { sent: null, problem: error.message || t.uploadFailed })
      return false
    }
  }
  /** Uploads these; nothing is done while others are uploaded. */
  const upload = async (wanted: readonly PickedEmoji[]) => {
    const signal = end.current?.signal
    if (isSending || !signal) return
    setSending(true)
    let added = 0
    for (const it of wanted) {
      if (signal.aborted) return
      if (!(await send(it, signal))) continue
      added += 1
      leave(it)
      emojiChanged(guild.id)
    }
    setSending(false)
    if (added > 0) toast(t.added(added))
  }
  return { ...opened, change, leave, isSending, crop, upload }
}

/** The pictures that were picked; their memory is freed when they leave and with the page. */
function useOpened({ level }: Taker, room: number) {
  const t = useText(settingsText)
  const [all, setAll] = useState<readonly PickedEmoji[]>([])
  const [problem, setProblem] = useState('')
  const [isOpening, setOpening] = useState(false)
  const now = useRef(all)
  now.current = all
  const end = useRef<AbortController | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    end.current = leaving
    return () => {
      leaving.abort()
      for (const it of now.current) drop(it)
    }
  }, [])

  const change = (key: number, by: Partial<PickedEmoji>) =>
    setAll((them) => them.map((it) => (it.key === key ? Object.assign({}, it, by) : it)))
  const leave = (gone: PickedEmoji) => {
    drop(gone)
    setAll((them) => them.filter(({ key }) => key !== gone.key))
  }
  const open = async (files: readonly File[]) => {
    const left = Math.max(0, room - now.current.length)
    const problems: string[] = []
    setOpening(true)
    for (const file of files.slice(0, left)) {
      const picked = await pick(file, level)
      if (end.current?.signal.aborted) return picked && drop(picked)
      if (picked) setAll((them) => [...them, picked])
      else problems.push(t.unreadable(file.name))
    }
    setOpening(false)
    if (files.length > left) problems.push(t.tooMany(left))
    setProblem(problems.join(' · '))
  }
  return { all, problem, isOpening, open, change, leave, end }
}
