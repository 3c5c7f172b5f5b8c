import { expect, test } from 'vitest'
import { sizeLabel } from './fileSize.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1024 ** 2 - 1, '1024.00 KB'],
  [1024 ** 2, '1.00 MB'],
  [1024 ** 3, '1.00 GB'],
])('%s bytes are formatted as %s', (size, label) => {
  expect(sizeLabel(size)).toBe(label)
})
