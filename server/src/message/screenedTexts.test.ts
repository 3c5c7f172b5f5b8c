import { expect, it } from 'vitest'
import { screenedTexts, shownText } from './screenedTexts.ts'

const card = (...modules: object[]) => JSON.stringify([{ type: 'card', modules }])
const section = (content: string) => ({ type: 'section', text: { type: 'kmarkdown', content } })

it.each([
  ['an address behind words', section('[点我](https://evil.example/x)'), 'evil.example'],
  [
    'what a button says',
    { type: 'action-group', elements: [{ type: 'button', theme: 'primary', value: 'v', text: '按钮话' }] },
    '按钮话',
  ],
  [
    'where a button leads',
    {
      type: 'action-group',
      elements: [
        { type: 'button', theme: 'primary', click: 'link', value: 'https://evil.example/y', text: '好' },
      ],
    },
    'evil.example/y',
  ],
  [
    'what a picture is called',
    { type: 'container', elements: [{ type: 'image', src: 'https://a.example/a.png', alt: '图片名' }] },
    '图片名',
  ],
  ['the name of a file', { type: 'file', src: 'https://a.example/a.zip', title: '文件名' }, '文件名'],
])('of a card %s is read', (_what, module, text) => {
  expect(screenedTexts('card', card(module)).join('\n')).toContain(text)
})

it('of a message with a file its name is read, and of marked text also its source', () => {
  expect(screenedTexts('file', 'x', { name: '加微信.zip' })).toEqual(['加微信.zip'])
  expect(screenedTexts('kmarkdown', '**加**微信')).toEqual(['加微信', '**加**微信'])
  expect(shownText('kmarkdown', '**加**微信')).toBe('加微信')
})
