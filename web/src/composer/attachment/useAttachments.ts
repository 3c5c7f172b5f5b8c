import { useSyncExternalStore } from 'react'
import { useText } from '../../kit/i18n.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { text } from '../text.ts'
import { ATTACHMENTS_MAX, attachmentsOf } from './attachments.ts'

/** The attachments of a channel's draft; `add` reports those over the limits. */
export function useAttachments(channelId: string, maxBytes: number | null) {
  const t = useText(text)
  const attachments = attachmentsOf(channelId)
  const items = useSyncExternalStore(attachments.subscribe, attachments.snapshot)
  const add = (files: readonly File[]) => {
    if (maxBytes === null || files.length === 0) return
    const mb = Math.floor(maxBytes / 1024 / 1024)
    const unplaced = attachments.add(files, ({ size }) => (size > maxBytes ? t.fileTooLarge(mb) : null))
    if (unplaced > 0) toast(t.tooManyFiles(ATTACHMENTS_MAX))
  }
  return { attachments, items, add }
}
