import type { ChatFile } from '../../../events/chat/file.ts'
import { randomId } from '../../client/random-id.ts'
import { createStore } from '../../client/store.ts'
import { checkFile, dropFiles, FileRefusedError, type FileStore, storeFile } from './file-transfer.ts'

/** A file that was chosen and is not in the chat yet. */
export type Transfer = {
  id: string
  file: File
  /** The part sent, 0 to 1; undefined while others go before it. */
  progress: number | undefined
  /** Why it was not sent, and whether another attempt may succeed. */
  refused?: { reason: string; canRetry: boolean }
}

/** The addresses under which files are stored, and the action for a stored one. */
export type Destination = { store: FileStore; onStored: (file: ChatFile) => void }

/** The files of one chat that are on their way. The uploads continue while the chat is not shown. */
export type FileTray = ReturnType<typeof openTray>

const openTray = () => {
  const store = createStore<{ transfers: Transfer[] }>({ transfers: [] })
  const cancels = new Map<string, AbortController>()
  /** One after the other, in the order in which they were chosen. */
  let last: Promise<void> = Promise.resolve()

  const change = (id: string, part: Partial<Transfer>) =>
    store.set({ transfers: store.get().transfers.map((each) => (each.id === id ? { ...each, ...part } : each)) })

  const remove = (id: string) => {
    cancels.get(id)?.abort()
    cancels.delete(id)
    store.set({ transfers: store.get().transfers.filter((each) => each.id !== id) })
  }

  const send = async ({ id, file }: Transfer, to: Destination) => {
    const cancel = new AbortController()
    cancels.set(id, cancel)
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = before.then(() => promise)
    try {
      await checkFile(file)
      await before
      if (cancel.signal.aborted) return
      change(id, { progress: 0 })
      const onProgress = (progress: number) => change(id, { progress })
      to.onStored(await storeFile(to.store, file, { signal: cancel.signal, onProgress }))
      remove(id)
    } catch (error) {
      if (cancel.signal.aborted) return
      const { message: reason, canRetry } =
        error instanceof FileRefusedError ? error : new FileRefusedError('It did not go through.', { canRetry: true })
      change(id, { progress: undefined, refused: { reason, canRetry } })
    } finally {
      resolve()
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    add: (files: readonly File[], to: Destination) => {
      const added = files.map((file): Transfer => ({ id: randomId(), file, progress: undefined }))
      store.set({ transfers: [...store.get().transfers, ...added] })
      for (const transfer of added) send(transfer, to)
    },
    retry: (id: string, to: Destination) => {
      const found = store.get().transfers.find((each) => each.id === id)
      if (!found) return
      const { refused: _, ...transfer } = found
      store.set({ transfers: store.get().transfers.map((each) => (each.id === id ? transfer : each)) })
      send(transfer, to)
    },
    remove,
  }
}

const trays = new Map<string, FileTray>()

export const trayOf = (sessionId: string): FileTray => {
  const tray = trays.get(sessionId) ?? openTray()
  trays.set(sessionId, tray)
  return tray
}

/** Stops sending to a chat, since it has ended. */
export const emptyTray = (sessionId: string) => {
  const tray = trays.get(sessionId)
  for (const { id } of tray?.get().transfers ?? []) tray?.remove(id)
}

/** The same for a chat that is to leave nothing on the device. */
export const clearTray = (sessionId: string) => {
  emptyTray(sessionId)
  trays.delete(sessionId)
  dropFiles(sessionId)
}
