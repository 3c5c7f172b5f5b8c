import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { TopBar } from '../page/TopBar.tsx'
import { Dialog } from './Dialog.tsx'
import { Sheet } from './Sheet.tsx'

afterEach(() => {
  cleanup()
  document.querySelector('meta[name="theme-color"]')?.remove()
})

const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

function Pages() {
  const [isSecond, setIsSecond] = useState(false)
  return (
    <Sheet title="两页" onClose={() => undefined}>
      {isSecond ? (
        <p>第二页</p>
      ) : (
        <button type="button" onClick={() => setIsSecond(true)}>
          下一页
        </button>
      )}
    </Sheet>
  )
}

test('the focus stays in a sheet whose focused part is replaced', () => {
  render(<Pages />)
  const next = screen.getByRole('button', { name: '下一页' })
  next.focus()
  fireEvent.click(next)
  expect(screen.getByText('第二页')).toBeTruthy()
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
})

function Two() {
  const [open, setOpen] = useState({ sheet: true, dialog: true })
  return (
    <>
      {open.sheet && (
        <Sheet title="下层" onClose={() => setOpen({ ...open, sheet: false })}>
          {null}
        </Sheet>
      )}
      {open.dialog && (
        <Dialog title="上层" message="" confirm="好" onClose={() => setOpen({ ...open, dialog: false })} />
      )}
    </>
  )
}

test('Escape closes the top layer only, wherever the focus is', () => {
  render(<Two />)
  ;(document.activeElement as HTMLElement).blur()
  pressEscape()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByRole('dialog', { name: '下层' })).toBeTruthy()
  pressEscape()
  expect(screen.queryByRole('dialog')).toBeNull()
})

function Opened({ layer }: { layer: 'sheet' | 'dialog' }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        打开
      </button>
      {isOpen && layer === 'sheet' && (
        <Sheet title="层" onClose={close}>
          {null}
        </Sheet>
      )}
      {isOpen && layer === 'dialog' && <Dialog title="层" message="" confirm="好" onClose={close} />}
    </>
  )
}

test.each(['sheet', 'dialog'] as const)('a closed %s gives the focus back to what opened it', (layer) => {
  render(<Opened layer={layer} />)
  const opener = screen.getByRole('button', { name: '打开' })
  opener.focus()
  fireEvent.click(opener)
  expect(document.activeElement).not.toBe(opener)
  pressEscape()
  expect(document.activeElement).toBe(opener)
})

test("the browser's bar has the colour of the page's own top bar, and of its ground without one", () => {
  const bar = document.createElement('meta')
  bar.name = 'theme-color'
  bar.dataset.light = '#F3F5F7 #FFFFFF'
  document.head.append(bar)
  const { unmount } = render(<TopBar title="登录" />, { wrapper: MemoryRouter })
  expect(bar.content).toBe('#FFFFFF')
  unmount()
  expect(bar.content).toBe('#F3F5F7')
})
