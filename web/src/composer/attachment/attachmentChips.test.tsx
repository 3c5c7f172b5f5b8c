import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AttachmentChips } from './AttachmentChips.tsx'
import type { PendingAttachment } from './attachments.ts'

const show = (more: Partial<PendingAttachment>) => {
  const attachments = { retry: vi.fn(), remove: vi.fn() }
  const item: PendingAttachment = {
    id: 1,
    file: new File(['x'], '假期.txt'),
    preview: null,
    state: 'done',
    progress: 0.5,
    why: '',
    canRetry: true,
    uploaded: null,
    looks: null,
    ...more,
  }
  render(<AttachmentChips items={[item]} attachments={attachments} />)
  return attachments
}
afterEach(cleanup)

test.each(['waiting', 'uploading'] as const)('a file that is %s can be cancelled, in words', (state) => {
  const { remove } = show({ state })
  fireEvent.click(screen.getByText('取消上传'))
  expect(remove).toHaveBeenCalledWith(1)
  expect(screen.getAllByRole('button').map((it) => it.getAttribute('aria-label'))).toEqual([
    '取消上传 假期.txt',
  ])
})

test('a file that failed can be uploaded again, in words, or removed', () => {
  const { retry, remove } = show({ state: 'failed' })
  expect(screen.getByText('上传失败')).toBeTruthy()
  fireEvent.click(screen.getByText('重新上传'))
  expect(retry).toHaveBeenCalledWith(1)
  fireEvent.click(screen.getByRole('button', { name: '移除 假期.txt' }))
  expect(remove).toHaveBeenCalledWith(1)
})

test('a file that is refused for good is not offered to be uploaded again', () => {
  show({ state: 'failed', canRetry: false, why: '文件大小不能超过 50M' })
  expect(screen.getByText('文件大小不能超过 50M')).toBeTruthy()
  expect(screen.queryByText('重新上传')).toBeNull()
})

test('an uploaded file can only be removed', () => {
  show({ state: 'done' })
  expect(screen.queryByText('取消上传')).toBeNull()
  expect(screen.getByRole('button', { name: '移除 假期.txt' })).toBeTruthy()
})
