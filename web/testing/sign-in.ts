import type { Page } from 'playwright-core'
import { STAFF } from '../../events/testing/node.ts'

/** Fills in and submits the sign-in page that is open in a browser. */
export const fillSignIn = async (page: Page, who: { username: string; password: string } = STAFF) => {
  await page.getByLabel('Username').fill(who.username)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
