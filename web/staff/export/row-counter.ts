const SHEET = new TextEncoder().encode('xl/worksheets/sheet1.xml')
/** Where the name is in the header of a zip entry, and where the length of what follows the name (APPNOTE 4.3.7). */
const NAME_OFFSET = 30
const EXTRA_LENGTH_OFFSET = 28
const ROW = '<row '

const indexOf = (bytes: Uint8Array, wanted: Uint8Array) => {
  for (let at = bytes.indexOf(wanted[0] ?? 0); at >= 0; at = bytes.indexOf(wanted[0] ?? 0, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

const joined = (a: Uint8Array, b: Uint8Array) => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Where the sheet's compressed rows begin; undefined as long as its header has not arrived. */
const beginningOf = (head: Uint8Array) => {
  const name = indexOf(head, SHEET)
  if (name < NAME_OFFSET) return undefined
  const extraLength = new DataView(head.buffer, head.byteOffset).getUint16(
    name - NAME_OFFSET + EXTRA_LENGTH_OFFSET,
    true,
  )
  const begin = name + SHEET.length + extraLength
  return head.length >= begin ? begin : undefined
}

/**
 * Counts the rows of a workbook (.xlsx) while it arrives, by unpacking its first sheet: the only progress that is true,
 * since nobody knows beforehand how many bytes a row will take. Calls `onRows` with the rows so far, the header row
 * left out.
 */
export const countRows = (onRows: (rows: number) => void): ((chunk: Uint8Array<ArrayBuffer>) => void) => {
  let head: Uint8Array | undefined = new Uint8Array()
  let found = -1
  let tail = ''
  const unpacked = new DecompressionStream('deflate-raw')
  const writer = unpacked.writable.getWriter()

  const count = async () => {
    for await (const text of unpacked.readable.pipeThrough(new TextDecoderStream())) {
      const rows = (tail + text).split(ROW)
      found += rows.length - 1
      tail = (rows.at(-1) ?? '').slice(1 - ROW.length)
      onRows(Math.max(0, found))
    }
  }
  // The sheet is not the last entry: the rest of the file is of no interest, and ends the unpacking with an error.
  const ignore = () => {}
  count().catch(ignore)

  return (chunk) => {
    if (!head) {
      writer.write(chunk).catch(ignore)
      return
    }
    head = joined(head, chunk)
    const begin = beginningOf(head)
    if (begin === undefined) return
    writer.write(head.slice(begin)).catch(ignore)
    head = undefined
  }
}
