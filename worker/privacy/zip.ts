import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** The size of the parts in which a file is stored. */
const PART_BYTES = 1024 * 1024

/** Fast, and nearly as small as the best for text. */
const LEVEL = 4

/**
 * Writes a ZIP in parts of 1 MiB, each passed to `store` before the next is made: memory holds one part. Its files
 * follow each other. `end` returns the size.
 */
export const openZip = (store: (part: Buffer, nth: number) => Promise<void>) => {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let size = 0
  let nth = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    waiting.push(chunk)
    bytes += chunk.length
  })
  const flush = async (least: number) => {
    if (bytes < least) return
    const part = Buffer.concat(waiting)
    waiting = []
    bytes = 0
    size += part.length
    await store(part, nth)
    nth += 1
  }
  return {
    /** Adds a file; the one before it has ended. */
    add: (name: string, { isText }: { isText: boolean }) => {
      const entry = isText ? new ZipDeflate(name, { level: LEVEL }) : new ZipPassThrough(name)
      zip.add(entry)
      return {
        write: async (content: string | Uint8Array) => {
          entry.push(typeof content === 'string' ? Buffer.from(content) : content)
          await flush(PART_BYTES)
        },
        end: () => entry.push(new Uint8Array(0), true),
      }
    },
    end: async (): Promise<number> => {
      zip.end()
      await flush(1)
      return size
    },
  }
}
