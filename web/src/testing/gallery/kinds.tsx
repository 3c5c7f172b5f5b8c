import { AttachmentChips } from '../../composer/attachment/AttachmentChips.tsx'
import type { PendingAttachment } from '../../composer/attachment/attachments.ts'
import { Placeholder } from '../../media/Picture.tsx'
import { messageState, outgoingState } from './kmarkdown.tsx'
import type { Section, State } from './section.ts'

const logo = `${location.origin}/logo.svg`
const gone = `${location.origin}/no-such-picture.png`
const LONG = `${'公会第三赛季全员大合影与开荒全过程录像'.repeat(3)}.mp4`

const [IMAGE, FILE, VIDEO, WELCOME, VOICE, PLAIN] = [2, 3, 4, 7, 8, 200]
const image = (more: object = {}) => ({
  type: 'image',
  name: '合影.png',
  url: logo,
  width: 640,
  height: 400,
  ...more,
})
const file = (more: object = {}) => ({ type: 'file', name: '攻略.pdf', url: logo, size: 5_500_000, ...more })
const video = (more: object = {}) => ({
  type: 'video',
  name: '首杀.mp4',
  url: logo,
  size: 31_000_000,
  duration: 187_000,
  width: 1280,
  height: 720,
  ...more,
})
const voice = (duration: number | null) => ({ type: 'audio', name: '语音.m4a', url: logo, duration })
const film = { type: 'bili-video', av_no: '170001', title: '首杀全程', duration: 605, pic: logo }

export const quoteOf = (more: object = {}) => ({
  id: '00000000-0000-4000-8000-000000000001',
  type: 9,
  content: '今晚**几点**开？',
  can_jump: true,
  author: { id: '8', username: '阿树', nickname: '' },
  ...more,
})
export const longName = { id: '8', username: '名字很长很长很长很长很长很长很长很长很长很长很长很长的人' }

const actions = { retry: () => undefined, remove: () => undefined }
const chip = (id: number, name: string, more: Partial<PendingAttachment> = {}): PendingAttachment => ({
  id,
  file: new File(['words'], name),
  preview: null,
  state: 'waiting',
  progress: 0,
  why: '',
  canRetry: true,
  uploaded: null,
  looks: null,
  ...more,
})
const chips: State = {
  name: 'files on their way',
  draw: () => (
    <AttachmentChips
      attachments={actions}
      items={[
        chip(1, '攻略.pdf'),
        chip(2, LONG, { state: 'uploading', progress: 0.42 }),
        chip(3, '合影.png', { state: 'uploading', progress: 0.9, preview: logo }),
        chip(4, '太大了.zip', { state: 'failed', why: '文件大小不能超过 30M', canRetry: false }),
        chip(5, '没传上去.zip', { state: 'failed' }),
        chip(6, '好了.pdf', { state: 'done', progress: 1 }),
        chip(7, '首杀.mp4', { state: 'done', progress: 1, preview: logo, looks: { duration: 187_000 } }),
        chip(8, '开荒.mp4', {
          state: 'uploading',
          progress: 0.3,
          preview: logo,
          looks: { duration: 3_727_000 },
        }),
      ]}
    />
  ),
}

