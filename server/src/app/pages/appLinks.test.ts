import type { Failure } from '@guildhall/wire/failure.ts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import type { EndpointRequest } from '../../kit/http/endpoints.ts'
import { appLinkPages } from './appLinks.ts'

const FINGERPRINT = Array(32).fill('AB').join(':')

async function answerOf(name: string, env: Record<string, string>) {
  const page = appLinkPages(readConfig(env, '/srv/hall').app).find((it) => it.path === `/.well-known/${name}`)
  const reply = await page!.run({} as EndpointRequest)
  if (!('body' in reply)) throw new Error('no body')
  return { ...reply, body: JSON.parse(String(reply.body)) as unknown }
}

describe('the files of universal links and app links', () => {
  it.each(['apple-app-site-association', 'assetlinks.json'])(
    '%s does not exist without its variable',
    async (name) => {
      const refused = answerOf(name, { APP_SCHEME: 'hall', APP_IOS_URL: 'https://store.example/1' })
      await expect(refused).rejects.toMatchObject({ failure: 'not_found' } satisfies Partial<Failure>)
    },
  )

  it('the one of iOS names the app, and what stays on the web before what it opens', async () => {
    expect(
      await answerOf('apple-app-site-association', { APP_LINK_IOS: 'ABCDE12345.com.example.app' }),
    ).toEqual({
      status: 200,
      type: 'json',
      body: {
        applinks: {
          details: [
            {
              appIDs: ['ABCDE12345.com.example.app'],
              components: [
                { '/': '*', '?': { web: '*' }, exclude: true },
                { '/': '/channels/userlist/*', exclude: true },
                { '/': '/invite/?*' },
                { '/': '/user-invite/?*' },
                { '/': '/channels/?*' },
                { '/': '/oia' },
                { '/': '/oia/*' },
              ],
            },
          ],
        },
      },
    })
  })

  it('the one of Android names the package and its certificates', async () => {
    expect(await answerOf('assetlinks.json', { APP_LINK_ANDROID: `com.example.app ${FINGERPRINT}` })).toEqual(
      {
        status: 200,
        type: 'json',
        body: [
          {
            relation: ['delegate_permission/common.handle_all_urls'],
            target: {
              namespace: 'android_app',
              package_name: 'com.example.app',
              sha256_cert_fingerprints: [FINGERPRINT],
            },
          },
        ],
      },
    )
  })
})
