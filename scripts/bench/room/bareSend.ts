// The bare handler of sends as a process of its own, with an embedded database.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStore } from '../../../server/src/kit/database/store.ts'
import { openBareSend } from '../bareSend.ts'
import { answer, cpu } from './ask.ts'

async function serve(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  const { db, pool } = store.database
  const server = await openBareSend(db, pool)
  process.once('disconnect', async () => {
    await server.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
    process.exit(0)
  })
  answer(async (it) => {
    if (it.ask === 'cpu') return cpu()
    throw new Error(`a bare handler cannot ${it.ask}`)
  }, server.port)
}

await serve()
