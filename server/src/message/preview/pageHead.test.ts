import { describe, expect, it } from 'vitest'
import { videoOf } from '../media/video.ts'
import { pageOf } from './pageHead.ts'

const url = new URL('https://www.news.example/a/b')
const read = (html: string | Buffer, charset: string | null = null, at = url) =>
  pageOf(typeof html === 'string' ? Buffer.from(html) : html, { url: at, charset })
/** 攻略 in GB 18030. */
const GB = Buffer.from('b9a5c2d4', 'hex')

describe('the metadata of a page is read', () => {
  it('as empty when it has none', () => {
    for (const html of ['', 'plain words', '<html><body><p>words</p>', '<title></title>', '\u0000\ufffd<'])
      expect([html, read(html).title]).toEqual([html, ''])
  })

  it('not from its body, nor from beyond the depth of any head', () => {
    expect(read('<body><meta property="og:title" content="x"><title>y</title>').title).toBe('')
    expect(read('<head></head><title>y</title>').title).toBe('')
    expect(read(`${'<i>'.repeat(100)}<title>y</title>`).title).toBe('')
  })

  it('in bounded time from half a megabyte of opened and closed tags', () => {
    const html = `${'<b>'.repeat(90_000)}${'</x>'.repeat(60_000)}`
    expect(read(html).title).toBe('')
    const many = `<meta ${'a=b '.repeat(100_000)}><title>at last</title>`
    expect(read(many).title).toBe('at last')
    const named = Array.from({ length: 9_000 }, (_, n) => `<meta name="n${n}" content="x">`).join('')
    expect(read(named).said.size).toBeLessThanOrEqual(200)
  })

  it('cleaned for display: one line, without bidirectional overrides, of bounded length', () => {
    const { title, description } = read(
      `<title>a\n\t\u202eb\u2066 &amp;\u0007 c</title><meta name=description content="${'长'.repeat(900)}">`,
    )
    expect(title).toBe('a b & c')
    expect(description.length).toBe(400)
    expect(description.endsWith('…')).toBe(true)
  })

  it('from OpenGraph before Twitter before other tags', () => {
    const html = `<html><head><title>Tab</title><meta name="description" content="plain">
      <meta name="twitter:title" content="Bird"><meta property="og:title" content="Graph &lt;b&gt;">
      <meta property="og:title" content="Second"><meta property="og:description" content="said">
      <meta property="og:site_name" content="News"><meta name="theme-color" content="#AbC">
      <meta property="og:image" content="/x.png?a=1&amp;b=2"></head>`
    expect(read(html)).toMatchObject({
      title: 'Graph <b>',
      description: 'said',
      siteName: 'News',
      themeColor: '#aabbcc',
      image: 'https://www.news.example/x.png?a=1&b=2',
    })
    const bare = read('<title>Tab</title><meta name=theme-color content="red;x:url(//e)">')
    expect(bare).toMatchObject({ title: 'Tab', description: '', siteName: 'news.example' })
    expect([bare.themeColor, bare.image]).toEqual(['', null])
    expect(read('<meta property=og:image content="javascript:alert(1)"><title>x</title>').image).toBeNull()
  })

  it('in the encoding of its byte order mark, else of the Content-Type, else of its own declaration', () => {
    const page = Buffer.concat([Buffer.from('<title>'), GB, Buffer.from('</title>')])
    expect(read(page, 'gb18030').title).toBe('攻略')
    expect(read(page, 'GBK').title).toBe('攻略')
    const head = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">'
    expect(read(Buffer.concat([Buffer.from(head), page])).title).toBe('攻略')
    expect(read(Buffer.concat([Buffer.from("<meta charset='gb18030'>"), page]), 'no-such').title).toBe('攻略')
    expect(read('<title>攻略</title>').title).toBe('攻略')
    expect(read('\ufeff<title>攻略</title>', 'gb18030').title).toBe('攻略')
    expect(read(Buffer.from('\ufeff<title>攻略</title>', 'utf16le')).title).toBe('攻略')
  })
})

describe('a video of the video site', () => {
  const film = (path: string, metas: string, host = 'www.bilibili.com') =>
    videoOf(read(metas, null, new URL(`https://${host}${path}`)))
  const length = '<meta property="og:video:duration" content="605">'

  it('is not found on another site or page, or without its number or duration', () => {
    expect(film('/video/av170001', length, 'bilibili.com.example')).toBeNull()
    expect(film('/read/cv170001', length)).toBeNull()
    expect(film('/video/av170001', '')).toBeNull()
    expect(film('/video/BV17x411w7KC', length)).toBeNull()
  })

  it('is recognized by its address, or by the metadata of its page', () => {
    const iframe_path = 'https://player.bilibili.com/player.html?aid=170001'
    const whole = { av_no: '170001', iframe_path, duration: 605 }
    expect(film('/video/av170001/', length)).toEqual(whole)
    const received = '<meta property="og:url" content="https://www.bilibili.com/video/av170001/">'
    const long = '<meta itemprop="duration" content="PT10M5S">'
    expect(film('/video/BV17x411w7KC', received + long, 'm.bilibili.com')).toEqual(whole)
  })
})
