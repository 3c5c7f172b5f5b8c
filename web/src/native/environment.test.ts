import { expect, test } from 'vitest'
import { type Environment, environmentOf, isInChatApp } from './environment.ts'

const at = (userAgent: string, touchPoints = 5) =>
  environmentOf({ userAgent, touchPoints, hasShellObject: false })

/** User agents as these browsers send them, with touch points where they matter: a desk has none. */
const ENVIRONMENTS: readonly (readonly [
  name: string,
  platform: Environment['platform'],
  browser: Environment['browser'],
  userAgent: string,
])[] = [
  // In the browsers of other apps.
  [
    'WeChat on an iPhone',
    'ios',
    'wechat',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.44(0x18002c2f) NetType/WIFI Language/zh_CN',
  ],
  [
    'WeChat on an iPad',
    'ios',
    'wechat',
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.43(0x18002b2d) NetType/WIFI Language/zh_CN',
  ],
  [
    'WeChat on Android',
    'android',
    'wechat',
    'Mozilla/5.0 (Linux; Android 13; 22041211AC Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/111.0.5563.116 Mobile Safari/537.36 XWEB/5317 MMWEBSDK/20230805 MMWEBID/2585 MicroMessenger/8.0.42.2460(0x28002A35) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64',
  ],
  [
    'WeChat on Android with its older engine',
    'android',
    'wechat',
    'Mozilla/5.0 (Linux; Android 10; ELE-AL00 Build/HUAWEIELE-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.62 XWEB/2693 MMWEBSDK/201201 Mobile Safari/537.36 MMWEBID/1033 MicroMessenger/7.0.22.1820(0x2700163B) Process/toolsmp WeChat/arm64 NetType/4G Language/zh_CN ABI/arm64',
  ],
  [
    'WeChat on Windows',
    'desktop',
    'wechat',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781(0x6700143B) NetType/WIFI MiniProgramEnv/Windows WindowsWechat/WMPF WindowsWechat(0x63090819) XWEB/8461 Flue',
  ],
  [
    'enterprise WeChat on an iPhone',
    'ios',
    'wechat',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 wxwork/4.1.3 MicroMessenger/7.0.1 Language/zh ColorScheme/Light',
  ],
  [
    'enterprise WeChat on Android',
    'android',
    'wechat',
    'Mozilla/5.0 (Linux; Android 12; V2154A Build/SP1A.210812.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/98.0.4758.102 MQQBrowser/6.2 TBS/046281 Mobile Safari/537.36 wxwork/4.1.6 MicroMessenger/7.0.1 NetType/WIFI Language/zh Lang/zh ColorScheme/Light',
  ],
  [
    'QQ on an iPhone',
    'ios',
    'qq',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 QQ/8.9.68.635 V1_IPH_SQ_8.9.68_1_APP_A Pixel/1170 MiniAppEnable SimpleUISwitch/0 StudyMode/0 CurrentMode/0 CurrentFontScale/1.000000 QQTheme/1000 Core/WKWebView Device/Apple(iPhone 13) NetType/WIFI',
  ],
  [
    'QQ on Android',
    'android',
    'qq',
    'Mozilla/5.0 (Linux; Android 12; M2102K1C Build/SKQ1.220303.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/98.0.4758.102 MQQBrowser/6.2 TBS/046141 Mobile Safari/537.36 V1_AND_SQ_8.9.3_3042_YYB_D A_8090300 QQ/8.9.3.8585 NetType/WIFI WebP/0.3.0 AppId/537129751 Pixel/1080',
  ],
  [
    'Alipay on an iPhone',
    'ios',
    'alipay',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20B82 NebulaSDK/1.8.100112 Nebula PSDType(1) AlipayDefined(nt:WIFI,ws:390|780|3.0) AliApp(AP/10.3.90.8000) AlipayClient/10.3.90.8000 Language/zh-Hans',
  ],
  [
    'Alipay on Android',
    'android',
    'alipay',
    'Mozilla/5.0 (Linux; U; Android 11; zh-CN; M2012K11AC Build/RKQ1.200826.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.2.43 Mobile Safari/537.36 UCBS/3.22.2.43_220223200704 ChannelId(5) NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:393|0|2.75) AliApp(AP/10.2.59.8000) AlipayClient/10.2.59.8000 Language/zh-Hans useStatusBar/true',
  ],
  [
    'Weibo on an iPhone',
    'ios',
    'weibo',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Weibo (iPhone13,2__weibo__12.3.1__iphone__os15.4)',
  ],
  [
    'Weibo on Android',
    'android',
    'weibo',
    'Mozilla/5.0 (Linux; Android 12; 2201123C Build/SKQ1.211006.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/97.0.4692.98 Mobile Safari/537.36 Weibo (Xiaomi-2201123C__weibo__12.2.0__android__android12)',
  ],
  [
    'DingTalk on an iPad',
    'ios',
    'dingtalk',
    'Mozilla/5.0 (iPad; CPU OS 15_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/19H12 AliApp(DingTalk/6.5.45) com.laiwang.DingTalk/26191496 Channel/201200 Pad/iPad language/zh-Hans-CN UT4Aplus/0.0.6 WK',
  ],
  [
    'DingTalk on Android',
    'android',
    'dingtalk',
    'Mozilla/5.0 (Linux; U; Android 10; zh-CN; EVR-AL00 Build/HUAWEIEVR-AL00) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.1.210 Mobile Safari/537.36 AliApp(DingTalk/6.5.45) com.alibaba.android.rimet/26284409 Channel/227200 language/zh-CN abi/64 Hmos/1 UT4Aplus/0.2.25',
  ],

  // Browsers of iOS.
  [
    'Safari on an iPhone',
    'ios',
    'safari',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'an old Safari',
    'ios',
    'safari',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1',
  ],
  [
    'Safari on an iPad that asks for mobile pages',
    'ios',
    'safari',
    'Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1',
  ],
  [
    'Safari on an iPad',
    'ios',
    'safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  ],
  [
    'Chrome on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/119.0.6045.109 Mobile/15E148 Safari/604.1',
  ],
  [
    'Firefox on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 13_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/128.0 Mobile/15E148 Safari/605.1.15',
  ],
  [
    'Edge on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/118.0.2088.52 Mobile/15E148 Safari/604.1',
  ],
  [
    'UC on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1_1 like Mac OS X; zh-CN) AppleWebKit/537.51.1 (KHTML, like Gecko) Mobile/20B101 UCBrowser/15.4.5.1904 Mobile AliApp(TUnionSDK/0.1.20.4)',
  ],
  [
    'Quark on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X; zh-cn) AppleWebKit/601.1.46 (KHTML, like Gecko) Mobile/20B82 Quark/5.8.3.1438 Mobile',
  ],
  [
    'Baidu on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 SP-engine/2.67.0 main%2F1.0 baiduboxapp/13.37.0.11 (Baidu; P2 16.0) NABar/1.0',
  ],
  [
    'QQ’s browser on an iPhone',
    'ios',
    'other',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.0 MQQBrowser/13.7.0 Mobile/15E148 Safari/604.1 QBWebViewUA/2 QBWebViewType/1 WKType/1',
  ],

  // Browsers of Android and its like.
  [
    'Chrome on Android',
    'android',
    'other',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Chrome on a tablet',
    'android',
    'other',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
  ],
  [
    'Samsung’s browser',
    'android',
    'other',
    'Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S908B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Huawei’s browser',
    'android',
    'other',
    'Mozilla/5.0 (Linux; Android 10; HarmonyOS; NOH-AN00; HMSCore 6.11.0.332) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.2.300 Mobile Safari/537.36',
  ],
  [
    'HarmonyOS without Android',
    'android',
    'other',
    'Mozilla/5.0 (Phone; OpenHarmony 4.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile',
  ],
  [
    'HarmonyOS on a desk',
    'desktop',
    'other',
    'Mozilla/5.0 (PC; OpenHarmony 6.1; Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36 ArkWeb/6.1.0.130 HuaweiBrowser/6.1.7.302',
  ],
  [
    'WeChat on HarmonyOS without Android',
    'android',
    'wechat',
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile MicroMessenger/8.0.10.41(0xf3100a29) Weixin NetType/WIFI Language/zh_CN MMWEBID/8020 MMWEBSDK/202508070004 XWEB/1140319',
  ],
  [
    'Xiaomi’s browser',
    'android',
    'other',
    'Mozilla/5.0 (Linux; U; Android 12; zh-cn; M2011K2C Build/SKQ1.211006.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/17.4.80221 swan-mibrowser',
  ],
  [
    'QQ’s browser on Android',
    'android',
    'other',
    'Mozilla/5.0 (Linux; U; Android 12; zh-cn; 22041211AC Build/SP1A.210812.016) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/98.0.4758.102 MQQBrowser/13.7 Mobile Safari/537.36 COVC/046417',
  ],
  [
    'UC on Android',
    'android',
    'other',
    'Mozilla/5.0 (Linux; U; Android 11; zh-CN; PEGM00 Build/RKQ1.200903.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.8.2.1172 Mobile Safari/537.36',
  ],
  [
    'Firefox on Android',
    'android',
    'other',
    'Mozilla/5.0 (Android 13; Mobile; rv:109.0) Gecko/119.0 Firefox/119.0',
  ],
]
const DESKS: typeof ENVIRONMENTS = [
  [
    'WeChat on a Mac',
    'desktop',
    'wechat',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) MicroMessenger/6.8.0(0x16080000) MacWechat/3.8.4(0x13080410) NetType/WIFI',
  ],
  [
    'Chrome on Windows',
    'desktop',
    'other',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
  ],
  [
    'Safari on a Mac',
    'desktop',
    'other',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  ],
  [
    'Firefox on Linux',
    'desktop',
    'other',
    'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/119.0',
  ],
  [
    'Edge on Windows',
    'desktop',
    'other',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36 Edg/119.0.0.0',
  ],
  [
    'an Electron shell',
    'desktop',
    'other',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Guildhall/1.2.0 Chrome/116.0.5845.228 Electron/26.6.1 Safari/537.36',
  ],
]

test.each(ENVIRONMENTS)('%s is %s, %s', (_name, platform, browser, userAgent) => {
  expect(at(userAgent)).toEqual({ platform, browser, hasShell: false })
})

test.each(DESKS)('%s is %s, %s', (_name, platform, browser, userAgent) => {
  expect(at(userAgent, 0)).toEqual({ platform, browser, hasShell: false })
})

test('nothing, and nonsense, is a desk with another browser', () => {
  for (const userAgent of ['', 'curl/8.4.0', 'x'.repeat(10_000)])
    expect(at(userAgent, 0)).toEqual({ platform: 'desktop', browser: 'other', hasShell: false })
})

test('a shell is told by its object alone, whatever the browser says', () => {
  for (const [, , , userAgent] of [...ENVIRONMENTS, ...DESKS])
    expect(environmentOf({ userAgent, touchPoints: 0, hasShellObject: true }).hasShell).toBe(true)
})

test('only the browsers of other apps are chat apps', () => {
  for (const [, , browser, userAgent] of ENVIRONMENTS)
    expect(isInChatApp(at(userAgent))).toBe(browser !== 'safari' && browser !== 'other')
})
