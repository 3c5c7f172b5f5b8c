import { expect, test } from 'vitest'
import { loopbackOrigins } from './pages.ts'

test('a server that others reach has no other names', () => {
  expect(loopbackOrigins('https://hall.example')).toEqual([])
  expect(loopbackOrigins('http://192.168.1.5:8080')).toEqual([])
})

test('a server on this machine is reached by each name of the loopback', () => {
  const names = ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']
  for (const name of names) expect(loopbackOrigins(name)).toEqual(names)
  expect(loopbackOrigins('http://localhost')).toContain('http://127.0.0.1')
})
