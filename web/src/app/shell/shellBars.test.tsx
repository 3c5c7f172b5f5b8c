import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setShell } from '../../native/shell.ts'
import { leavePage, useNavigationBar, useOnShown } from '../../native/shellPage.ts'
import { fakeShell } from '../../testing/fakeShell.ts'
import { TopBar } from '../../ui/page/TopBar.tsx'
import { barTitle, followBars } from './shellBars.ts'

let it: ReturnType<typeof fakeShell>

beforeEach(async () => {
  history.replaceState(null, '', '/')
  it = fakeShell()
  setShell(it.shell)
  followBars(it.shell)
})
afterEach(() => {
  cleanup()
  setShell(null)
})

test('a title of a tab becomes one of a bar', () => {
  expect(barTitle('(99+) 私信 · 公会厅')).toBe('私信')
  expect(barTitle('公会厅')).toBe('公会厅')
  expect(barTitle('Devices · Guildhall')).toBe('Devices')
})

test('a screen without a way back has its title in the bar, one with its own bar hides it', async () => {
  document.title = '兑换码 · 公会厅'
  const { rerender } = render(<p>1</p>)
  await expect.poll(() => it.calls).toEqual([['show_navigation_bar', { title: '兑换码' }]])
  rerender(<TopBar title="成员" onBack={() => undefined} />)
  await expect.poll(() => it.calls.at(-1)).toEqual(['hide_navigation_bar', {}])
  rerender(<TopBar title="成员" />)
  await expect.poll(() => it.calls.at(-1)).toEqual(['show_navigation_bar', { title: '公会厅' }])
  expect(it.calls).toHaveLength(3)
})

function Form(props: { isDirty: boolean; onPress: () => void; onLeft?: () => void }) {
  useNavigationBar({
    title: '服务器资料',
    color: '#C62B3A',
    ...(props.isDirty && { action: { text: '保存', enabled: true, onPress: props.onPress } }),
    ...(props.onLeft && { onLeft: props.onLeft }),
  })
  return null
}

test('a page sets title, colour and action, and hears their taps; the bar is the usual one again after it', async () => {
  const pressed: string[] = []
  document.title = '公会厅'
  const { rerender } = render(<Form isDirty={false} onPress={() => pressed.push('too early')} />)
  await expect
    .poll(() => it.calls.at(-1))
    .toEqual(['show_navigation_bar', { title: '服务器资料', color: '#C62B3A' }])
  it.tell('on_click_navigation_right')
  rerender(<Form isDirty onPress={() => pressed.push('save')} onLeft={() => pressed.push('left')} />)
  await expect
    .poll(() => it.calls.at(-1))
    .toEqual([
      'show_navigation_bar',
      { title: '服务器资料', color: '#C62B3A', action: { text: '保存', enabled: true }, catch_left: true },
    ])
  it.tell('on_click_navigation_right')
  it.tell('on_click_navigation_left')
  expect(pressed).toEqual(['save', 'left'])
  rerender(<p />)
  await expect.poll(() => it.calls.at(-1)).toEqual(['show_navigation_bar', { title: '公会厅' }])
})

test('leaving closes the web view on its first page, and goes back on a later one', async () => {
  await leavePage()
  expect(it.calls.filter(([call]) => call === 'close_webview')).toHaveLength(1)
  history.pushState({ idx: 1 }, '', '/second')
  await leavePage()
  await expect.poll(() => location.pathname).toBe('/')
  expect(it.calls.filter(([call]) => call === 'close_webview')).toHaveLength(1)
})

test('a page that is shown again is told, and sets its bar again', async () => {
  let times = 0
  function Listening() {
    useOnShown(() => {
      times += 1
    })
    return null
  }
  document.title = '公会厅'
  render(<Listening />)
  await expect.poll(() => it.calls).toHaveLength(1)
  it.tell('on_webview_show')
  expect(times).toBe(1)
  await expect.poll(() => it.calls).toHaveLength(2)
})
