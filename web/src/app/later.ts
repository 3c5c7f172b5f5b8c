/** What no first screen needs: loaded a while after the page, and on every page. */
import { offeredThirdParties } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { onReport } from '../kit/report.ts'
import { here } from '../native/environment.ts'

onReport((target) => void loadPart(() => import('../report/report.tsx')).then((it) => it.askReport(target)))

/** Only inside of WeChat, and where the operator has an account there. */
if (here().browser === 'wechat' && offeredThirdParties(document.cookie).includes('weixin'))
  void import('../native/weixin/weixin.ts').then(
    (it) => it.followSharing(),
    () => undefined,
  )

// This site has no service worker; one that was registered under its address before would serve old pages.
// commerce.md §2.
void navigator.serviceWorker?.getRegistrations().then(
  (all) => all.forEach((it) => void it.unregister()),
  () => undefined,
)
