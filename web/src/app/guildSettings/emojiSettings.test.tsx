import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { type ListedEmoji, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { createGuildEmoji, deleteGuildEmoji, updateGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emojiChanged } from '../../guild/guild.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill, press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

// There is no decoder of pictures here; a file of that name is none.
vi.mock('../../kit/picture/picturePrepared.ts', () => ({
  prepare: async (file: File) =>
    file.name.startsWith('坏')
      ? 'notPicture'
      : { file, canvas: { width: 200, height: 100 }, url: 'blob:x', mayMove: false, close: () => undefined },
  cutPart: async () => new File(['cut'], 'picture.png', { type: 'image/png' }),
}))

/** How the uploads that follow end, each once; those after them succeed. */
let endings: (string | null)[] = []
let sent: { name: unknown; file: string }[] = []
class Upload {
  readonly upload = {}
  status = 200
  responseText = ''
  onload = () => {}
  onloadend = () => {}
  open(): void {}
  setRequestHeader(): void {}
  abort(): void {}
  send(form: FormData): void {
    const name = String(form.get('name'))
    const wrong = endings.shift() ?? null
    sent.push({ name, file: (form.get('emoji') as File).name })
    this.responseText = JSON.stringify(
      wrong ? { code: 40000, message: wrong, data: {} } : { code: 0, message: '', data: own(name) },
    )
    if (!wrong) items = [...items, own(name)]
    queueMicrotask(() => {
      this.onload()
      this.onloadend()
    })
  }
}

const own = (name: string, more: Partial<ListedEmoji> = {}): ListedEmoji => ({
  id: `10/${name.codePointAt(0)}`,
  name,
  emoji_type: 1,
  user_info: { ...sessionOf().user, username: '小满' },
  uses: 0,
  ...more,
})
let server: ReturnType<typeof fakeServer>
let guild: Guild
let items: ListedEmoji[]
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  vi.stubGlobal('XMLHttpRequest', Upload)
  URL.createObjectURL = () => 'blob:y'
  URL.revokeObjectURL = () => undefined
  endings = []
  sent = []
  items = [own('加油', { uses: 1200 }), own('开饭', { emoji_type: 2 })]
  guild = { ...guildOf('10', '夜航'), permissions: permission.manage_emoji, level: 0 }
  server.on(viewGuild, () => guild)
  server.on(listGuildEmoji, () => ({
    items,
    meta: { page: 1, page_total: 1, page_size: 500, total: items.length },
    sort: {},
  }))
})
afterEach(() => {
  cleanup()
  // A sheet is still leaving.
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = () => openSettings('/emoji')
const rows = async () =>
  within(await screen.findByRole('list', { name: '公会表情' }))
    .getAllByRole('listitem')
    .map((it) => it.textContent)
const png = (name: string) => new File(['x'], name, { type: 'image/png' })
const choose = async (...files: File[]) => fill(await screen.findByLabelText('添加表情'), { files })
const nameOf = async (file: string) => (await screen.findByLabelText(`名称（${file}）`)) as HTMLInputElement

test('who may not manage emoji does not get there', async () => {
  guild = { ...guild, permissions: permission.manage_invite }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '添加表情' })).toBeNull()
})

test('a guild with as many as its level allows says so before, and leads to boosts', async () => {
  items = Array.from({ length: 100 }, (_, i) => own(String.fromCodePoint(0x4e00 + i)))
  open()
  expect(await screen.findByText('已有 100 个，最多 100 个 · 公会等级 0')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '添加表情' })).toBeNull()
  expect(screen.getByRole('link', { name: '用助力提升上限' }).getAttribute('href')).toBe('/guild/boost/10')
})

test('what is no picture is named, and what there is no room for is left out', async () => {
  items = Array.from({ length: 98 }, (_, i) => own(String.fromCodePoint(0x4e00 + i)))
  open()
  await screen.findByText('添加表情')
  const files = [png('坏.png'), png('好.png'), png('多.png')]
  fireEvent.drop(screen.getByText('添加表情'), { dataTransfer: { files } })
  expect((await nameOf('好.png')).value).toBe('好')
  const said = screen.getAllByRole('alert').map((it) => it.textContent)
  expect(said).toContain('无法打开：坏.png · 只能再添加 2 个，其余的没有加入')
  expect(screen.queryByLabelText('名称（多.png）')).toBeNull()
})

