import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, VARIABLES } from './config.ts'

const read = (env: Record<string, string>) => readConfig(env, '/srv/hall')

describe('a value that cannot work is refused in one line that names its variable', () => {
  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['HOST', 'http://localhost'],
    ['HOST', 'two words'],
    ['DATABASE_URL', 'mysql://root@localhost/x'],
    ['DATABASE_URL', 'guildhall'],
    ['DATABASE_READ_URL', 'guildhall'],
    // There is nothing that it would be a replica of.
    ['DATABASE_READ_URL', 'postgres://localhost/guildhall'],
    ['REDIS_URL', 'http://localhost'],
    // Nodes have to share their stores.
    ['REDIS_URL', 'redis://localhost'],
    ['PUBLIC_URL', 'guildhall.example.com'],
    ['PUBLIC_URL', 'https://example.com/chat'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['S3_BUCKET', 'hall'],
    ['S3_SECRET_ACCESS_KEY', 'secret'],
    ['DEMO', 'yes'],
    ['UPLOAD_DAILY_MB', '2 GB'],
    ['UPLOAD_DAILY_MB', '-1'],
    ['STAFF_DAILY_VALUE_FEN', '5000 yuan'],
    ['STAFF_BATCH_VALUE_FEN', '-1'],
    ['STAFF_PRICE_CHANGE_PERCENT', '1000001'],
    ['DISK_RESERVE_MB', '3000000'],
    ['FILES_EMBED_ORIGINS', 'wiki.example.com'],
    ['FILES_EMBED_ORIGINS', 'https://wiki.example.com/heroes'],
    ['FILES_EMBED_ORIGINS', '*'],
    ['FETCH_OUTSIDE', 'no'],
    ['CAPTCHA', 'sometimes'],
    ['REGISTRATION', 'pigeon'],
    ['REGISTRATION', 'sms;email'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['MAIL_FROM', 'no-reply@example.com'],
    ['SMS_PROVIDER', 'pigeon'],
    ['SMS_PROVIDER_2', 'outbox'],
    // The first one is missing.
    ['SMS_PROVIDER_2', 'tencent'],
    ['SMS_PREFIXES', '86;852'],
    ['SMS_PREFIXES', '0086'],
    ['SMS_DAILY_MAX', '0'],
    ['LOG_NETWORK', 'some'],
    ['SMS_DAILY_MAX', 'many'],
    ['SMS_RESERVED_SHARE', '100'],
    ['SMS_RESERVED_SHARE', 'most'],
    ['SMS_ENDPOINT', 'dysmsapi.aliyuncs.com'],
    // Half of what a provider needs.
    ['QQ_APP_ID', '101234567'],
    ['QQ_APP_KEY', 'secret'],
    ['QQ_ENDPOINT', 'http://127.0.0.1:9'],
    ['QQ_ENDPOINT', 'http://127.0.0.1:9/path'],
    ['WECHAT_APP_ID', 'wx1'],
    ['WECHAT_APP_SECRET', 'secret'],
    ['WECHAT_SITE_APP_ID', 'wx2'],
    ['WECHAT_SITE_APP_SECRET', 'secret'],
    ['WECHAT_ENDPOINT', 'http://127.0.0.1:9'],
    ['IOS_STORE_URL', 'itms-apps://x'],
    ['APP_IOS_URL', 'itms-apps://x'],
    ['APP_ANDROID_URL', 'market://x'],
    ['APP_SCHEME', 'guild://'],
    ['APP_SCHEME', 'javascript'],
    ['APP_SCHEME', 'intent'],
    ['APP_VERSION', 'v1'],
    ['APP_LINK_IOS', 'com.example.app'],
    ['APP_LINK_ANDROID', 'com.example.app'],
    ['APP_LINK_ANDROID', 'com.example.app 14:6D'],
    ['WECHAT_OPEN_APP_ID', 'com.example.app'],
    ['WECHAT_OPEN_APP_ID', 'wx0123456789ABCDEF"><script>'],
    ['GOLIVE_VIDEO', 'https://cdn.example/golive.mp4'],
    ['GOLIVE_VIDEO', '//cdn.example/golive.mp4'],
    ['GOLIVE_VIDEO_COVER', 'cover.png'],
    ['SITE_CONTACT', 'x'.repeat(201)],
    ['SITE_COPYRIGHT', 'a\nb'],
    ['SITE_RECORDS', '京ICP备1号 javascript://x'],
    ['TRUSTED_LINK_HOSTS', 'https://example.com'],
    ['TRUSTED_LINK_HOSTS', 'com'],
    ['ANDROID_VERSION', 'newest'],
    ['METRICS_TOKEN', 'short'],
    ['RATE_LIMIT_SCALE', '0'],
    ['RATE_LIMIT_SCALE', 'fast'],
    ['METRICS_TOKEN', 'a token of many words'],
    ['OUTBOX_TOKEN', 'short'],
    ['NODE_ENV', 'prod'],
  ])('%s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(ConfigError)
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
  })

  it.each([{}, { SMS_PROVIDER: 'outbox' }])(
    'production without a provider of SMS refuses with %j, in one line with the variables to set',
    (env) => {
      const start = () => read({ NODE_ENV: 'production', ...env })
      expect(start).toThrow(ConfigError)
      expect(start).toThrow(/^SMS_PROVIDER [^\n]*production[^\n]*\.$/)
      for (const { name } of VARIABLES.filter((each) => /^(?:ALIYUN|TENCENT)_(?!.*ABROAD)/.test(each.name)))
        expect(start).toThrow(name)
    },
  )

  it('production without captchas refuses, and development does not', () => {
    const sms = {
      SMS_PROVIDER: 'aliyun',
      ALIYUN_ACCESS_KEY_ID: 'LTAI',
      ALIYUN_ACCESS_KEY_SECRET: 's',
      ALIYUN_SMS_SIGN_NAME: 'hall',
      ALIYUN_SMS_TEMPLATE_CODE: 'SMS_1',
    }
    expect(() => read({ NODE_ENV: 'production', CAPTCHA: 'never', ...sms })).toThrow(/^CAPTCHA[^\n]*\.$/)
    expect(read({ NODE_ENV: 'production', ...sms }).captcha).toBe('auto')
    expect(read({ CAPTCHA: 'never' }).captcha).toBe('never')
  })

  it('a refused DATABASE_URL is not repeated, for it may hold a password', () => {
    expect(() => read({ DATABASE_URL: 'http://u:hunter2@h/d' })).not.toThrow(/hunter2/)
  })
})

