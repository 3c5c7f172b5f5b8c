// @ts-check
/**
 * The reference shell: what an app does at the other end of the bridge, by frames instead of web views. Served at /dev/shell by servers
 * that are not in production. docs/native.md is the contract. The address may hold each setting: `/dev/shell?path=/channels/&token=T`.
 */

/** Calls that the shell answers with `{}` besides what it does. */
const CALLS = [
  'get_app_config',
  'jump_guild',
  'join_audio',
  'new_page',
  'get_page_data',
  'close_webview',
  'show_navigation_bar',
  'hide_navigation_bar',
  'upload_file',
  'prize_animate',
  'buy_produce_boost',
  'buy_produce_vip',
  'present_pop',
  'present_golive',
  'buy_produce_golive',
]
const AT_ONCE_MS = 20
/**
 * How a call is answered, in English and Chinese.
 * @type {readonly (readonly [string, string])[]}
 */
const WAYS = [
  ['at once', '立即'],
  ['slow', '缓慢'],
  ['wrong', '错误'],
  ['doubled', '重复'],
  ['missing', '没有回答'],
]
const SLOW_MS = 2_000

const isChinese = /^zh/i.test(navigator.language)
/** @type {(chinese: string, english: string) => string} */
const t = (chinese, english) => (isChinese ? chinese : english)

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
const settings = /** @type {HTMLFormElement} */ (part('settings'))
/** @type {(name: string) => HTMLInputElement} */
const field = (name) => /** @type {HTMLInputElement} */ (settings.elements.namedItem(name))

/**
 * A web view: its frame, what `new_page` gave it, and the bar as its page wants it.
 * @typedef {{ title?: string, color?: string, action?: { text: string, enabled: boolean }, catch_left?: boolean }} Bar
 * @typedef {{ frame: HTMLIFrameElement, data: unknown, bar: Bar | null }} View
 * @type {View[]}
 */
const views = []

/** @param {string} words */
function note(words) {
  const line = document.createElement('li')
  line.textContent = words
  part('log').prepend(line)
}

/** @param {View | undefined} view @param {object} message */
function send(view, message) {
  const text = JSON.stringify(message)
  note(`→ ${text}`)
  view?.frame.contentWindow?.postMessage(text, location.origin)
}

function draw() {
  const view = views.at(-1)
  const bar = view?.bar ?? null
  part('bar').hidden = view !== undefined && bar === null
  part('bar-title').textContent = bar?.title ?? 'APP'
  part('bar').style.background = bar?.color ?? ''
  part('right').hidden = !bar?.action
  part('right').textContent = bar?.action?.text ?? ''
  part('right').setAttribute('aria-disabled', String(bar?.action?.enabled === false))
  for (const each of views) each.frame.hidden = each !== view
}

/** @param {string} path @param {unknown} data */
function open(path, data) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return note(`refused to open ${url.href}`)
  const frame = document.createElement('iframe')
  frame.title = t('页面', 'Page')
  frame.src = url.href
  /** @type {View} */
  const view = { frame, data, bar: { title: url.host } }
  views.push(view)
  part('frames').append(frame)
  part('native').hidden = true
  draw()
}

/** @param {View} view */
function close(view) {
  views.splice(views.indexOf(view), 1)
  view.frame.remove()
  draw()
  if (views.length === 0) showNative(t('页面已关闭', 'The page was closed.'))
  else send(views.at(-1), { event: 'on_webview_show', data: {} })
}

/** @param {string} words */
function showNative(words) {
  part('native-words').textContent = words
  part('native-yes').hidden = true
  part('native-back').textContent = t('回到页面', 'Back to the page')
  part('native').hidden = false
}

/**
 * Asks the person something in the app; resolves to whether they agree.
 * @param {string} words @param {string} yes
 */
function askNative(words, yes) {
  showNative(words)
  part('native-back').textContent = t('放弃', 'Give up')
  part('native-yes').textContent = yes
  part('native-yes').hidden = false
  return new Promise((resolve) => {
    part('native-yes').onclick = () => {
      part('native').hidden = true
      resolve(true)
    }
    part('native-back').addEventListener('click', () => resolve(false), { once: true })
  })
}

const has = () =>
  [...settings.querySelectorAll('input[type=checkbox]')]
    .map((it) => /** @type {HTMLInputElement} */ (it))
    .filter((it) => it.checked)
    .map((it) => it.name)

const token = () =>
  field('login').value === 'browser' ? (localStorage.getItem('authorization') ?? '') : field('token').value

const config = () => ({
  token: token(),
  ...(field('theme').value && { theme: field('theme').value }),
  ...(field('language').value && { language: field('language').value }),
  app_plantform: field('platform').value,
  version: field('version').value,
  calls: has(),
})

/**
 * Calls the server as the app does; throws the words of a refusal.
 * @param {string} path @param {object} input @returns {Promise<any>}
 */
async function ask(path, input) {
  const headers = { 'content-type': 'application/json', authorization: token() }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(input) })
  const body = await answer.json().catch(() => ({}))
  if (!answer.ok || body.code) throw new Error(body.message || `${path}: ${answer.status}`)
  return body.data ?? body
}

/**
 * Orders what a page wants to have bought, and pays it as the provider's app does once the person agrees. One that was given up stays
 * unpaid among the orders.
 * @param {any} data
 */
