import { expect, test } from 'vitest'
import { type Destination, destinationsOf, found, MOST_SHOWN } from './destinations.ts'

const room = (name: string, spelling = '', path = `/${name}`): Destination => ({
  kind: 'room',
  path,
  name,
  spelling,
  detail: '',
})
const names = (all: readonly Destination[]) => all.map(({ name }) => name)
const none = { unread: new Set<string>(), recent: [] }

test('what nothing fits finds nothing; what is typed fits by characters, pinyin and first letters', () => {
  const all = [room('闲聊', 'xian liao'), room('夜宵', 'ye xiao'), room('general')]
  expect(names(found(all, '没有', none))).toEqual([])
  expect(names(found(all, '夜', none))).toEqual(['夜宵'])
  expect(names(found(all, 'xianl', none))).toEqual(['闲聊'])
  expect(names(found(all, 'yx', none))).toEqual(['夜宵'])
  expect(names(found(all, 'GENE', none))).toEqual(['general'])
})

test('with nothing typed only what is unread and what was opened lately is offered, in this order', () => {
  const all = [room('a'), room('b'), room('c'), room('d')]
  expect(found(all, ' ', none)).toEqual([])
  expect(names(found(all, '', { unread: new Set(['/d']), recent: ['/c', '/a'] }))).toEqual(['d', 'c', 'a'])
})

test('a better fit comes before one that was opened lately, and that before the others', () => {
  const all = [room('夜宵铺'), room('去夜宵'), room('夜宵')]
  expect(names(found(all, '夜宵', { unread: new Set(), recent: ['/去夜宵'] }))).toEqual([
    '夜宵',
    '夜宵铺',
    '去夜宵',
  ])
  const two = [room('夜一'), room('夜二')]
  expect(names(found(two, '夜', { unread: new Set(), recent: ['/夜二'] }))).toEqual(['夜二', '夜一'])
})

test('of very many only the first are shown', () => {
  const all = Array.from({ length: 3_000 }, (_, at) => room(`room ${at}`))
  expect(found(all, 'room', none)).toHaveLength(MOST_SHOWN)
})

test('a friend with whom there is a conversation is offered once, with the pinyin of the name', () => {
  const person = { id: '5', username: '阿澈', identify_num: '1379' }
  const all = destinationsOf({
    rooms: [{ id: '20', guild_id: '10', name: '闲聊', spelling: 'xian liao' }] as never,
    guilds: [{ id: '10', name: '星海' }] as never,
    chats: [{ code: 'c1', target_info: person }] as never,
    friends: [
      { friend_info: person, spelling: 'a che' },
      { friend_info: { ...person, id: '6', username: '南枝' }, spelling: 'nan zhi' },
    ] as never,
    pages: [{ path: '/account', name: '我的账号' }],
  })
  expect(all.map(({ kind, path, detail }) => `${kind} ${path} ${detail}`)).toEqual([
    'room /channels/10/20 星海',
    'person /chats/c1 #1379',
    'person /chats/with/6 #1379',
    'guild /channels/10 ',
    'page /account ',
  ])
  expect(names(found(all, 'ac', none))).toEqual(['阿澈'])
})
