import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { withShowcase } from '../../demo/showcase.ts'
import { NO_FACE } from '../../site/site.ts'
import { appsCookieOf, siteInfoOf } from './siteInfo.ts'

const config = (env: Record<string, string>) => readConfig(env, '/srv/hall')
const FINGERPRINT = Array(32).fill('AB').join(':')

it('where the operator says that there is no app, there is none on any platform', () => {
  expect(appsCookieOf(config({ APP_SCHEME: '' }))).toBe('')
  expect(appsCookieOf(config({ DEMO: '0' }))).toBe('')
})

it('where nothing is said, the demo world has an app on phones, and pages know that it is the shell', () => {
  const shown = withShowcase(config({}))
  expect(appsCookieOf(shown)).toBe('ios.android.shell')
  expect(siteInfoOf(shown, NO_FACE)).toMatchObject({
    app: {
      scheme: 'guildhall-demo',
      ios_url: 'http://127.0.0.1:8080/dev/store/ios',
      android_url: 'http://127.0.0.1:8080/dev/store/android',
    },
    records: [{ text: expect.stringContaining('演示') }],
  })
})

it('what the operator says of the site stays beside the demo app', () => {
  expect(siteInfoOf(withShowcase(config({ SITE_CONTACT: 'hello' })), NO_FACE)).toMatchObject({
    contact: 'hello',
    copyright: '',
    records: [],
  })
})

it.each([
  [{ APP_SCHEME: 'hall' }, 'ios.android'],
  [{ APP_IOS_URL: 'https://store.example/1' }, 'ios'],
  [{ IOS_STORE_URL: 'https://store.example/1' }, 'ios'],
  [{ APP_LINK_IOS: 'ABCDE12345.com.example.app' }, 'ios'],
  [{ APP_LINK_ANDROID: `com.example.app ${FINGERPRINT}` }, 'android'],
])('with %j there is one on %j', (env, platforms) => {
  expect(appsCookieOf(withShowcase(config(env)))).toBe(platforms)
})

it('pages are told of the app and of the lines of the operator', () => {
  const received = siteInfoOf(
    config({
      APP_SCHEME: 'hall',
      WECHAT_OPEN_APP_ID: 'wx0123456789abcdef',
      APP_IOS_URL: 'https://store.example/1',
      APP_LINK_ANDROID: `com.example.app ${FINGERPRINT}`,
      SITE_RECORDS: '京ICP备1号 https://beian.example/; 京公网安备2号',
    }),
    NO_FACE,
  )
  expect(received).toEqual({
    app: {
      scheme: 'hall',
      version: '',
      ios_url: 'https://store.example/1',
      android_url: '',
      ios_links: false,
      android_package: 'com.example.app',
      wechat_app_id: 'wx0123456789abcdef',
    },
    contact: '',
    copyright: '',
    records: [
      { text: '京ICP备1号', url: 'https://beian.example/' },
      { text: '京公网安备2号', url: '' },
    ],
  })
})

it('the contact of the folder is shown where the variable says none', () => {
  const face = { ...NO_FACE, contact: 'club@example.com' }
  expect(siteInfoOf(config({}), face).contact).toBe('club@example.com')
  expect(siteInfoOf(config({ SITE_CONTACT: 'hello' }), face).contact).toBe('hello')
})
