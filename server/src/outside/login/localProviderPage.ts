/** The pages of the local identity provider: who one is, 同意 and 取消. */
import { createHash } from 'node:crypto'

const PEOPLE = ['小林', '阿杰', 'Mia Chen', '一个名字特别特别特别特别特别特别特别特别长的人啊', '🦊']

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 32px 24px; background: #f3f5f7; color: #101317; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 420px; margin: 0 auto; }
h1 { margin: 0 0 4px; font-size: 22px; }
p { margin: 0 0 20px; color: #4b5563; }
fieldset { margin: 0 0 16px; padding: 0; border: 0; }
legend { padding: 0 0 8px; font-weight: 600; }
label { display: flex; align-items: center; gap: 12px; min-height: 48px; padding: 0 14px; margin-bottom: 8px; border-radius: 12px; background: #fff; overflow-wrap: anywhere; }
label.free { display: block; padding: 10px 14px; }
input[type=text] { box-sizing: border-box; width: 100%; min-height: 44px; padding: 0 10px; border: 1px solid #6b7280; border-radius: 8px; background: transparent; color: inherit; font: inherit; }
button { width: 100%; min-height: 48px; margin-top: 8px; border: 0; border-radius: 24px; background: #065f46; color: #fff; font: inherit; font-weight: 600; }
button[value=no] { background: transparent; color: inherit; box-shadow: inset 0 0 0 1px #6b7280; }
@media (prefers-color-scheme: dark) {
  body { background: #101317; color: #f3f5f7; }
  p { color: #b6bdc8; }
  label { background: #1c2128; }
}
`

/**
 * Nothing but its own style runs or loads, and no other page frames it. `redirectUri`: where its form leads
 * in the end.
 */
export const consentHeaders = (redirectUri: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `form-action 'self' ${URL.canParse(redirectUri) ? new URL(redirectUri).origin : ''}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
})

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`

/** `hidden`: what the provider was asked for, sent along. */
export function consentPage(
  kind: 'qq' | 'weixin',
  { action, hidden }: { readonly action: string; readonly hidden: Readonly<Record<string, string>> },
): string {
  const name = kind === 'qq' ? 'QQ' : '微信'
  const fields = Object.entries(hidden)
    .filter(([key]) => key !== 'token')
    .map(([key, value]) => `<input type="hidden" name="${escaped(key)}" value="${escaped(value)}">`)
  const people = PEOPLE.map(
    (person, at) =>
      `<label><input type="radio" name="person" value="${escaped(person)}"${at === 0 ? ' checked' : ''}>${escaped(person)}</label>`,
  )
  return page(
    `${name} 登录（开发用）`,
    `<h1>${name} 登录（开发用）</h1><p>这是开发用的模拟页面，不会连接到真正的服务。</p>
<form method="post" action="${escaped(action)}">${fields.join('')}
<fieldset><legend>你是谁？</legend>${people.join('')}
<label class="free">其他名字<input type="text" name="name" maxlength="60" autocomplete="off"></label></fieldset>
<button name="answer" value="yes">同意</button><button name="answer" value="no">取消</button></form>`,
  )
}

export const problemPage = (problem: string): string =>
  page('无法登录', `<h1>无法登录</h1><p>${escaped(problem)}</p>`)