async function buy({ produce, produce_id, produce_info, user_id, count }) {
  const { name = '', id } = produce ?? { ...produce_info, id: produce_id }
  try {
    const order = await ask('/api/v3/order/create', {
      product_id: Number(id),
      count: count ?? 1,
      key: crypto.randomUUID(),
      ...(user_id && { user_id }),
    })
    const { order_id } = order
    const price = `¥${(order.pay_fee / 100).toFixed(2)}`
    const words = t(`沙箱支付：${name} ${price}`, `Payment sandbox: ${name} ${price}`)
    if (!(await askNative(words, t(`支付 ${price}`, `Pay ${price}`))))
      return { result: { status: 'cancel', order_id } }
    const open = await ask('/api/v3/order/pay', { order_id, way: 'wechat', scene: 'app' })
    await ask('/dev/shell/pay', open)
    return { result: { status: 'success', order_id } }
  } catch (error) {
    return { error: { name: 'declined', message: /** @type {Error} */ (error).message } }
  }
}

/** @param {any} data */
const shownGuild = ({ guild_id, channel_id }) =>
  channel_id
    ? t(
        `APP 显示公会 ${guild_id} 的频道 ${channel_id}`,
        `The app shows channel ${channel_id} of guild ${guild_id}.`,
      )
    : t(`APP 显示公会 ${guild_id}`, `The app shows guild ${guild_id}.`)

/**
 * Does a call, and returns the rest of its answer.
 * @param {View} view @param {string} call @param {any} data @returns {object | Promise<object>}
 */
function run(view, call, data) {
  if (call !== 'get_app_config' && !has().includes(call)) return { error: { name: 'unsupported' } }
  if (/^(?:buy_produce|present)_/.test(call)) {
    const end = field('purchase').value
    if (end === 'buy') return buy(data)
    if (end === 'refused') return { error: { name: 'declined', message: '付款被拒绝' } }
    return { result: { status: end, ...(end === 'success' && { order_id: '1' }) } }
  }
  switch (call) {
    case 'get_app_config':
      return { result: config() }
    case 'get_page_data':
      return { result: { data: view.data } }
    case 'upload_file':
      return { result: { url: `${location.origin}/logo.svg` } }
    case 'show_navigation_bar':
      view.bar = data
      break
    case 'hide_navigation_bar':
      view.bar = null
      break
    case 'new_page':
      open(data.url, data.data)
      break
    case 'jump_guild':
      showNative(shownGuild(data))
      break
    case 'join_audio':
      showNative(
        t(
          `APP 加入公会 ${data.guild_id} 的语音频道 ${data.channel_id}`,
          `The app joins voice channel ${data.channel_id} of guild ${data.guild_id}.`,
        ),
      )
      break
    case 'close_webview':
      // After the answer, which the page would not get.
      setTimeout(() => close(view), 2 * AT_ONCE_MS)
      break
  }
  draw()
  return { result: {} }
}

addEventListener('message', async ({ source, origin, data: text }) => {
  const view = views.find(({ frame }) => frame.contentWindow === source)
  if (!view || origin !== location.origin || typeof text !== 'string') return
  note(`← ${text}`)
  const { id, call, data } = JSON.parse(text)
  const way = field(call === 'get_app_config' ? 'first' : 'others').value
  const right = { id, ...(await run(view, call, data)) }
  if (way === 'missing') return
  const answer = way === 'wrong' ? { id, result: 'what the contract does not know' } : right
  setTimeout(
    () => {
      send(view, answer)
      if (way === 'doubled') send(view, { id, error: { name: 'doubled', message: 'the second answer' } })
    },
    way === 'slow' ? SLOW_MS : AT_ONCE_MS,
  )
})

function start() {
  for (const view of views.splice(0)) view.frame.remove()
  part('log').replaceChildren()
  open(field('path').value, null)
}

part('left').addEventListener('click', () => {
  const view = views.at(-1)
  if (!view) return
  send(view, { event: 'on_click_navigation_left', data: {} })
  if (view.bar?.catch_left) return
  const inside = view.frame.contentWindow?.history
  if (inside?.state?.idx > 0) inside?.back()
  else close(view)
})
part('right').addEventListener('click', () =>
  send(views.at(-1), { event: 'on_click_navigation_right', data: {} }),
)
part('show').addEventListener('click', () => send(views.at(-1), { event: 'on_webview_show', data: {} }))
part('native-back').addEventListener('click', () => {
  part('native').hidden = true
  if (views.length === 0) start()
  else send(views.at(-1), { event: 'on_webview_show', data: {} })
})
part('mine').addEventListener('click', () => {
  field('token').value = localStorage.getItem('authorization') ?? ''
})
settings.addEventListener('submit', (event) => {
  event.preventDefault()
  start()
})

if (!isChinese) {
  document.documentElement.lang = 'en'
  for (const it of document.querySelectorAll('[data-en]')) it.textContent = it.getAttribute('data-en')
  for (const it of document.querySelectorAll('[data-en-label]'))
    it.setAttribute('aria-label', it.getAttribute('data-en-label') ?? '')
}
for (const list of document.querySelectorAll('[data-ways]'))
  for (const [way, name] of WAYS) list.append(new Option(t(name, way), way))
part('more').toggleAttribute('open', innerWidth >= 900)
// It scrolls, also by keyboard.
part('log').tabIndex = 0
for (const call of CALLS.slice(1)) {
  const label = document.createElement('label')
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', name: call, checked: true })
  label.append(box, call)
  part('calls').append(label)
}
const given = new URLSearchParams(location.search)
for (const [name, value] of given) if (field(name)) field(name).value = value
for (const call of (given.get('without') ?? '').split(',').filter(Boolean)) field(call).checked = false
// By itself it shows who is logged in their guilds.
if (given.size === 0) {
  field('login').value = 'browser'
  field('path').value = '/channels/'
}
start()
