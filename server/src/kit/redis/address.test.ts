import { expect, it } from 'vitest'
import { hostsOf, parseRedisUrl, urlOfPeer } from './address.ts'

it.each([
  'cache.example.com',
  'http://cache.example.com',
  'redis+cluster://',
  'redis+cluster:///0',
  'redis+cluster://a:7000,',
  'redis+cluster://a:7000,,b:7000',
  'redis+cluster://a:7000,b:port',
  'redis+cluster://a:7000/1',
  'redis+cluster://user@a:7000@b:7000',
  'redis+sentinel://a:7000',
])('%s is no address', (text) => {
  expect(parseRedisUrl(text)).toBeNull()
})

it('one server is used as it is written', () => {
  const url = 'rediss://user:pass@cache.example.com:6380/2?family=6'
  expect(parseRedisUrl(url)).toEqual({ isCluster: false, urls: [url] })
})

it('a cluster has several servers, which share user, password and TLS', () => {
  expect(parseRedisUrl('redis+cluster://a:7000')).toEqual({ isCluster: true, urls: ['redis://a:7000'] })
  const address = parseRedisUrl('rediss+cluster://user:p%40ss@a:7000,[::1]:7001,c/')
  expect(address).toEqual({
    isCluster: true,
    urls: ['rediss://user:p%40ss@a:7000', 'rediss://user:p%40ss@[::1]:7001', 'rediss://user:p%40ss@c'],
  })
  expect(hostsOf(address!)).toBe('a:7000, [::1]:7001, c')
})

it('another server of a cluster is reached with the same user, password and TLS', () => {
  expect(urlOfPeer('rediss://user:p%40ss@a:7000', '10.0.0.7', 7001)).toBe(
    'rediss://user:p%40ss@10.0.0.7:7001',
  )
  expect(urlOfPeer('redis://:secret@a:7000', '::1', 7001)).toBe('redis://:secret@[::1]:7001')
  expect(urlOfPeer('redis://a', 'b', 7001)).toBe('redis://b:7001')
})
