/** People who joined: one row that opens, and a wave to each. */
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { sessionOf } from '../../testing/fixtures.ts'
import { context } from '../../testing/gallery/kmarkdown.tsx'
import { press, pressSoon } from '../../testing/hands.ts'
import { messageLike } from '../../testing/messages.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { MessageRow } from '../MessageRow.tsx'
import Joined from './Joined.tsx'

afterEach(cleanup)

const MAY = permission.view_channel | permission.add_reaction | permission.follow_reaction
const react = vi.fn()
const joinOf = (n: number, username: string, id = `${100 + n}`) =>
  messageLike(n, {
    type: 7,
    content: `欢迎 ${username} 加入`,
    author: { ...messageLike(1).author, id: id as never, username, nickname: username },
  })
const wave = (count: number, me: boolean) => ({
  reactions: [{ emoji: { id: '[#128075;]', name: '👋' }, count, me }],
})
const show = (messages: readonly ReturnType<typeof joinOf>[], permissions: number) =>
  renderAt(
    '/x',
    '/x',
    <Joined
      messages={messages}
      rights={{ meId: sessionOf().user.id, mobile_verified: true, permissions, canSend: true }}
      actions={{ react } as never}
    />,
    sessionOf().user,
  )
const waves = () => screen.queryAllByRole('button', { name: /招手/ })

test('who may not react sees how many waved and offers nothing else', () => {
  show([{ ...joinOf(1, '小满'), ...wave(3, false) }], 0)
  expect(waves().map(({ textContent }) => textContent)).toEqual(['👋3'])
  cleanup()
  show([joinOf(1, '小满')], 0)
  expect(waves()).toEqual([])
})

test('one does not wave to oneself', () => {
  show([joinOf(1, sessionOf().user.username, sessionOf().user.id)], MAY)
  expect(waves()).toEqual([])
})

test('a wave is a reaction to the welcome, and says that one waved', () => {
  show([joinOf(1, '小满')], MAY)
  press('向 小满 招手')
  expect(react).toHaveBeenCalledWith(expect.objectContaining({ type: 7 }), {
    id: '[#128075;]',
    name: '👋',
  })
  cleanup()
  show([{ ...joinOf(1, '小满'), ...wave(2, true) }], MAY)
  expect(waves()[0]?.getAttribute('aria-pressed')).toBe('true')
})

test('several are one line with two names and their number, and open', () => {
  show(
    ['张三', '北岛', '小满'].map((name, n) => joinOf(n + 1, name)),
    MAY,
  )
  expect(screen.queryByText(/欢迎 小满 加入/)).toBeNull()
  press('张三、北岛等 3 人加入了')
  expect(screen.getByText(/欢迎 小满 加入/)).toBeTruthy()
  expect(waves()).toHaveLength(3)
})

test('each welcome in a room names who joined', async () => {
  const messages = ['张三', '北岛'].map((name, n) => joinOf(n + 1, name))
  renderAt(
    '/x',
    '/x',
    <MessageRow
      message={messages[0]!}
      joined={messages}
      head
      isUnderDay
      now={0}
      context={context}
      rights={{ meId: sessionOf().user.id, mobile_verified: true, permissions: MAY, canSend: true }}
      actions={{ react } as never}
    />,
    sessionOf().user,
  )
  await pressSoon('张三、北岛 加入了')
  expect(waves().map((it) => it.ariaLabel ?? it.getAttribute('aria-label'))).toEqual([
    '向 张三 招手',
    '向 北岛 招手',
  ])
})
