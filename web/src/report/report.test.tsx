import { fail } from '@guildhall/wire/failure.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fill } from '../testing/hands.ts'
import { askReport } from './report.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  // A sheet that leaves is there for its animation.
  document.body.replaceChildren()
})

const open = async () => {
  await act(async () => askReport({ kind: 'user', ids: ['9'], name: '阿黎' }))
  return screen.findByRole('dialog', { name: '举报 阿黎' })
}
const close = () => fireEvent.click(screen.getByRole('button', { name: '关闭' }))
const send = () => fireEvent.click(screen.getByRole('button', { name: '提交举报' }))

test('a report without a category is not sent', async () => {
  await open()
  send()
  expect((await screen.findByRole('alert')).textContent).toBe('请选择一个问题')
  close()
})

test('a refusal and a gone network say so, and the report can be sent again', async () => {
  server.on(createReport, () => fail('report.unknown'))
  await open()
  fireEvent.click(screen.getByLabelText('欺诈骗钱'))
  fill(screen.getByLabelText('补充说明（选填）'), { value: ' 骗我转账 ' })
  send()
  expect((await screen.findByRole('alert')).textContent).toBe('举报的内容不存在或已被删除')
  server.on(createReport, () => {
    throw new TypeError('the network is gone')
  })
  send()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('网络'))
  server.on(createReport, () => ({}))
  send()
  await screen.findByText('已收到举报')
  const report = { kind: 'user', id: '9', category: 'fraud', words: '骗我转账' }
  expect(server.received(createReport)).toEqual([report, report, report])
  fireEvent.click(screen.getByRole('button', { name: '完成' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('several messages are reported for the same, each once; after a refusal it goes on with the refused one', async () => {
  let isRefused = true
  server.on(createReport, ({ id }) => (id === '102' && isRefused ? fail('too_many') : {}))
  await act(async () => askReport({ kind: 'message', ids: ['101', '102', '103'], name: '阿黎' }))
  await screen.findByRole('dialog', { name: '举报 3 条消息' })
  fireEvent.click(screen.getByLabelText('垃圾广告'))
  send()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^还有 2 条没有提交：/)
  isRefused = false
  send()
  await screen.findByText('已收到举报')
  expect(server.received(createReport).map(({ id }) => id)).toEqual(['101', '102', '102', '103'])
  close()
})

test('a second report does not open above the first', async () => {
  await open()
  await act(async () => askReport({ kind: 'user', ids: ['8'], name: '别人' }))
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  close()
})