test('a file that is refused stays with the reason, and another try adds it; the others are added', async () => {
  endings = ['表情文件大小不能超过 256K']
  open()
  await choose(png('wave_01.final.png'), png('猫.jpg'), png('a.png'))
  expect((await nameOf('wave_01.final.png')).value).toBe('wave-01-final')
  press('上传 3 个表情')
  expect(await screen.findByText('表情文件大小不能超过 256K')).toBeTruthy()
  await expect.poll(() => screen.getAllByText('名称为 2 到 32 个文字、数字或短横线').length).toBe(2)
  type('名称（猫.jpg）', '猫猫')
  type('名称（a.png）', 'aa')
  press('重试 wave-01-final')
  await expect.poll(() => screen.queryByLabelText('名称（wave_01.final.png）')).toBeNull()
  press('上传 2 个表情')
  await expect.poll(() => screen.queryByRole('list', { name: '待添加的表情' })).toBeNull()
  expect(sent.map(({ name }) => name)).toEqual(['wave-01-final', 'wave-01-final', '猫猫', 'aa'])
  await expect.poll(rows).toHaveLength(5)
  expect((await rows())[1]).toContain('aa')
  expect(server.received(createGuildEmoji)).toEqual([])
})

test('a GIF is kept as it is where the guild may have emoji that move, and is a still picture elsewhere', async () => {
  const gif = new File(['x'], '跳舞.gif', { type: 'image/gif' })
  open()
  await choose(gif)
  expect(await screen.findByText('GIF，将成为静态图片')).toBeTruthy()
  press('上传 1 个表情')
  await expect.poll(() => sent).toEqual([{ name: '跳舞', file: 'picture.png' }])
  cleanup()
  cache.clear()
  guild = { ...guild, level: 1 }
  open()
  await choose(gif)
  expect(await screen.findByText('GIF，原样保留')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '裁剪 跳舞' })).toBeNull()
  press('上传 1 个表情')
  await expect.poll(() => sent[1]).toEqual({ name: '跳舞', file: '跳舞.gif' })
})

test('the most used come first, then the newest, and what another screen adds appears', async () => {
  open()
  expect(await rows()).toEqual([
    '加油30 天内用过 1,200 次 · 由 小满 添加',
    '开饭30 天内没有用过 · 由 小满 添加 · 动态',
  ])
  items = [...items, own('晚安', { is_shortcode: true })]
  emojiChanged('10')
  await expect.poll(async () => (await rows())[1]).toContain('与系统表情同名')
})

test('a name that is refused keeps what was typed; one that is taken is shown', async () => {
  server.on(updateGuildEmoji, () => fail('content.refused'))
  open()
  await pressSoon('重命名 加油')
  await typeSoon('名称', 'x')
  press('保存')
  expect(await screen.findByText('名称为 2 到 32 个文字、数字或短横线')).toBeTruthy()
  expect(server.received(updateGuildEmoji)).toEqual([])
  await typeSoon('名称', '冲冲')
  press('保存')
  expect(await screen.findByText('内容不符合社区规范，请修改后重试')).toBeTruthy()
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '冲冲')
  server.on(updateGuildEmoji, ({ name }) => {
    items = items.map((it) => (it.name === '加油' ? { ...it, name } : it))
    return {}
  })
  press('保存')
  await expect
    .poll(rows)
    .toEqual(['冲冲30 天内用过 1,200 次 · 由 小满 添加', expect.stringContaining('开饭')])
})

test('an emoji whose event comes before the answer is said to be deleted', async () => {
  const answer = server.waits(deleteGuildEmoji)
  open()
  await pressSoon('删除 加油')
  within(screen.getByRole('alertdialog')).getByRole('button', { name: '删除' }).click()
  await expect.poll(() => server.received(deleteGuildEmoji)).toHaveLength(1)
  items = items.filter(({ name }) => name !== '加油')
  emojiChanged('10')
  await expect.poll(rows).toHaveLength(1)
  answer({})
  expect(await screen.findByText('「加油」已删除')).toBeTruthy()
})

test('an emoji is deleted after a question; one that somebody else deleted leaves as well', async () => {
  server.on(deleteGuildEmoji, ({ id }) => {
    items = items.filter((it) => it.id !== id)
    return {}
  })
  open()
  await pressSoon('删除 加油')
  press('取消')
  expect(server.received(deleteGuildEmoji)).toEqual([])
  await pressSoon('删除 加油')
  within(screen.getByRole('alertdialog', { name: '删除表情「加油」？' }))
    .getByRole('button', { name: '删除' })
    .click()
  await expect.poll(rows).toHaveLength(1)
  server.on(deleteGuildEmoji, () => {
    items = []
    return fail('emoji.unknown')
  })
  await pressSoon('删除 开饭')
  within(screen.getByRole('alertdialog')).getByRole('button', { name: '删除' }).click()
  expect(await screen.findByText('表情不存在')).toBeTruthy()
  expect(await screen.findByText('还没有公会表情')).toBeTruthy()
})
