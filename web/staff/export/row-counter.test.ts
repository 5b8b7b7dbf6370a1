import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Excel from 'exceljs'
import { describe, expect, test, vi } from 'vitest'
import { countRows } from './row-counter.ts'

const ROWS = 3_000

/** A workbook as the API streams it: a header, and rows that say what the counter looks for. */
const workbook = async () => {
  const out = new PassThrough()
  const whole = buffer(out)
  const writer = new Excel.stream.xlsx.WorkbookWriter({ stream: out })
  const sheet = writer.addWorksheet('Leads')
  sheet.addRow(['Name']).commit()
  for (let row = 0; row < ROWS; row += 1) sheet.addRow([`<row ${Math.random()}`]).commit()
  await writer.commit()
  return new Uint8Array(await whole)
}

describe('the progress of a workbook', () => {
  test.each([1, 7, 1_000, 65_536])('is the rows that have come, in chunks of %i bytes', async (size) => {
    const file = await workbook()
    const told: number[] = []
    const take = countRows((rows) => told.push(rows))
    for (let begin = 0; begin < file.length; begin += size) take(file.slice(begin, begin + size))
    await vi.waitFor(() => expect(told.at(-1)).toBe(ROWS), 30_000)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })

  test('is nothing for a file that is no workbook', () => {
    const onRows = vi.fn()
    const take = countRows(onRows)
    for (let chunk = 0; chunk < 10; chunk += 1) take(new TextEncoder().encode('not a zip file '.repeat(50)))
    expect(onRows).not.toHaveBeenCalled()
  })
})
