import { afterEach, expect, test } from 'vitest'
import { sharedOf, signedAddress } from './weixin.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) MicroMessenger/8.0.44'
const ANDROID = 'Mozilla/5.0 (Linux; Android 13) Chrome/109 Mobile Safari/537.36 MicroMessenger/8.0.44'

afterEach(() => {
  document.head.innerHTML = ''
})

function head(html: string) {
  document.head.innerHTML = html
}
const at = (pathname: string) => ({ origin: 'https://guild.example', pathname })

test('an invite is shared with what the server wrote for chat apps, and without its query', () => {
  head(`<title>加入「夜行者」 · 公会厅</title>
    <meta property="og:title" content="加入「夜行者」"><meta property="og:description" content="南枝 邀请你加入「夜行者」">
    <meta property="og:image" content="https://guild.example/a.png"><meta property="og:url" content="https://guild.example/invite/abcdef">`)
  expect(sharedOf(document, at('/invite/abcdef'))).toEqual({
    title: '加入「夜行者」',
    desc: '南枝 邀请你加入「夜行者」',
    link: 'https://guild.example/invite/abcdef',
    imgUrl: 'https://guild.example/a.png',
  })
})

test('a page that went on from an invite is shared as itself', () => {
  head(`<title>夜行者</title><meta name="description" content="公会聊天">
    <meta property="og:title" content="加入「夜行者」"><meta property="og:url" content="https://guild.example/invite/abcdef">`)
  expect(sharedOf(document, at('/channels/1'))).toEqual({
    title: '夜行者',
    desc: '公会聊天',
    link: 'https://guild.example/channels/1',
    imgUrl: 'https://guild.example/share.png',
  })
})

test.each([
  ['Android checks the address that is shown', ANDROID, 'https://g.example/b?x=1'],
  ['iOS checks the address that the page was loaded with', PHONE, 'https://g.example/a'],
])('%s, without its fragment', (_name, userAgent, signed) => {
  expect(signedAddress(userAgent, 'https://g.example/b?x=1#y', 'https://g.example/a#z')).toBe(signed)
})