describe('a provider of SMS', () => {
  const aliyun = {
    ALIYUN_ACCESS_KEY_ID: 'LTAI',
    ALIYUN_ACCESS_KEY_SECRET: 'hunter2',
    ALIYUN_SMS_SIGN_NAME: '公会厅',
    ALIYUN_SMS_TEMPLATE_CODE: 'SMS_1',
  }
  const tencent = {
    TENCENT_SECRET_ID: 'AKID',
    TENCENT_SECRET_KEY: 'hunter3',
    TENCENT_SMS_APP_ID: '1400',
    TENCENT_SMS_SIGN_NAME: '公会厅',
    TENCENT_SMS_TEMPLATE_ID: '30',
  }
  const both = {
    NODE_ENV: 'production',
    SMS_PROVIDER: 'tencent',
    SMS_PROVIDER_2: 'aliyun',
    ...aliyun,
    ...tencent,
  }

  it.each([...Object.keys(aliyun), ...Object.keys(tencent)])(
    'without %s is refused, naming it, and no secret',
    (name) => {
      const start = () => read({ ...both, [name]: '' })
      expect(start).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
      expect(start).not.toThrow(/hunter/)
    },
  )

  it('twice the same is refused', () => {
    expect(() => read({ ...both, SMS_PROVIDER_2: 'tencent' })).toThrow(/^SMS_PROVIDER_2 /)
  })

  it('is used in production, the first one first, with a bound a day', () => {
    const { sms } = read({ ...both, SMS_PREFIXES: '86, +852,86', TENCENT_SMS_TEMPLATE_ID_ABROAD: '31' })
    expect(sms).toMatchObject({
      providers: [
        { name: 'tencent', secretKey: 'hunter3', templateId: '30', templateAbroad: '31' },
        { name: 'aliyun', accessKeySecret: 'hunter2', templateCode: 'SMS_1', templateAbroad: 'SMS_1' },
      ],
      prefixes: ['86', '852'],
      dailyMax: 10_000,
      reservedShare: 40,
      endpoint: null,
    })
    expect(read({ ...both, SMS_DAILY_MAX: '50' }).sms.dailyMax).toBe(50)
  })
})

it('other sites that may show files are origins', () => {
  expect(read({}).filesEmbedOrigins).toEqual([])
  expect(
    read({ FILES_EMBED_ORIGINS: 'https://wiki.example.com, http://localhost:3000/' }).filesEmbedOrigins,
  ).toEqual(['https://wiki.example.com', 'http://localhost:3000'])
})

