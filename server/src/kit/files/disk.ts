/** The disk of the uploads: how much room it has, and refusals below a reserve. */
import { statfs } from 'node:fs/promises'
import { fail } from '@guildhall/wire/failure.ts'
import type { Bytes } from '@guildhall/wire/unit.ts'

export interface DiskSpace {
  readonly free: Bytes
  readonly total: Bytes
}

/** A disk with a reserve that uploads leave alone, so that the database and the logs go on. */
export interface Disk {
  space(): Promise<DiskSpace>
  /** Whether there is more room than the reserve. */
  hasRoom(): Promise<boolean>
  /** @throws Failure asset.no_space */
  requireRoom(): Promise<void>
}

/**
 * Without this much nothing is written, whatever the reserve: a write that fails halfway looks like a broken
 * file.
 */
const LEAST_FREE: Bytes = 4 * 1024 * 1024

/** The disk of a directory, which exists. `reserve`: the room that uploads leave. */
export function openDiskOf(directory: string, reserve: Bytes): Disk {
  async function space(): Promise<DiskSpace> {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { free: bavail * bsize, total: blocks * bsize }
  }
  const hasRoom = async () => (await space()).free >= Math.max(reserve, LEAST_FREE)
  return {
    space,
    hasRoom,
    async requireRoom() {
      if (!(await hasRoom())) throw fail('asset.no_space')
    },
  }
}

/** A disk that is full while a file is written is the same refusal as one that was full before. */
export async function refusingWhenFull<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOSPC' || code === 'EDQUOT' ? fail('asset.no_space') : error
  }
}
