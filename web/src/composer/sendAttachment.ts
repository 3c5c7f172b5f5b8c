import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import type { UploadedAttachment } from './attachments.ts'

/** Sends an uploaded file: pictures and videos as such, everything else as a file. */
export function sendAttachment(actions: RoomController, it: UploadedAttachment, quote?: Quote): void {
  const kind = it.type === 'image' || it.type === 'video' ? it.type : 'file'
  const { url, name, file_type, size, width, height } = it
  const looks = kind === 'video' ? it.looks : undefined
  // The server measures the file; the browser's measurements fill in what it could not read.
  const sides = { width: width ?? looks?.width, height: height ?? looks?.height }
  const attachments = { ...looks, type: kind, url, name, file_type, size, ...sides } as const
  const media = { type: kindNumber(kind, 'specification'), attachments }
  actions.send(url, { media, ...(quote && { quote }) })
}