describe('an S3 store', () => {
  const whole = {
    S3_ENDPOINT: 'https://{bucket}.s3.example.com',
    S3_BUCKET: 'hall',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'hunter2',
  }

  it.each(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])(
    'without %s is refused, naming the variable',
    (name) => {
      expect(() => read({ ...whole, [name]: '' })).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
    },
  )

  it.each(['s3.example.com', 'ftp://s3.example.com', 'https://u:hunter2@s3.example.com'])(
    'at %s is refused without repeating it',
    (endpoint) => {
      expect(() => read({ ...whole, S3_ENDPOINT: endpoint })).toThrow(/^S3_ENDPOINT (?!.*hunter2)/)
    },
  )

  it('is one place for uploads: a directory that nodes share is another', () => {
    expect(() => read({ ...whole, UPLOADS_SHARED_DIR: '/mnt/uploads' })).toThrow(
      /^UPLOADS_SHARED_DIR and S3_ENDPOINT/,
    )
    expect(read({ UPLOADS_SHARED_DIR: 'shared' }).uploadsSharedDir).toBe(path.resolve('/srv/hall/shared'))
  })

  it('is used when it is complete', () => {
    expect(read(whole).s3).toEqual({
      endpoint: 'https://{bucket}.s3.example.com',
      bucket: 'hall',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'hunter2',
    })
  })
})

it('a Redis Cluster is named by some of its servers, and a wrong address is refused without repeating it', () => {
  const nodes = { DATABASE_URL: 'postgres://db.example.com/hall' }
  const refused = () => read({ ...nodes, REDIS_URL: 'redis+cluster://u:hunter2@a:7000,b:port' })
  expect(refused).toThrow(/^REDIS_URL must look like (?!.*hunter2)/)
  expect(read({ ...nodes, REDIS_URL: 'redis+cluster://u:hunter2@a:7000,b:7001' }).redis).toEqual({
    isCluster: true,
    urls: ['redis://u:hunter2@a:7000', 'redis://u:hunter2@b:7001'],
  })
})

it('guests see recommended guilds where the operator says so, and in the demo world', () => {
  expect(read({ DEMO: '0' }).showsPublicGuilds).toBe(false)
  expect(read({ PUBLIC_GUILDS: '0' }).showsPublicGuilds).toBe(false)
  expect(read({ DEMO: '0', PUBLIC_GUILDS: '1' }).showsPublicGuilds).toBe(true)
})

