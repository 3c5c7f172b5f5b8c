/** An environment variable and its description for operators; `docs/config.md` is generated from these. */
export interface Variable {
  readonly name: string
  readonly meaning: string
  readonly default: string
  readonly example: string
}

/** Every variable that the program reads, in the order of `docs/config.md`. */
export const VARIABLES = [
  {
    name: 'PORT',
    meaning: 'The TCP port that serves the page, the API and the gateway. 0 takes a free one.',
    default: '8080',
    example: '80',
  },
  {
    name: 'HOST',
    meaning:
      'The address to listen on. Use `0.0.0.0` or `::` to be reachable from other machines, such as a phone.',
    default: '127.0.0.1',
    example: '0.0.0.0',
  },
  {
    name: 'DATA_DIR',
    meaning: 'Directory of the embedded database, uploads and generated keys. Created when missing.',
    default: './data',
    example: '/var/lib/guildhall/data',
  },
  {
    name: 'DATABASE_URL',
    meaning:
      'A PostgreSQL to use, 14 or newer. Unset: PostgreSQL is embedded and keeps its files in `DATA_DIR`.',
    default: '(unset)',
    example: 'postgres://guildhall:secret@db.example.com:5432/guildhall',
  },
  {
    name: 'DATABASE_READ_URL',
    meaning:
      'A streaming replica of `DATABASE_URL`, or a proxy before several, on which history and searches of messages are read once it has what was committed before (docs/operations.md "A read replica"). Unset, or while it is late or away: they are read from the primary.',
    default: '(unset)',
    example: 'postgres://guildhall:secret@replica.example.com:5432/guildhall',
  },
  {
    name: 'REDIS_URL',
    meaning:
      'A Redis 7 or Valkey through which several nodes on one `DATABASE_URL` form one system; `rediss://` with TLS. A Redis Cluster is `redis+cluster://user:password@host:6379,host:6379` (`rediss+cluster://` with TLS), with some of its servers. Unset: this node is alone.',
    default: '(unset)',
    example: 'redis://cache.example.com:6379',
  },
  {
    name: 'PUBLIC_URL',
    meaning:
      'The address people use, as it appears in invite links. No path, no trailing slash. Without it only addresses of this machine are believed.',
    default: 'http://HOST:PORT (`localhost` when HOST means every address)',
    example: 'https://guildhall.example.com',
  },
  {
    name: 'DEMO',
    meaning: '1 seeds the demo world into an empty database, 0 leaves it empty.',
    default: '1, and 0 when NODE_ENV is `production`',
    example: '0',
  },
  {
    name: 'REGISTRATION',
    meaning:
      'By what one registers and logs in, separated by commas, in the order in which pages offer it: `sms` (a number and a code), `email` (an address and a code, or a password), `invite` (an invite link and a password; one logs in with `name#1234`). A number or address of any way that is on verifies a person; with `invite` alone everybody counts as verified.',
    default: 'sms',
    example: 'email,invite',
  },
  {
    name: 'SMTP_URL',
    meaning:
      'The server that sends the mail of REGISTRATION=email: `smtps://user:password@host:465`, or `smtp://host:587`, which turns to TLS where the server offers it. Unset: mail is shown at `GET /dev/mailbox`, as the outbox shows SMS; with `email` the server does not start without it when NODE_ENV is `production`.',
    default: '(unset)',
    example: 'smtps://guildhall:secret@mail.example.com:465',
  },
  {
    name: 'MAIL_FROM',
    meaning: 'The sender of that mail: an address, or a name and an address.',
    default: '(unset)',
    example: '公会厅 <no-reply@example.com>',
  },
  {
    name: 'SMS_PROVIDER',
    meaning:
      'The provider of verification codes: `aliyun` (Alibaba Cloud), `tencent` (Tencent Cloud), each with its variables below, or `outbox`, which shows them at `GET /dev/outbox`, for development; the server does not start with it when NODE_ENV is `production`.',
    default: 'outbox',
    example: 'aliyun',
  },
  {
    name: 'SMS_PROVIDER_2',
    meaning: 'The provider that is asked when the first one fails: `aliyun` or `tencent`.',
    default: '(unset)',
    example: 'tencent',
  },
  {
    name: 'SMS_PREFIXES',
    meaning:
      'Dialing prefixes that codes are sent to, separated by commas, without `+`. Each but the first gets at most 100 codes an hour. `1` includes the Caribbean.',
    default: '86',
    example: '86, 852, 853',
  },
  {
    name: 'SMS_DAILY_MAX',
    meaning:
      'Messages a day at most, all nodes together; then codes are refused until midnight of the server’s time zone. Set an alarm well below it.',
    default: '10000, and no bound with the outbox',
    example: '2000',
  },
  {
    name: 'SMS_RESERVED_SHARE',
    meaning:
      'Percent of `SMS_DAILY_MAX` that strangers leave to numbers that have an account. Once half of the day’s messages are gone, a code costs a captcha where the number is not logged in.',
    default: '40',
    example: '60',
  },
  {
    name: 'SMS_ENDPOINT',
    meaning: 'Another address of the providers’ API, for tests.',
    default: '(the provider’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'CAPTCHA',
    meaning:
      'When a captcha is asked for before a code is sent or somebody logs in: `auto`, after failures and where codes or numbers are many; `always`; or `never`, with which the server does not start when NODE_ENV is `production`.',
    default: 'auto',
    example: 'always',
  },
  {
    name: 'ALIYUN_ACCESS_KEY_ID',
    meaning: 'The access key of a RAM user of Alibaba Cloud that may call `dysms:SendSms`.',
    default: '(unset)',
    example: 'LTAI5tExample',
  },
  {
    name: 'ALIYUN_ACCESS_KEY_SECRET',
    meaning: 'The secret that belongs to `ALIYUN_ACCESS_KEY_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'ALIYUN_SMS_SIGN_NAME',
    meaning: 'The approved signature of the messages.',
    default: '(unset)',
    example: '公会厅',
  },
  {
    name: 'ALIYUN_SMS_TEMPLATE_CODE',
    meaning: 'The approved template; its only variable is `code`.',
    default: '(unset)',
    example: 'SMS_123456789',
  },
  {
    name: 'ALIYUN_SMS_TEMPLATE_CODE_ABROAD',
    meaning: 'The template for numbers outside of China.',
    default: 'that of ALIYUN_SMS_TEMPLATE_CODE',
    example: 'SMS_987654321',
  },
  {
    name: 'TENCENT_SECRET_ID',
    meaning: 'The secret id of a user of Tencent Cloud that may call `sms:SendSms`.',
    default: '(unset)',
    example: 'AKIDexample',
  },
  {
    name: 'TENCENT_SECRET_KEY',
    meaning: 'The key that belongs to `TENCENT_SECRET_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'TENCENT_SMS_APP_ID',
    meaning: 'The application of the SMS console (SdkAppId).',
    default: '(unset)',
    example: '1400006666',
  },
  {
    name: 'TENCENT_SMS_SIGN_NAME',
    meaning: 'The approved signature of the messages.',
    default: '(unset)',
    example: '公会厅',
  },
  {
    name: 'TENCENT_SMS_TEMPLATE_ID',
    meaning: 'The approved template; its only variable is the code.',
    default: '(unset)',
    example: '449739',
  },
  {
    name: 'TENCENT_SMS_TEMPLATE_ID_ABROAD',
    meaning: 'The template for numbers outside of China.',
    default: 'that of TENCENT_SMS_TEMPLATE_ID',
    example: '449740',
  },
  {
    name: 'QQ_APP_ID',
    meaning:
      'The APP ID of a website application at QQ Connect; with `QQ_APP_KEY` it turns QQ login on. Without QQ and WeChat, a server that shows codes has an identity provider of its own at `/dev/identity`, for development.',
    default: '(unset)',
    example: '101234567',
  },
  {
    name: 'QQ_APP_KEY',
    meaning: 'The APP Key that belongs to `QQ_APP_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'QQ_ENDPOINT',
    meaning: 'Another address of QQ Connect, for tests.',
    default: '(QQ’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'WECHAT_APP_ID',
    meaning:
      'The AppID of an official account (服务号) at WeChat; with `WECHAT_APP_SECRET` it turns WeChat login and `wx-sign` on.',
    default: '(unset)',
    example: 'wx0123456789abcdef',
  },
  {
    name: 'WECHAT_APP_SECRET',
    meaning: 'The AppSecret that belongs to `WECHAT_APP_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'WECHAT_SITE_APP_ID',
    meaning:
      'The AppID of a website application (网站应用) at WeChat’s open platform, for logins outside of WeChat’s browser. Bind both to one open-platform account, else one person is two.',
    default: 'that of WECHAT_APP_ID',
    example: 'wxfedcba9876543210',
  },
  {
    name: 'WECHAT_SITE_APP_SECRET',
    meaning: 'The AppSecret that belongs to `WECHAT_SITE_APP_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'WECHAT_ENDPOINT',
    meaning: 'Another address of WeChat’s pages and API, for tests.',
    default: '(WeChat’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'REAL_NAME_SECRET_ID',
    meaning:
      'The secret id of a user of Tencent Cloud that may call `faceid:IdCardVerification`: people verify their real name by it. Unset: a local service answers, and in production nobody does.',
    default: '(unset)',
    example: 'AKIDexample',
  },
  {
    name: 'REAL_NAME_SECRET_KEY',
    meaning: 'The key that belongs to `REAL_NAME_SECRET_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'REAL_NAME_ENDPOINT',
    meaning: 'Another address of the service of real names, for tests.',
    default: '(Tencent Cloud’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'KEYS_FILE',
    meaning:
      'The file of the keys that seal data (second factors), not in `DATA_DIR` and in no backup: keep a copy. `cli keys create` makes it; outside of production the start does. Several nodes share it, or have `KEYS_SECRET`.',
    default: 'DATA_DIR with `.keys` after it, beside it',
    example: '/var/lib/guildhall-keys/keys',
  },
  {
    name: 'KEYS_SECRET',
    meaning:
      'The key that seals data, 32 bytes in base64, instead of `KEYS_FILE`. Keep a copy. The same on every node.',
    default: '(unset: KEYS_FILE)',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  },
  {
    name: 'KEYS_SECRET_OLD',
    meaning: 'The one that was `KEYS_SECRET` before, until `cli keys rotate` has sealed everything again.',
    default: '(unset)',
    example: 'EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=',
  },
  {
    name: 'REAL_NAME_KEY',
    meaning:
      'The key that seals real names, 32 bytes in base64. It is not in the database or its backups: keep a copy. Several nodes need it; one node makes `keys/real-name.key` in `DATA_DIR`.',
    default: '(a file in DATA_DIR)',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  },
  {
    name: 'CONTENT_REVIEW',
    meaning:
      'The service that reviews texts and pictures before others see them: `tencent` (Tencent Cloud’s TMS and IMS), or `local`, for development; the server does not start with it when NODE_ENV is `production`. Unset: none, and word rules alone count.',
    default: '(unset)',
    example: 'tencent',
  },
  {
    name: 'CONTENT_REVIEW_SECRET_ID',
    meaning:
      'The secret id of a user of Tencent Cloud that may call `tms:TextModeration` and `ims:ImageModeration`.',
    default: '(unset)',
    example: 'AKIDexample',
  },
  {
    name: 'CONTENT_REVIEW_SECRET_KEY',
    meaning: 'The key that belongs to `CONTENT_REVIEW_SECRET_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'CONTENT_REVIEW_REGION',
    meaning: 'The region of Tencent Cloud that is asked.',
    default: 'ap-guangzhou',
    example: 'ap-shanghai',
  },
  {
    name: 'CONTENT_REVIEW_TEXT_POLICY',
    meaning: 'The number (BizType) of the policy for texts, from the service’s console.',
    default: '(the standard policy)',
    example: 'guildhall_text',
  },
  {
    name: 'CONTENT_REVIEW_PICTURE_POLICY',
    meaning: 'The number (BizType) of the policy for pictures.',
    default: '(the standard policy)',
    example: 'guildhall_picture',
  },
  {
    name: 'CONTENT_REVIEW_ENDPOINT',
    meaning: 'Another address of both services, for tests.',
    default: '(Tencent Cloud’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'CONTENT_REVIEW_DOWN',
    meaning:
      'What becomes of what the service does not judge within two seconds, pictures within five: `hold`, messages wait for staff and names are refused; or `pass`.',
    default: 'hold',
    example: 'pass',
  },
  {
    name: 'WECHAT_PAY_MERCHANT',
    meaning:
      'The merchant number (商户号) at WeChat Pay; with the three variables below and `WECHAT_APP_ID`, the official account that is bound to it, people pay by WeChat. Without WeChat Pay and Alipay a server outside of production has a sandbox of both (docs/payments.md).',
    default: '(unset)',
    example: '1900000109',
  },
  {
    name: 'WECHAT_PAY_SERIAL',
    meaning: 'The serial number of the merchant’s API certificate.',
    default: '(unset)',
    example: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  },
  {
    name: 'WECHAT_PAY_PRIVATE_KEY',
    meaning:
      'The private key of that certificate (`apiclient_key.pem`): PEM, with `\\n` for the ends of lines where a variable has one line, or its base64.',
    default: '(unset)',
    example: '-----BEGIN PRIVATE KEY-----\\nMIIE…\\n-----END PRIVATE KEY-----',
  },
  {
    name: 'WECHAT_PAY_API_V3_KEY',
    meaning: 'The APIv3 key, 32 characters, with which notifications are encrypted.',
    default: '(unset)',
    example: 'a-text-of-exactly-32-characters-',
  },
  {
    name: 'WECHAT_PAY_PUBLIC_KEY_ID',
    meaning:
      'The id of WeChat Pay’s public key, for merchants who verify by it. Unset: its certificates are downloaded.',
    default: '(unset)',
    example: 'PUB_KEY_ID_0119000001092024000000000000000000',
  },
  {
    name: 'WECHAT_PAY_PUBLIC_KEY',
    meaning: 'The public key of that id, as PEM or base64.',
    default: '(unset)',
    example: '-----BEGIN PUBLIC KEY-----\\nMIIB…\\n-----END PUBLIC KEY-----',
  },
  {
    name: 'WECHAT_PAY_PLAN',
    meaning:
      'The number of the template (委托代扣模板) at WeChat Pay by which people sign contracts. Unset: nothing renews itself by WeChat.',
    default: '(unset)',
    example: '12535',
  },
  {
    name: 'WECHAT_PAY_V2_KEY',
    meaning:
      'The APIv2 key, 32 characters. With it and `WECHAT_PAY_PLAN` people sign contracts inside of WeChat and in a phone’s browser too: WeChat signs those by version 2 of its interface.',
    default: '(unset)',
    example: 'another-text-with-32-characters-',
  },
  {
    name: 'WECHAT_PAY_ENDPOINT',
    meaning: 'Another address of WeChat Pay’s API, for tests.',
    default: '(WeChat Pay’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'ALIPAY_APP_ID',
    meaning:
      'The APPID of an application at Alipay’s open platform; with the three variables below people pay by Alipay.',
    default: '(unset)',
    example: '2021000000000000',
  },
  {
    name: 'ALIPAY_SELLER_ID',
    meaning: 'The merchant’s number (PID) at Alipay, which receives the money.',
    default: '(unset)',
    example: '2088000000000000',
  },
  {
    name: 'ALIPAY_PRIVATE_KEY',
    meaning: 'The application’s private key (应用私钥), as PEM or base64.',
    default: '(unset)',
    example: 'MIIE…',
  },
  {
    name: 'ALIPAY_PUBLIC_KEY',
    meaning: 'Alipay’s public key (支付宝公钥, not the application’s), as PEM or base64.',
    default: '(unset)',
    example: 'MIIB…',
  },
  {
    name: 'ALIPAY_SIGN_SCENE',
    meaning:
      'The scene (`sign_scene`) of 商家扣款 at Alipay in which people sign agreements. Unset: nothing renews itself by Alipay.',
    default: '(unset)',
    example: 'INDUSTRY|SOCIALIZATION',
  },
  {
    name: 'ALIPAY_ENDPOINT',
    meaning: 'Another address of Alipay’s gateway, for tests.',
    default: '(Alipay’s own)',
    example: 'https://openapi-sandbox.dl.alipaydev.com/gateway.do',
  },
  {
    name: 'APPLE_BUNDLE_ID',
    meaning:
      'The bundle of the iOS app; with the two variables below its subscriptions are shown beside the contracts (docs/payments.md).',
    default: '(unset)',
    example: 'com.example.hall',
  },
  {
    name: 'APPLE_APP_ID',
    meaning: 'The number of the iOS app in the App Store.',
    default: '(unset)',
    example: '1234567890',
  },
  {
    name: 'APPLE_ROOT_CERTIFICATES',
    meaning:
      'Apple’s root certificates (Apple Root CA - G3), as PEM with `\\n` for the ends of lines or the base64 of the file, separated by commas.',
    default: '(unset)',
    example: 'MIICQzCCAcmgAwIBAgIILcX8iNLFS5Uw…',
  },
  {
    name: 'APPLE_SANDBOX',
    meaning: '1: the purchases of testers at Apple count, and no others.',
    default: '0',
    example: '1',
  },
  {
    name: 'PURCHASE_IN_BROWSER',
    meaning:
      '1: one may buy in every browser, for operators without a native app. 0: buying needs the app, as the pages then say.',
    default: '0',
    example: '1',
  },
  {
    name: 'PAY_SANDBOX',
    meaning:
      '1: the server opens local providers, at which everybody pays without money; it does not start so when NODE_ENV is `production`. 0: it opens none.',
    default:
      '1 outside of production where neither WeChat Pay nor Alipay is configured and REDIS_URL is unset, else 0',
    example: '0',
  },
  {
    name: 'PAY_SANDBOX_PORT',
    meaning: 'The TCP port of the sandbox. 0 takes the one of the last start, or a free one.',
    default: '0',
    example: '8081',
  },
  {
    name: 'APP_SCHEME',
    meaning:
      'The scheme of the native app’s addresses, by which pages open it (docs/native.md). Without it and the variables below nothing on the pages offers to open or download an app. In the demo world of development the reference shell is the app until this variable is set; empty turns it off.',
    default: '(unset)',
    example: 'guildhall',
  },
  {
    name: 'APP_IOS_URL',
    meaning: 'Where the iOS app is downloaded.',
    default: '(none)',
    example: 'https://apps.apple.com/app/id0000000000',
  },
  {
    name: 'APP_ANDROID_URL',
    meaning: 'Where the Android app is downloaded.',
    default: '(none)',
    example: 'https://example.com/guildhall.apk',
  },
  {
    name: 'APP_VERSION',
    meaning: 'The newest version of the app.',
    default: '(none)',
    example: '1.2.3',
  },
  {
    name: 'APP_LINK_IOS',
    meaning:
      'The application identifier (team and bundle) whose universal links open addresses of this site: `/.well-known/apple-app-site-association` is made of it.',
    default: '(unset)',
    example: 'ABCDE12345.com.example.guildhall',
  },
  {
    name: 'APP_LINK_ANDROID',
    meaning:
      'The package and the SHA-256 fingerprints of its certificates, separated by spaces, for app links: `/.well-known/assetlinks.json` is made of it.',
    default: '(unset)',
    example:
      'com.example.guildhall 14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5',
  },
  {
    name: 'WECHAT_OPEN_APP_ID',
    meaning:
      "The app's AppID at WeChat's open platform, linked there to the account of `WECHAT_APP_ID`: pages inside of WeChat then open the app.",
    default: '(unset)',
    example: 'wx0123456789abcdef',
  },
  {
    name: 'SITE_DIR',
    meaning:
      'The folder of the operator’s own name, logo, colours and words: `site.json`, `logo.svg`, `landing.LOCALE.md`, `terms.LOCALE.md`, `privacy.LOCALE.md` (docs/operations.md). What is not there stays the product’s. A variable goes before the folder.',
    default: '(unset)',
    example: '/etc/guildhall/site',
  },
  {
    name: 'SITE_CONTACT',
    meaning: 'The line for business contacts on the landing page. It goes before `contact` of `SITE_DIR`.',
    default: '(none, or that of SITE_DIR)',
    example: '商务合作：hello@example.com',
  },
  {
    name: 'SITE_COPYRIGHT',
    meaning: 'The copyright line of the pages.',
    default: '(none)',
    example: '© 2026 示例科技有限公司',
  },
  {
    name: 'PUBLIC_GUILDS',
    meaning:
      '1 shows up to six recommended guilds to guests on the start page, with name, pictures, description and how many members there are and are online; 0 shows them to nobody who is not logged in.',
    default: '0; 1 with the demo world outside of production',
    example: '1',
  },
  {
    name: 'SITE_MAP',
    meaning:
      '1 gives search engines a map of the recommended guilds at `/sitemap.xml`, and names it in `/robots.txt`.',
    default: '0',
    example: '1',
  },
  {
    name: 'SITE_RECORDS',
    meaning:
      'Registration notices (ICP, public security), separated by semicolons; each may be followed by a space and the address at which it can be checked.',
    default: '(none)',
    example:
      '京ICP备2026000001号 https://beian.miit.gov.cn; 京公网安备11010102001234号 https://beian.mps.gov.cn',
  },
  {
    name: 'GOLIVE_VIDEO',
    meaning:
      'The video on the page of screen sharing: a path on the address that people use, which the reverse proxy serves. Pages play nothing from elsewhere.',
    default: '(no video)',
    example: '/media/golive.mp4',
  },
  {
    name: 'GOLIVE_VIDEO_COVER',
    meaning: 'The picture that stands for the video of `GOLIVE_VIDEO` until it is played, in the same way.',
    default: '(none)',
    example: '/media/golive.webp',
  },
  {
    name: 'TRUSTED_LINK_HOSTS',
    meaning:
      'Hosts that links in messages lead to without the warning page, on their usual ports, separated by commas; `.example.com` means all its subdomains too.',
    default: '(none)',
    example: 'example.com, .example.org',
  },
  {
    name: 'IOS_STORE_URL',
    meaning: 'What `GET /api/v2/updates/latest-version?platform=ios` tells instead of `APP_IOS_URL`.',
    default: '(APP_IOS_URL)',
    example: 'https://apps.apple.com/app/id0000000000',
  },
  {
    name: 'IOS_VERSION',
    meaning: 'The newest version of the iOS app.',
    default: '(APP_VERSION)',
    example: '1.2.3',
  },
  {
    name: 'ANDROID_STORE_URL',
    meaning: 'The same for Android (`platform=android`).',
    default: '(APP_ANDROID_URL)',
    example: 'https://example.com/guildhall.apk',
  },
  {
    name: 'ANDROID_VERSION',
    meaning: 'The newest version of the Android app.',
    default: '(APP_VERSION)',
    example: '1.2.3',
  },
  {
    name: 'OUTBOX_TOKEN',
    meaning:
      'A caller with `Authorization: Bearer …` or `?token=…` of this token may read `GET /dev/outbox` from another machine, and with it enter any account; at least 16 characters. Unset: callers on this machine alone, and nobody while HOST or PUBLIC_URL are those of others.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'S3_ENDPOINT',
    meaning:
      'Address of an S3-compatible store for uploads. `{bucket}` in its host is replaced by the bucket’s name; without it the bucket is the first segment of the path. Unset: uploads are stored in `UPLOADS_SHARED_DIR`, or in `DATA_DIR`.',
    default: '(unset)',
    example: 'https://{bucket}.s3.example.com',
  },
  {
    name: 'S3_BUCKET',
    meaning: 'The bucket, which exists already. Needed with `S3_ENDPOINT`, as are the two keys.',
    default: '(unset)',
    example: 'guildhall',
  },
  {
    name: 'S3_REGION',
    meaning: 'The region that requests to the store are signed for.',
    default: 'us-east-1',
    example: 'cn-beijing',
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    meaning: 'The access key for the store. Needs the right to put, get and delete objects of the bucket.',
    default: '(unset)',
    example: 'guildhall',
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    meaning: 'The secret that belongs to `S3_ACCESS_KEY_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'UPLOADS_SHARED_DIR',
    meaning:
      'A directory of uploads that all nodes share, such as a mount of NFS. Several nodes (`REDIS_URL`) need it or `S3_ENDPOINT`; one node may have its uploads there too. Created when missing.',
    default: '(`uploads` in `DATA_DIR`)',
    example: '/mnt/guildhall/uploads',
  },
  {
    name: 'FILES_EMBED_ORIGINS',
    meaning:
      'Origins of other sites whose pages may show uploaded files, separated by commas. Browsers keep the pages of all other sites from them; addresses that are opened, apps and bots are not concerned.',
    default: '(unset)',
    example: 'https://wiki.example.com,https://www.example.com',
  },
  {
    name: 'UPLOAD_DAILY_MB',
    meaning: 'How many MB of files one person may store within a day.',
    default: '2048',
    example: '500',
  },
  {
    name: 'DISK_RESERVE_MB',
    meaning:
      'Uploads are refused while the disk of `DATA_DIR` has fewer MB free than this, so that the database and the logs go on.',
    default: '512',
    example: '10240',
  },
  {
    name: 'FETCH_OUTSIDE',
    meaning:
      '1: the server fetches link previews and the pictures of bots’ cards from public addresses; never from private ones. 0: it fetches nothing.',
    default: '1',
    example: '0',
  },
  {
    name: 'TRUSTED_PROXIES',
    meaning:
      'Addresses or networks of the reverse proxies, separated by commas. `X-Forwarded-For` is trusted only from these, so that rate limits count clients and not the proxy.',
    default: '(none)',
    example: '127.0.0.1, 10.0.0.0/8',
  },
  {
    name: 'STAFF_ADDRESSES',
    meaning:
      'Addresses or networks from which staff reach the console (`/staff`) and its calls, separated by commas. Behind a proxy set `TRUSTED_PROXIES` too.',
    default: '(every address)',
    example: '203.0.113.7, 10.8.0.0/16',
  },
  {
    name: 'STAFF_BATCH_VALUE_FEN',
    meaning:
      'What a batch of redeem codes may be worth, fen, that one member of staff makes alone. A larger one waits for somebody else (docs/operations.md "Approvals").',
    default: '50000',
    example: '20000',
  },
  {
    name: 'STAFF_DAILY_VALUE_FEN',
    meaning:
      'What all staff together may make within a day of Beijing, fen, by codes and by giving BUFF. Beyond it each of these waits for somebody else.',
    default: '500000',
    example: '100000',
  },
  {
    name: 'STAFF_PRICE_CHANGE_PERCENT',
    meaning:
      'By how many percent one member of staff may change a price alone, from 0 to 1000000. More, and any change to or from less than 1 yuan, waits for somebody else.',
    default: '20',
    example: '10',
  },
  {
    name: 'RATE_LIMIT_SCALE',
    meaning:
      'Multiplies how many calls, messages and guesses a person and a place may make (docs/operations.md "Limits"); from 0.1 to 100000.',
    default: '1',
    example: '2',
  },
  {
    name: 'LOG_NETWORK',
    meaning:
      'How much of a client’s network the request log shows: `full` (the IPv4 address or the IPv6 /64), `short` (its /24 or /48), or `none`.',
    default: 'short',
    example: 'full',
  },
  {
    name: 'METRICS_TOKEN',
    meaning:
      'A caller with `Authorization: Bearer …` of this token may read `GET /metrics`; at least 16 characters. Unset: callers on this machine may, and nobody when NODE_ENV is `production`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'CLOCK_OFFSET_S',
    meaning:
      'Moves the server’s clock by so many seconds at start, to see what happens later: expiry, renewals. Refused when NODE_ENV is `production`.',
    default: '0',
    example: '86400',
  },
  {
    name: 'NODE_ENV',
    meaning: '`production` turns off everything that exists for development and logs as JSON.',
    default: 'development',
    example: 'production',
  },
] as const satisfies readonly Variable[]

/** Reads a variable of the environment; null when it is unset or empty. */
export type Read = (name: VariableName) => string | null

export type VariableName = (typeof VARIABLES)[number]['name']
