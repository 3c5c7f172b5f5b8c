import { expect, test } from 'vitest'
import { pastedFiles } from './pastedFiles.ts'

const png = new File(['x'], 'image.png', { type: 'image/png' })
const pdf = new File(['x'], '排班.pdf', { type: 'application/pdf' })
const paste = (types: string[], ...files: File[]) =>
  pastedFiles({ types, files: files as unknown as FileList }).map(({ name }) => name)

test.each([
  ['text alone', ['text/plain'], []],
  ['formatted text with a picture of itself', ['text/plain', 'text/html', 'text/rtf', 'Files'], [png]],
])('%s is pasted as text', (_, types, files) => expect(paste(types, ...files)).toEqual([]))

test.each([
  ['a picture alone', ['Files'], [png]],
  ['a picture copied from a page', ['text/html', 'Files'], [png]],
  ['a picture copied as a file, beside its name', ['text/plain', 'Files'], [png]],
  ['files copied on a desk, beside their names', ['text/plain', 'Files'], [png, pdf]],
  ['a file beside formatted text', ['text/plain', 'text/html', 'Files'], [pdf]],
])('%s is attached', (_, types, files) =>
  expect(paste(types, ...files)).toEqual(files.map(({ name }) => name)),
)

test('a file that stands among the items alone is attached, and not its name', () => {
  const items = [
    { kind: 'string', getAsFile: () => null },
    { kind: 'file', getAsFile: () => pdf },
  ]
  expect(pastedFiles({ types: ['text/plain', 'Files'], files: [] as never, items })).toEqual([pdf])
})
