import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { keepSnapshots } from './snapshot.ts'

beforeEach(() => {
  localStorage.clear()
  writeStored('auth', { id: '7', username: '阿宁', identify_num: '0007', avatar: '', mobile_verified: true })
  document.documentElement.dataset.build = 'b1'
  history.replaceState(null, '', '/channels/10/20')
  document.body.innerHTML = `<div id="root"><div data-part="room" data-enters="forward">
    <p>今晚八点</p><video src="/a.mp4"></video>
    <form><button>Aa</button><textarea data-part="composer-input"></textarea></form></div></div>`
  keepSnapshots()
})
afterEach(() => vi.restoreAllMocks())

/** Somebody looks elsewhere: what was kept of the room. */
function leave() {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  return readStored('snapshot')
}

test('a room under something else is not kept, and an older picture of it goes', () => {
  expect(leave()?.html).toContain('今晚八点')
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>')
  expect(leave()).toBeNull()
})

test('other pages, searches in a room and nobody’s rooms are not kept', () => {
  for (const path of ['/channels/10', '/account', '/channels/10/20?search=a']) {
    history.replaceState(null, '', path)
    expect(leave()).toBeNull()
  }
  history.replaceState(null, '', '/channels/10/20')
  writeStored('auth', null)
  expect(leave()).toBeNull()
})

test('a room whose styles the network has not carried is not kept', () => {
  const sheet = {
    href: `${location.origin}/assets/a.css`,
    get cssRules(): never {
      throw new DOMException('Cannot access rules', 'SecurityError')
    },
  }
  vi.spyOn(document, 'styleSheets', 'get').mockReturnValue([sheet] as never)
  expect(leave()).toBeNull()
})

test('what is typed is in it, and nothing that plays, can be written into or comes later', () => {
  document.querySelector('textarea')!.value = '等我'
  const html = leave()!.html
  expect(html).toMatch(/<textarea[^>]* readonly[^>]*>等我<\/textarea>/)
  expect(html).not.toContain('a.mp4')
  expect(html).not.toContain('Aa')
  expect(document.querySelector('textarea')!.hasAttribute('readonly')).toBe(false)
})