export const kinds: Section = {
  id: 'kinds',
  title: 'Kinds',
  states: [
    messageState('picture', logo, { type: IMAGE, attachments: image() }),
    messageState('picture, tall', logo, { type: IMAGE, attachments: image({ width: 300, height: 1200 }) }),
    messageState('picture, tiny', logo, { type: IMAGE, attachments: image({ width: 16, height: 16 }) }),
    messageState('picture like a line', logo, { type: IMAGE, attachments: image({ width: 390, height: 4 }) }),
    messageState('picture of unknown size', logo, { type: IMAGE, attachments: null }),
    messageState('picture, broken', gone, { type: IMAGE, attachments: image({ url: gone }) }),
    {
      name: 'placeholder of a picture',
      draw: () => (
        <div style={{ position: 'relative', width: 240, height: 150, marginLeft: 68 }}>
          <Placeholder hash="3wcCBwDMTKCJp4XFOYapuIjD9jiFvcsA" />
        </div>
      ),
    },
    messageState('file', logo, { type: FILE, attachments: file() }),
    messageState('file with a long name', logo, {
      type: FILE,
      attachments: file({ name: LONG, size: 3_200_000_000 }),
    }),
    messageState('file nobody knows anything of', logo, { type: FILE, attachments: null }),
    messageState('video with a cover', logo, { type: VIDEO, attachments: video({ cover: logo }) }),
    messageState('video without a cover', logo, { type: VIDEO, attachments: video() }),
    messageState('video, upright', logo, {
      type: VIDEO,
      attachments: video({ width: 720, height: 1280, cover: logo }),
    }),
    messageState('video, very wide', logo, {
      type: VIDEO,
      attachments: video({ width: 3840, height: 240, cover: logo, name: LONG }),
    }),
    messageState('video, very narrow', logo, {
      type: VIDEO,
      attachments: video({ width: 90, height: 1600, cover: logo, name: LONG }),
    }),
    messageState('video with a long name and a broken cover', logo, {
      type: VIDEO,
      attachments: video({ name: LONG, cover: gone }),
    }),
    messageState('video nobody knows anything of', logo, { type: VIDEO, attachments: null }),
    messageState('voice of 3 s', logo, { type: VOICE, attachments: voice(3_000) }),
    messageState('voice of a minute', logo, { type: VOICE, attachments: voice(60_000) }),
    messageState('voice of 5 minutes', logo, { type: VOICE, attachments: voice(300_000) }),
    messageState('voice of unknown length', logo, { type: VOICE, attachments: voice(null) }),
    messageState('welcome', '', { type: WELCOME }),
    messageState('plain text', '**不是粗体** https://example.com', { type: PLAIN }),
    messageState('embedded video', '看这个 https://www.bilibili.com/video/av170001', { embeds: [film] }),
    messageState('embedded video, broken and long', '看这个', {
      embeds: [{ ...film, title: LONG, pic: gone }],
    }),
    messageState('embedded pictures, one broken', '看图', {
      embeds: [
        { type: 'image', url: logo },
        { type: 'image', url: gone },
      ],
    }),
    messageState('answer', '八点', { quote: quoteOf() }),
    messageState('answer to much by a long name', '好长', {
      quote: quoteOf({ content: '很长的一段话，'.repeat(40), author: longName }),
    }),
    messageState('answer to hidden words', '我也觉得', {
      quote: quoteOf({ content: '结局是(spl)都活着(spl)' }),
    }),
    messageState('answer to a picture', '拍得好', { quote: quoteOf({ type: IMAGE, content: logo }) }),
    messageState('answer to cards', '好', { quote: quoteOf({ type: 10, content: '[]' }) }),
    messageState('answer to a removed message', '？', { quote: quoteOf({ content: '', can_jump: false }) }),
    messageState('answer that calls on the reader', '(met)7(met) 八点', {
      quote: quoteOf(),
      mention: ['7'] as never,
    }),
    messageState('answer with a picture', logo, { type: IMAGE, attachments: image(), quote: quoteOf() }),
    outgoingState('answer on its way', '马上到', { quote: quoteOf() }),
    outgoingState('answer whose original is gone', '马上到', {
      quote: quoteOf({ content: '', can_jump: false }),
      state: 'failed',
      why: '消息不存在',
    }),
    messageState('empty', '', { type: 9 }),
    messageState('unknown kind of later', '{}', { type: 12 }),
    chips,
    outgoingState('picture on its way', logo, { media: { type: IMAGE, attachments: image() as never } }),
    outgoingState('file not sent', logo, {
      media: { type: FILE, attachments: file() as never },
      state: 'failed',
      why: '文件不存在',
    }),
  ],
}
