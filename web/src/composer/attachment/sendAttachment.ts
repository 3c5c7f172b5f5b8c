import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { UploadedAttachment } from './attachments.ts'

/** Sends an uploaded file: pictures and videos as such, everything else as a file. */
export function sendAttachment(actions: RoomController, file: UploadedAttachment, quote?: Quote): void {
  const kind = file.type === 'image' || file.type === 'video' ? file.type : 'file'
  const { url, name, file_type, size, width, height } = file
  const looks = kind === 'video' ? file.looks : undefined
  // The server measures the file; the browser's measurements fill in what it could not read.
  const sides = { width: width ?? looks?.width, height: height ?? looks?.height }
  const attachments = { ...looks, type: kind, url, name, file_type, size, ...sides } as const
  const media = { type: kindNumber(kind, 'specification'), attachments }
  actions.send(url, { media, ...(quote && { quote }) })
}
