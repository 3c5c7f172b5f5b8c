import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ContractStore } from './contractStore.ts'

test('what an older sandbox was to tell of a contract is read by its names of today', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'guildhall-contract-store-'))
  const file = path.join(dir, 'contracts.jsonl')
  const contract = { way: 'wechat', contractNo: 'N1', state: 'signed' }
  const message = { id: 'm1', says: 'signed', sent: 1, nextAt: 5 }
  await writeFile(file, `${JSON.stringify({ ...contract, messages: [{ ...message, evil: {} }] })}\n`)
  const store = new ContractStore(file)
  expect(store.all()).toEqual([{ ...contract, deliveries: [{ ...message, tamper: {} }] }])
  store.close()
  await rm(dir, { recursive: true })
})