it('an empty environment is one development node on port 8080 with the demo world', () => {
  expect(read({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: path.resolve('/srv/hall/data'),
    databaseUrl: null,
    databaseReadUrl: null,
    redis: null,
    publicUrl: 'http://127.0.0.1:8080',
    uploadDailyMb: 2048,
    diskReserveMb: 512,
    fetchOutside: true,
    filesEmbedOrigins: [],
    demo: true,
    registration: { ways: ['sms'], smtp: null },
    sms: { providers: [], endpoint: null, prefixes: ['86'], dailyMax: null, reservedShare: 40 },
    captcha: 'auto',
    thirdParties: { qq: null, weixin: null },
    app: {
      scheme: '',
      version: '',
      iosUrl: '',
      androidUrl: '',
      iosLink: '',
      androidLink: null,
      wechatId: '',
    },
    site: {
      contact: '',
      copyright: '',
      records: [],
      trustedLinkHosts: [],
      goliveVideo: { cover: '', url: '' },
    },
    siteDir: null,
    hasSiteMap: false,
    showsPublicGuilds: true,
    apps: { ios: { url: '', version: '' }, android: { url: '', version: '' } },
    outboxToken: null,
    rateLimitScale: 1,
    logNetwork: 'short',
    s3: null,
    uploadsSharedDir: null,
    trustedProxies: [],
    staffAddresses: [],
    staffBounds: { batchFen: 50_000, dayFen: 500_000, pricePercent: 20 },
    metricsToken: null,
    keys: { secret: null, former: null, file: '/srv/hall/data.keys' },
    realName: { tencent: null, endpoint: null, isLocal: true, key: null },
    pay: { wechat: null, alipay: null, apple: null, sandbox: { port: 0 }, inBrowser: false },
    contentReview: { service: null, whenDown: 'hold' },
    clockOffsetMs: 0,
    production: false,
    hasDemoApp: true,
  })
})

it('proxies are addresses and networks', () => {
  expect(read({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1' }).trustedProxies).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    '::1',
  ])
})

it('an empty value counts as unset, but of the app it says that there is none', () => {
  const empty = read(Object.fromEntries(VARIABLES.map(({ name }) => [name, ' '])))
  expect(empty).toEqual({ ...read({}), hasDemoApp: false })
})

it('the demo app is there in a demo world of development, as long as nothing is said of an app', () => {
  expect(read({}).hasDemoApp).toBe(true)
  expect(read({ DEMO: '0' }).hasDemoApp).toBe(false)
  expect(read({ APP_IOS_URL: 'https://store.example/1' }).hasDemoApp).toBe(false)
  expect(read({ ANDROID_VERSION: '1.2' }).hasDemoApp).toBe(false)
})

it('links follow HOST and PORT unless PUBLIC_URL is set', () => {
  expect(read({ HOST: '0.0.0.0', PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  expect(read({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]')
  expect(read({ PUBLIC_URL: 'https://hall.example/' }).publicUrl).toBe('https://hall.example')
})

it('an absolute DATA_DIR stays where it is', () => {
  expect(read({ DATA_DIR: '/mnt/公会 厅' }).dataDir).toBe(path.resolve('/mnt/公会 厅'))
})

it('DEMO=0 leaves the database empty', () => {
  expect(read({ DEMO: '0' }).demo).toBe(false)
})

describe('a provider of logins that is half configured', () => {
  it.each([
    ['QQ_APP_KEY', { QQ_APP_ID: '1' }],
    ['QQ_APP_ID', { QQ_APP_KEY: 'k' }],
    ['WECHAT_APP_SECRET', { WECHAT_APP_ID: 'wx1' }],
    ['WECHAT_APP_ID', { WECHAT_APP_SECRET: 's' }],
    ['WECHAT_SITE_APP_SECRET', { WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 's', WECHAT_SITE_APP_ID: 'wx2' }],
    ['WECHAT_APP_ID', { WECHAT_SITE_APP_ID: 'wx2', WECHAT_SITE_APP_SECRET: 's' }],
  ])('is refused with %s, which is missing', (name, env) => {
    expect(() => read(env as Record<string, string>)).toThrow(`${name} is missing`)
  })

  it('is on with both, and off without', () => {
    expect(read({}).thirdParties).toEqual({ qq: null, weixin: null })
    expect(read({ WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 's' }).thirdParties.weixin).toEqual({
      account: { appId: 'wx1', secret: 's' },
      site: { appId: 'wx1', secret: 's' },
      endpoint: null,
    })
  })
})

it('the video of screen sharing is a path on this server', () => {
  const named = read({ GOLIVE_VIDEO: '/media/golive.mp4', GOLIVE_VIDEO_COVER: '/media/cover%201.webp' })
  expect(named.site.goliveVideo).toEqual({ url: '/media/golive.mp4', cover: '/media/cover%201.webp' })
})

describe('the ways to register', () => {
  const production = { NODE_ENV: 'production', KEYS_SECRET: Buffer.alloc(32, 1).toString('base64') }

  it('by mail need a mail server in production, and the sender’s address with it', () => {
    const email = { ...production, REGISTRATION: 'email' }
    expect(() => read(email)).toThrow(/^REGISTRATION has email, and SMTP_URL is not set[^\n]*MAIL_FROM\.$/)
    expect(() => read({ ...email, SMTP_URL: 'smtp://mail.example.com' })).toThrow(/^MAIL_FROM is missing/)
    const smtp = { SMTP_URL: 'smtps://u:p@mail.example.com:465', MAIL_FROM: '公会厅 <ann@example.com' }
    expect(() => read({ ...email, ...smtp })).toThrow(/^MAIL_FROM must be/)
  })

  it('without numbers need nobody who sends SMS', () => {
    const smtp = { SMTP_URL: 'smtp://mail.example.com:587', MAIL_FROM: '公会厅 <ann@example.com>' }
    const by = (REGISTRATION: string) => read({ ...production, ...smtp, REGISTRATION }).registration
    expect(by('email, invite,email')).toEqual({
      ways: ['email', 'invite'],
      smtp: { url: smtp.SMTP_URL, from: smtp.MAIL_FROM },
    })
    expect(by('invite').ways).toEqual(['invite'])
    expect(() => by('email,sms')).toThrow(/^SMS_PROVIDER is not set/)
  })
})
