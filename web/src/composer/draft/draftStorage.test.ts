// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { loadDraft, saveDraft } from './draftStorage.ts'

beforeEach(() => localStorage.clear())

const pick = { start: 0, end: 3, token: '(met)7(met)' }

test('each channel has a draft of its own, with its picks', () => {
  saveDraft('20', { text: '@阿宁', picks: [pick] })
  saveDraft('21', { text: '晚上见', picks: [] })
  expect(loadDraft('20')).toEqual({ text: '@阿宁', picks: [pick] })
  expect(loadDraft('21')).toEqual({ text: '晚上见', picks: [] })
})

test('an empty draft is deleted, and no other', () => {
  saveDraft('20', { text: '晚上见', picks: [] })
  saveDraft('21', { text: '明天见', picks: [] })
  saveDraft('20', { text: '  ', picks: [] })
  expect(loadDraft('20')).toEqual({ text: '', picks: [] })
  expect(loadDraft('21').text).toBe('明天见')
})

test('picks of another text are dropped: another tab wrote only the text', () => {
  saveDraft('20', { text: '@阿宁', picks: [pick] })
  localStorage.setItem('drafts', JSON.stringify({ '20': '@阿宁 你好' }))
  expect(loadDraft('20')).toEqual({ text: '@阿宁 你好', picks: [] })
})

test('what is stored keeps its shape: other versions of the page read it', () => {
  saveDraft('20', { text: '@阿宁', picks: [pick] })
  expect(JSON.parse(localStorage.getItem('picks')!)).toEqual({ '20': { words: '@阿宁', picks: [pick] } })
})
