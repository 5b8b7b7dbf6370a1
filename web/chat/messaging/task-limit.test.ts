import { expect, test } from 'vitest'
import { limitTasks } from './task-limit.ts'

test('no more tasks run at once than allowed, each in its turn, and a failed one makes room too', async () => {
  const take = limitTasks(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const work = ends.map(({ promise }, index) =>
    take(() => {
      begun.push(index)
      return promise
    }).catch(() => -1),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await work[1]
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const [index, { resolve }] of ends.entries()) resolve(index)
  expect(await Promise.all(work)).toEqual([0, -1, 2, 3, 4])
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await take(async () => 'again')).toBe('again')
})
