import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffSite, startStaffSite } from './test-staff-site.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite([
    { name: 'First Fatima', at: daysAgo(12) },
    { name: 'Second Sizwe', at: daysAgo(11) },
    { name: 'Third Thabo', at: daysAgo(10) },
  ])
})

afterAll(() => site?.stop())

const open = async () => {
  const page = await site.open('/admin-today')
  const pressOn = (name: string) => page.getByRole('button', { name: `Mark contacted: ${name}` })
  return { page, pressOn }
}

test('a second press at the same place, where the next row has come, marks nobody else', async () => {
  const { page, pressOn } = await open()
  const box = await pressOn('First Fatima').boundingBox()
  if (!box) throw new Error('There is nothing to press')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2] as const
  // presses again in the moment in which the row has left
  await page.evaluate(
    ([x, y]) => {
      const pressed = document.elementFromPoint(x, y)
      new MutationObserver((_, observer) => {
        if (pressed?.isConnected) return
        observer.disconnect()
        const next = document.elementFromPoint(x, y)?.closest('button')
        next?.dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y }),
        )
        document.body.dataset.second = next?.ariaLabel ?? 'nothing'
      }).observe(document.body, { childList: true, subtree: true })
    },
    [x, y] as const,
  )
  await page.mouse.click(x, y)
  await pressOn('First Fatima').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.body.dataset.second)).toBe('Mark contacted: Second Sizwe')
  // a press elsewhere counts: it comes after what the second one would have done
  await pressOn('Third Thabo').click({ position: { x: 4, y: 4 } })
  await pressOn('Third Thabo').waitFor({ state: 'detached' })
  expect(await pressOn('Second Sizwe').count()).toBe(1)
  const leads: { name: string; followUpStatus: string }[] = await (await site.call('GET', '/api/leads')).json()
  expect(leads.find(({ name }) => name === 'Second Sizwe')?.followUpStatus).toBe('new')
  await page.context().close()
})

test('a second press on the same button, before its row has left, leaves the undo', async () => {
  const { page, pressOn } = await open()
  await pressOn('Second Sizwe').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/today*', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  await pressOn('Second Sizwe').click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  // it says that it is busy: a person presses it all the same
  await pressOn('Second Sizwe').click({ force: true })
  await pressOn('Second Sizwe').click({ force: true })
  held.resolve()
  await pressOn('Second Sizwe').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await pressOn('Second Sizwe').waitFor()
  await page.context().close()
})
