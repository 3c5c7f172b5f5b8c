import { expect, it } from 'vitest'
import { clientSystem, shownSystem } from './clientSystem.ts'

it('says nothing of a client that says nothing', () => {
  expect([clientSystem(undefined), clientSystem(''), clientSystem('curl/8')]).toEqual(['', '', ''])
})

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15', 'iOS'],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36', 'Android'],
  ['Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 ArkWeb/4', 'Android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Linux'],
])('reads %s as %s', (agent, system) => expect(clientSystem(agent)).toBe(system))

it('shows a desk before a phone, in any order of connections', () => {
  expect([shownSystem(['iOS', 'Windows']), shownSystem(['Windows', 'iOS']), shownSystem([])]).toEqual([
    'Windows',
    'Windows',
    '',
  ])
})
