import { type Locale, texts } from '@guildhall/wire/locale.ts'
import type { Part } from './DocumentPage.tsx'

export const licensesText = texts({
  'zh-CN': { notices: '第三方软件的许可原文' },
  en: { notices: 'Texts of the licences of other software' },
})

/** What the page of licences says before the texts of the packages. */
export const licenseParts: Readonly<Record<Locale, readonly Part[]>> = {
  'zh-CN': [
    {
      title: '本软件',
      words:
        '本站所用的软件 Guildhall 以 Apache License 2.0 发布，随软件附带许可全文。你发送的内容不受此许可影响。',
    },
    {
      title: '随软件附带的数据',
      words:
        '验证码中成语的字形来自 hanzi-writer-data，源自文鼎（Arphic）字体，适用 Arphic Public License。简繁对照来自 OpenCC（opencc-js，Apache-2.0），拼音来自 pinyin-pro（MIT），表情的名称与分类来自 gemoji 和 emojibase（MIT）。不附带字体文件和声音；网站的图片为本项目所作，适用本软件的许可。',
    },
    {
      title: '随软件附带的程序',
      words:
        '内置数据库是 PostgreSQL（PostgreSQL License），图片由 libvips 处理（LGPL-3.0-or-later），服务器由 Node.js 运行（MIT）。它们所含的其他部分，各有其许可。',
    },
  ],
  en: [
    {
      title: 'This software',
      words:
        'Guildhall, which runs this site, is under the Apache License 2.0; its text comes with the software. What you send here is not under it.',
    },
    {
      title: 'Data that comes with it',
      words:
        'The outlines of the idioms in captchas come from hanzi-writer-data and derive from fonts of Arphic, under the Arphic Public License. Simplified and traditional characters are from OpenCC (opencc-js, Apache-2.0), pinyin from pinyin-pro (MIT), names and groups of emoji from gemoji and emojibase (MIT). There are no font files and no sounds; the pictures of the site were made for it and are under its licence.',
    },
    {
      title: 'Programs that come with it',
      words:
        'The database that is built in is PostgreSQL (PostgreSQL License), libvips scales pictures (LGPL-3.0-or-later), and Node.js runs the server (MIT). What they contain has licences of its own.',
    },
  ],
}
