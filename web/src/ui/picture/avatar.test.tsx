/** The face of a person: what moves, and the ring. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Avatar } from './Avatar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const person = {
  id: '7',
  username: '小满',
  avatar: 'https://cdn.example/still.png',
  vip_avatar: 'https://cdn.example/moving.gif',
}
const draw = (of: Parameters<typeof Avatar>[0]['of'], wantsLess = false) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: wantsLess && query.includes('reduced-motion') }))
  const face = render(<Avatar of={of} size={40} />).container.firstElementChild!
  return { face, src: face.querySelector('img')?.getAttribute('src') }
}

test('the picture of a member of BUFF moves, unless the reader wants less movement', () => {
  expect(draw(person).src).toBe(person.vip_avatar)
  expect(draw(person, true).src).toBe(person.avatar)
  expect(draw({ ...person, vip_avatar: undefined }).src).toBe(person.avatar)
})

test('without a picture there are the letters of the name that is shown', () => {
  expect(draw({ id: '7', username: 'ann', avatar: '' }).face.textContent).toBe('AN')
  expect(draw({ id: '7', username: 'ann', nickname: '小满', avatar: '' }).face.textContent).toBe('小')
})

test('a ring is around the face of who chose one, whether it is a picture or letters', () => {
  for (const avatar of [person.avatar, ''])
    expect(draw({ ...person, avatar, avatar_frame: 'dusk' }).face.classList.contains('frame-dusk')).toBe(true)
  expect(draw({ ...person, avatar_frame: '' }).face.className).not.toContain('frame')
})
